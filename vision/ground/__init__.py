"""What lies under everything: how it slid."""
