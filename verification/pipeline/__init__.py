"""Verifying claims: retrieve abstracts, select rationales, predict labels.

Everything here is pure: records in, predictions out, no Django. Only ``encoders``
and ``training`` import torch; whatever runs in the web process imports neither.
"""
