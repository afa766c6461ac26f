"""The table that the page tests sit at: its secret, its address, its players."""

SECRET = b"a secret of thirty-two bytes ..."
PIN = "271828"
ADDRESS = "http://192.168.1.20:8000"
PLAYERS = ("Ana", "Bo", "Cy")
