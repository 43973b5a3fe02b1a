"""How gunicorn serves the site: with threads, since requests wait for the database."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from prometheus_client import multiprocess

from config.env import data_dir, env_int, env_str, read_env_file

read_env_file()

# Each process writes its counts to a file here; /metrics adds them up.
metrics_folder = data_dir() / "metrics"
shutil.rmtree(metrics_folder, ignore_errors=True)
metrics_folder.mkdir()
os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(metrics_folder)

bind = f"{env_str('HOST', '127.0.0.1')}:{env_int('PORT', 8000, minimum=1)}"
worker_class = "gthread"
workers = env_int("WEB_CONCURRENCY", 2, minimum=1)
threads = 8
preload_app = True
timeout = 60
graceful_timeout = 4
control_socket_disable = True
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108


def child_exit(server: Any, worker: Any) -> None:
    """Forget the gauges of a process that has ended."""
    multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
