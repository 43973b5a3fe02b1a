"""How static files are named, so that browsers may keep them for ever."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage as Base


class HashedModulesStorage(Base):  # type: ignore[misc]
    """Our modules import each other by hashed names, as pages do.

    Under two names a module would run twice, with a state of its own each time.
    """

    support_js_module_import_aggregation = True
    # Only ours: texts in the files of others look like imports too.
    _js_module_import_aggregation_patterns = (
        "js/*.js",
        Base._js_module_import_aggregation_patterns[1],
    )
