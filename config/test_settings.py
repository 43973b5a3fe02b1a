"""With these settings, tests run faster and touch nothing of a real installation."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

# Every process of a parallel run gets a folder of its own, so that their databases
# and brokers do not meet; only DATABASE_URL and CELERY_BROKER_URL are taken over.
_folder = tempfile.mkdtemp(prefix="claimdesk-test-")
atexit.register(shutil.rmtree, _folder, ignore_errors=True)
os.environ["CLAIMDESK_DATA"] = _folder
os.environ["CLAIMDESK_ENV_FILE"] = os.devnull
os.environ["SECRET_KEY"] = "only-for-tests"  # noqa: S105
for _name in ("PUBLIC_URL", "DEBUG", "EMAIL_HOST", "PORT"):
    os.environ.pop(_name, None)

# Redis has one set of queues for all processes of a parallel run, unless each takes a
# database of its own. Child processes inherit the choice.
_worker = os.environ.get("PYTEST_XDIST_WORKER", "")
_base, _, _number = os.environ.get("CELERY_BROKER_URL", "").rpartition("/")
if _worker and _base.startswith("redis") and "CLAIMDESK_TEST_BROKER" not in os.environ:
    os.environ["CELERY_BROKER_URL"] = f"{_base}/{int(_number) + 1 + int(_worker[2:])}"
    os.environ["CLAIMDESK_TEST_BROKER"] = os.environ["CELERY_BROKER_URL"]

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, LOGGING  # noqa: E402

DATABASES["default"].setdefault("TEST", {})
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file, never memory: live servers, threads and other processes then meet the
    # same locks as in production.
    DATABASES["default"]["TEST"]["NAME"] = str(Path(_folder) / "test.sqlite3")
else:
    # Tests commit thousands of times and never cut the power: no wait for the disk.
    DATABASES["default"]["OPTIONS"]["options"] = "-c synchronous_commit=off"

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True
LOGGING["root"]["level"] = "WARNING"
# Static files come straight from static/; nothing is collected for tests.
WHITENOISE_AUTOREFRESH = True
