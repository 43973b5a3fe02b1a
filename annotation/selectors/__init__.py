"""Reads across tables: querysets and dataclasses for pages and exports."""
