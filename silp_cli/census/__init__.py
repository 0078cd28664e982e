"""What strings and payloads cost under real tokenizers."""
