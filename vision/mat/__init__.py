"""Where the camera stands: markers, pose, straight pictures, light and bumps."""
