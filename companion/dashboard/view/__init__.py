"""What one viewer sees of a snapshot, worked out part by part."""
