"""A filter for the pages about accounts."""

from __future__ import annotations

from django import template

from corpus.account_words import in_our_words

register = template.Library()
register.filter("in_our_words", in_our_words, is_safe=True)
