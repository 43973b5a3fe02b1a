"""Scores predictions exactly as the published evaluators do.

Pure: the standard library, numpy and the project's own pure readers. Each score
passes four stages: validate, count per claim, sum and divide, sign.
"""
