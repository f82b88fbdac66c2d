# SPDX-License-Identifier: Apache-2.0
"""Runs programs of many checked kernels on the engine, and says which of them failed, and how."""

import os
import pathlib
import re
import subprocess
import tempfile
import time

SETTINGS = [("volta", 2), ("stack", 1), ("volta", 1), ("stack", 2)]  # a policy, and threads that run blocks
MAX_INSTRUCTIONS = 50_000_000  # of a launch, which ends a loop that the engine made endless
SECONDS = 300


def environment(setting):
    """docs/design/running.md has the variables. No toolkit is asked: the same with and without one."""
    return {**os.environ, "HEDDLE_RECONVERGENCE": setting[0], "HEDDLE_WORKERS": str(setting[1]),
            "HEDDLE_MAX_INSTRUCTIONS": str(MAX_INSTRUCTIONS), "HEDDLE_PTXAS": "0", "HEDDLE_NVCC": "0"}


def problems_of_part(command, seeds, setting, part):
    """By seed. A fault ends the program, so that halves must tell which kernel it was."""
    first, last = part
    try:
        done = subprocess.run(command + [str(first), str(last)], capture_output=True, text=True, check=False,
                              timeout=SECONDS, env=environment(setting))
        output = done.stdout + done.stderr
        if re.search("^(PASS|FAIL)$", done.stdout, re.MULTILINE):
            return {int(seed): problem for seed, problem in re.findall(r"^k(\d+): (.*)", output, re.MULTILINE)}
    except subprocess.TimeoutExpired:
        output = f"does not end in {SECONDS} s"
    if last - first == 1:
        said = re.findall("^heddle: .*", output, re.MULTILINE) or [output.strip()[-500:] or "ends without a word"]
        return {seeds[first]: said[-1]}
    middle = (first + last) // 2
    return {**problems_of_part(command, seeds, setting, (first, middle)),
            **problems_of_part(command, seeds, setting, (middle, last))}


def problems(command, seeds, settings):
    """What went wrong with which kernel, under the first setting that shows it. The command takes FROM and TO."""
    found = {}
    for setting in settings:
        name = f"{setting[0]}, {setting[1]} thread{'s'[:setting[1] - 1]}"
        for seed, problem in problems_of_part(command, seeds, setting, (0, len(seeds))).items():
            found.setdefault(seed, f"{name}: {problem}")
    return found


def add_options(parser, count):
    parser.add_argument("--programs", type=int, default=count)
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--settings", choices=["all", "one"], default="all",
                        help="one: each file under one policy and number of threads, in turn")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for programs that fail")


def run_all(heddle, options, per_file, run_file):
    """Files of kernels until the number or the time is reached; the exit status.

    `run_file(heddle, seeds, settings, keep)` returns how many kernels failed."""
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    failures, files, begin = 0, 0, time.monotonic()
    seed, last = options.seed, options.seed + options.programs
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        while time.monotonic() < begin + 60 * options.minutes if options.minutes else seed < last:
            count = per_file if options.minutes else min(per_file, last - seed)
            settings = SETTINGS if options.settings == "all" else [SETTINGS[files % len(SETTINGS)]]
            failures += run_file(str(pathlib.Path(heddle).resolve()), list(range(seed, seed + count)), settings,
                                 options.keep)
            seed, files = seed + count, files + 1
    count, seconds = seed - options.seed, time.monotonic() - begin
    print(f"{count - failures} passed, {failures} failed, {count / seconds:.1f} a second")
    return 1 if failures else 0
