"""All settings, from the environment. See .env.example for every variable."""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config.broker import broker_url, redis_url
from config.env import (
    REPO,
    data_dir,
    env_bool,
    env_choice,
    env_int,
    env_list,
    env_str,
    read_env_file,
)
from config.logs import configure_structlog, logging_config
from config.providers import sign_in_providers

read_env_file()
BASE_DIR = REPO
DATA_DIR = data_dir()


def _secret_key() -> str:
    """Return the configured key, or one made once and kept in the data folder."""
    configured = env_str("SECRET_KEY")
    if configured:
        return configured
    path = DATA_DIR / "secret_key"
    if not path.exists():
        # Written aside and linked: of two processes that start together, both
        # end with the key of the first.
        draft = DATA_DIR / f"secret_key.{secrets.token_hex(8)}"
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(64), encoding="utf-8")
        with suppress(FileExistsError):
            path.hardlink_to(draft)
        draft.unlink()
    return path.read_text(encoding="utf-8").strip()


DEBUG = env_bool("DEBUG", False)
SECRET_KEY = _secret_key()
PORT = env_int("PORT", 8000, minimum=1, maximum=65535)


def _public_url() -> str:
    """Return the address that people type, which must be a scheme and a host."""
    url = env_str("PUBLIC_URL", f"http://localhost:{PORT}").rstrip("/")
    message = f"PUBLIC_URL must look like https://claims.example.org, not {url!r}."
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018  (raises when it is no number)
    except ValueError:
        raise ImproperlyConfigured(message) from None
    is_bare = url == f"{parts.scheme}://{parts.netloc}" and "@" not in parts.netloc
    if parts.scheme not in {"http", "https"} or not parts.hostname or not is_bare:
        raise ImproperlyConfigured(message)
    return url


PUBLIC_URL = _public_url()
IS_HTTPS = PUBLIC_URL.startswith("https://")
_hostname = urlsplit(PUBLIC_URL).hostname or ""
ALLOWED_HOSTS = [_hostname, "localhost", "127.0.0.1", *env_list("ALLOWED_HOSTS")]
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
CSRF_FAILURE_VIEW = "config.errors.csrf_failure"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_HTTPS
SECURE_SSL_REDIRECT = IS_HTTPS
# Supervisors ask these from the same machine, without TLS.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
# How many proxies of our own stand in front, for rate limits by address.
ALLAUTH_TRUSTED_PROXY_COUNT = env_int("TRUSTED_PROXIES", int(IS_HTTPS), maximum=10)
SECURE_HSTS_SECONDS = 31_536_000 if IS_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = IS_HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if IS_HTTPS else None
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
X_FRAME_OPTIONS = "DENY"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django.forms",
    "csp",
    "django_htmx",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "rest_framework",
    "drf_spectacular",
    "django_structlog",
    "django_prometheus",
    "config",
    "corpus",
    "annotation",
    "verification",
]
MIDDLEWARE = [
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "corpus.middleware.time_zone_middleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_structlog.middlewares.RequestMiddleware",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "annotation.context.notices",
            ],
        },
    }
]


def _database() -> dict[str, Any]:
    """Return PostgreSQL from DATABASE_URL, or SQLite in the data folder."""
    url = env_str("DATABASE_URL", f"sqlite:///{DATA_DIR / 'claimdesk.sqlite3'}")
    message = (
        "DATABASE_URL must look like postgres://user:password@host:5432/name "
        "or sqlite:////folder/file."
    )
    try:
        config: dict[str, Any] = dict(dj_database_url.parse(url))
    except ValueError:
        # The address itself may hold a password, so it is not repeated.
        raise ImproperlyConfigured(message) from None
    options = config.setdefault("OPTIONS", {})
    if config["ENGINE"] == "django.db.backends.sqlite3":
        options |= SQLITE_OPTIONS
    elif config["ENGINE"] == "django.db.backends.postgresql":
        # One connection for each thread of a web process at most.
        options["pool"] = {"min_size": 0, "max_size": 8, "timeout": 5}
    else:
        raise ImproperlyConfigured(message)
    return config


SQLITE_OPTIONS = {
    "timeout": 60,
    # A transaction that reads first and writes later would fail at once when
    # somebody else wrote in between; taking the lock at the start waits instead.
    "transaction_mode": "IMMEDIATE",
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; "
        "PRAGMA cache_size=-65536; PRAGMA temp_store=MEMORY;"
    ),
}
DATABASES = {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "corpus.User"
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_ROOT = DATA_DIR / "media"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static.HashedModulesStorage"},
}
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.TemporaryFileUploadHandler"]
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
# One file of at most this size can be uploaded; the upload pages say so.
UPLOAD_LIMIT_BYTES = env_int("UPLOAD_LIMIT_MB", 1024, minimum=1) * 1024 * 1024

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
    }
}

LOGIN_REDIRECT_URL = "/"
LOGIN_URL = "account_login"

# Mail: without a server, links go to the console and to files in the data folder.
EMAIL_HOST = env_str("EMAIL_HOST")
HAS_MAIL_SERVER = bool(EMAIL_HOST)
EMAIL_BACKEND = (
    "django.core.mail.backends.smtp.EmailBackend"
    if HAS_MAIL_SERVER
    else "config.mail.ConsoleAndFileBackend"
)
EMAIL_FILE_PATH = DATA_DIR / "mail"
EMAIL_PORT = env_int("EMAIL_PORT", 587, minimum=1, maximum=65535)
EMAIL_HOST_USER = env_str("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env_str("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = env_bool("EMAIL_USE_TLS", True)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env_str(
    "DEFAULT_FROM_EMAIL", f"claimdesk@{_hostname}"
)

# Accounts
ACCOUNT_ADAPTER = "config.account_mail.AccountAdapter"
ACCOUNT_FORMS = {"login": "config.account_forms.SignInForm"}
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_UNIQUE_EMAIL = True
ACCOUNT_USER_DISPLAY = str  # the name that people see everywhere else
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if HAS_MAIL_SERVER else "optional"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if IS_HTTPS else "http"
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Claimdesk] "
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Claimdesk"
SOCIALACCOUNT_ONLY = False
SOCIALACCOUNT_PROVIDERS = sign_in_providers()
INSTALLED_APPS += [
    f"allauth.socialaccount.providers.{name}" for name in SOCIALACCOUNT_PROVIDERS
]

# API
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "corpus.api_access.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["corpus.api_access.ScopedPermission"],
    "DEFAULT_PARSER_CLASSES": ["corpus.api_access.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_THROTTLE_CLASSES": ["corpus.api_access.AnonymousThrottle"],
    "DEFAULT_THROTTLE_RATES": {"anon": "60/min"},
    "DEFAULT_SCHEMA_CLASS": "corpus.api_schema.Schema",
    "EXCEPTION_HANDLER": "corpus.api.handle_error",
    "NUM_PROXIES": ALLAUTH_TRUSTED_PROXY_COUNT,
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Claimdesk",
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "AcceptedKind": ["guideline", "consenttext"],
        "ArticleKind": "corpus.models.Article.Kind",
        "ClaimKind": "annotation.models.Claim.Kind",
        "ClaimReason": "annotation.api.work_shapes.CLAIM_REASON_CHOICES",
        "ClaimState": "annotation.models.Claim.State",
        "Decision": ["approve", "request_changes", "reject"],
        "Disclosure": "verification.api.shapes.DETAILS",
        "EvidenceLabel": "verification.api.evidence_shapes.LABEL_CHOICES",
        "EvidenceState": "verification.models.FactCheck.State",
        "JobState": "corpus.models.Job.State",
        "JudgementReason": "annotation.api.work_shapes.JUDGEMENT_REASON_CHOICES",
        "JudgementState": "annotation.models.Judgement.State",
        "LabelCode": "annotation.models.labels.LabelCode",
        "MemberState": "annotation.models.Membership.State",
        "NewMemberState": ["probation", "trusted", "suspended"],
        "PairState": "annotation.models.Pair.State",
        "PhaseKind": "verification.models.Phase.Kind",
        "PhaseShows": "verification.models.Phase.Shows",
        "Protocol": "annotation.models.Project.ProtocolChoice",
        "ReviewDecision": "annotation.models.Review.Decision",
        "Scope": "corpus.models.ApiToken.Scope",
        "SourceState": "annotation.models.Source.State",
        "Stage": "annotation.models.Stage",
        "Standing": "verification.models.Submission.Standing",
        "SubmissionState": "verification.models.Submission.State",
        "SuggestionArm": "annotation.models.Judgement.Arm",
        "SuggestionTaken": "annotation.models.Judgement.Taken",
        "SystemSetting": "verification.models.Benchmark.Setting",
        "Visibility": "corpus.models.library.Visibility",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "corpus.api_schema.describe_errors",
    ],
}

# Queue
BROKER_URL = broker_url(DATA_DIR)
TASK_SECONDS = 3600
CELERY_BROKER_URL = BROKER_URL
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {
        # A task that runs longer would be given to a second worker.
        "visibility_timeout": TASK_SECONDS + 600,
        # A killed worker's tasks are looked for every 5 s, not every 100 s.
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
    }
    if redis_url(BROKER_URL)
    else {}
)
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_SOFT_TIME_LIMIT = TASK_SECONDS
CELERY_TASK_TIME_LIMIT = TASK_SECONDS + 60
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "requeue-stalled-jobs": {
        "task": "corpus.tasks.requeue_stalled_jobs",
        "schedule": 10,
        # Without a worker, the rounds that nobody took must not pile up.
        "options": {"expires": 10},
    },
    "fail-abandoned-submissions": {
        "task": "verification.tasks.fail_abandoned_submissions",
        "schedule": 10,
        "options": {"expires": 10},
    },
    "requeue-stalled-checks": {
        "task": "verification.tasks.requeue_stalled_checks",
        "schedule": 10,
        "options": {"expires": 10},
    },
    "forget-old-checks": {
        "task": "verification.tasks.forget_old_checks",
        "schedule": 300,
        "options": {"expires": 300},
    },
    # A corpus that has changed is indexed before somebody asks.
    "prepare-corpora": {
        "task": "verification.tasks.keep_corpora_prepared",
        "schedule": 60,
        "options": {"expires": 60},
    },
    # Starts jobs for open pairs that lack a suggestion, while models are at hand.
    "suggest-for-open-pairs": {
        "task": "verification.tasks.suggest_for_open_pairs",
        "schedule": 300,
        "options": {"expires": 300},
    },
    # Sends nothing without a mail server.
    "mail-digests": {
        "task": "annotation.tasks.mail_digests",
        "schedule": crontab(hour=6, minute=0),
        "options": {"expires": 3600},
    },
}
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat-schedule")

# A demo has accounts whose passwords are known, so a public site starts without it.
LOAD_DEMO = env_bool("LOAD_DEMO", not IS_HTTPS)

# Background work: the function that does each kind of job.
_TRANSFERS = "annotation.services.transfer_jobs"
JOB_HANDLERS: dict[str, str] = {
    kind: f"{_TRANSFERS}:{kind}_job"
    for kind in (
        "check_articles",
        "check_claims",
        "check_documents",
        "check_studies",
        "export_claims",
        "export_documents",
        "import_articles",
        "import_claims",
        "import_documents",
        "import_studies",
    )
}
_SCORING = "verification.services.scoring"
JOB_HANDLERS |= {
    kind: f"{_SCORING}:{kind}_job" for kind in ("check_submission", "score_submission")
}
JOB_HANDLERS |= {
    "check_batch": "verification.worker.batches:check_batch_job",
    "check_gold": "verification.services.gold_jobs:check_gold_job",
    "compare_entries": "verification.services.ties:compare_entries_job",
    "compare_runs": "verification.services.comparisons:compare_runs_job",
    "make_baselines": "verification.services.baselines:make_baselines_job",
    "run_system": "verification.worker.system_runs:run_system_job",
    "score_again": "verification.services.rescoring:score_again_job",
    "suggest_pairs": "verification.worker.suggesting:suggest_pairs_job",
}

# Kinds of jobs that need a model go to the worker that holds the models.
JOB_QUEUES: dict[str, str] = dict.fromkeys(
    ("check_batch", "run_system", "suggest_pairs"), "ml"
)

# What the upper layers keep about people: for their download, and for erasing it.
PERSONAL_DATA_MODULES = ["verification.selectors.personal_data"]
ERASURE_MODULES = ["verification.services.erasure"]

# Cache: rate limits need one that all processes share.
_cache_url = redis_url(BROKER_URL)
CACHES: dict[str, dict[str, Any]] = {
    "default": (
        {
            "BACKEND": "config.cache.SharedRedisCache",
            "LOCATION": _cache_url,
            "KEY_PREFIX": "claimdesk",
        }
        if _cache_url
        else {
            "BACKEND": "django.core.cache.backends.db.DatabaseCache",
            "LOCATION": "cache",
        }
    )
}

# Logs
configure_structlog()
LOGGING = logging_config(
    as_json=env_choice("LOG_FORMAT", "console", {"console", "json"}) == "json",
    level=env_choice("LOG_LEVEL", "INFO", {"DEBUG", "INFO", "WARNING", "ERROR"}),
    rounds=[
        entry["task"]
        for entry in CELERY_BEAT_SCHEDULE.values()
        if isinstance(entry["schedule"], int)
    ],
)
DJANGO_STRUCTLOG_CELERY_ENABLED = True
