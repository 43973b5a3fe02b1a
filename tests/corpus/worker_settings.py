"""A worker's settings in tests: the real ones, with the handlers of tests."""

from config.settings import *  # noqa: F403
from tests.corpus.handler_paths import HANDLERS

JOB_HANDLERS = HANDLERS
