"""Retrievers: TF-IDF, BM25, dense vectors, their fusion, and the oracle."""
