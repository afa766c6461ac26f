"""The game side: rules, referee, log, words and the page on the phones."""
