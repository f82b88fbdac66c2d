# SPDX-License-Identifier: Apache-2.0
"""Waiting for an event instead of a time: how long a step takes says more about the machine than about heddle."""

import os
import pathlib
import resource
import subprocess
import time

PATIENCE = 300  # seconds until a test gives up


def wait_until(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {PATIENCE} s")
        time.sleep(0.02)


def children_of(pid):
    found = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            found += map(int, pathlib.Path(f"/proc/{pid}/task/{thread}/children").read_text().split())
    except (FileNotFoundError, ProcessLookupError):  # it, or a thread of it, has ended
        pass
    return found


def name_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def processor_seconds(pid):
    """Of a process, its children that have ended, and those that run."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK") + sum(map(processor_seconds, children_of(pid)))


def processor_seconds_to_end(command, **options):
    """Runs a command; returns the processor time that it and its children used."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def wait_until_in_kernel(process, short_run):
    """Until it has used a second more than a run of the same program that a limit ended in its kernel."""
    wait_until(lambda: process.poll() is not None or processor_seconds(process.pid) > short_run + 1, "no kernel ran")
