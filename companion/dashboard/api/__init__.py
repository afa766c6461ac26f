"""What phones send and receive as JSON: acts, replies, the stream."""
