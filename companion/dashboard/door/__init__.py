"""Who may come in: addresses, hosts, tokens, seats and language."""
