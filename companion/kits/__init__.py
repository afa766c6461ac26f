"""What an owner taught about their copy: what to show, what was shown and learned."""
