"""Writes: keyword-only functions, each in one transaction with its event."""
