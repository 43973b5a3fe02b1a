"""Forms: what a browser sends, checked and typed."""
