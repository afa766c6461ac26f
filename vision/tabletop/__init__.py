"""What lies where on a table whose plan is known and whose pieces were shown once."""
