"""Thin views: load through access, call one service, render."""
