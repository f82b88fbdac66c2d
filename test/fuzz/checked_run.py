# SPDX-License-Identifier: Apache-2.0
"""Runs a program of many checked kernels on the engine, and says which of them failed, and how."""

import os
import re
import subprocess

SETTINGS = [("volta", 2), ("stack", 1), ("volta", 1), ("stack", 2)]  # a policy, and threads that run blocks
MAX_INSTRUCTIONS = 50_000_000  # of a launch, which ends a loop that the engine made endless
SECONDS = 300


def run(heddle, sources, setting, part):
    """What the program printed, and whether it came to its end."""
    policy, threads = setting
    try:
        done = subprocess.run([heddle, "run", "--quiet", "--no-advice", "-O1", "-w", "--reconvergence", policy, "--threads",
                               str(threads), "--max-instructions", str(MAX_INSTRUCTIONS)] + [str(s) for s in sources] +
                              ["--"] + [str(number) for number in part], capture_output=True, text=True, check=False,
                              timeout=SECONDS, env={**os.environ, "HEDDLE_PTXAS": "0", "HEDDLE_NVCC": "0"})
    except subprocess.TimeoutExpired:
        return f"does not end in {SECONDS} s", False
    return done.stdout + done.stderr, bool(re.search("^(PASS|FAIL)$", done.stdout, re.MULTILINE))


def problems_of_part(heddle, sources, seeds, setting, part):
    """By seed. A fault ends the program, so that halves must tell which kernel it was."""
    output, ended = run(heddle, sources, setting, part)
    if ended:
        return {int(seed): problem for seed, problem in re.findall(r"^k(\d+): (.*)", output, re.MULTILINE)}
    first, last = part
    if last - first == 1:
        return {seeds[first]: output.strip()}
    middle = (first + last) // 2
    return {**problems_of_part(heddle, sources, seeds, setting, (first, middle)),
            **problems_of_part(heddle, sources, seeds, setting, (middle, last))}


def problems(heddle, sources, seeds, settings):
    """What went wrong with which kernel, under the first setting that shows it."""
    found = {}
    for setting in settings:
        name = f"{setting[0]}, {setting[1]} thread{'s'[:setting[1] - 1]}"
        for seed, problem in problems_of_part(heddle, sources, seeds, setting, (0, len(seeds))).items():
            found.setdefault(seed, f"{name}: {problem}")
    return found
