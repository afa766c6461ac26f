"""What is found of computer, camera, store and running table."""
