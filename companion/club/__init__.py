"""Many tables: each publishes what all at it may see; hubs gather and show it."""
