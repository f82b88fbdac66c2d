# SPDX-License-Identifier: Apache-2.0
"""How the tests in this folder call heddle."""

import os
import pathlib
import pty
import subprocess

os.environ.update(HEDDLE_PTXAS="0", HEDDLE_NVCC="0")  # the same with and without a CUDA toolkit
HEDDLE = os.environ["HEDDLE"]
SOURCE = pathlib.Path(os.environ["HEDDLE_SOURCE"])


def run(*arguments, **options):
    """Runs heddle without a terminal; returns the finished process with text output."""
    if "input" not in options:
        options.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run([HEDDLE, *arguments], capture_output=True, text=True, check=False, **options)


def run_on_terminal(*arguments, environment=None):
    """Runs heddle with standard output and error on one terminal; returns what appears there."""
    controller, terminal = pty.openpty()
    settings = {"PATH": os.environ["PATH"], "TERM": "xterm", **(environment or {})}
    process = subprocess.Popen([HEDDLE, *arguments], stdin=subprocess.DEVNULL, stdout=terminal,
                               stderr=terminal, env=settings)
    os.close(terminal)
    shown = b""
    while True:
        try:
            part = os.read(controller, 65536)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        shown += part
    process.wait()
    os.close(controller)
    return shown.decode()
