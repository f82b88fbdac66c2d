# SPDX-License-Identifier: Apache-2.0
"""programs.txt of bench/cuda/corpus and bench/cuda/applications: whole programs whose kernels' times are held against a GPU's, each in two
sizes."""

from measuring.machine import ROOT

FOLDER = ROOT / "bench/cuda/corpus"


def listed(folder=FOLDER):
    """(program, {size: argument}) in the order of the list."""
    rows = []
    for line in (folder / "programs.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, small, large, _ = (field.strip() for field in line.split("|"))
            rows.append((name, {"small": small, "large": large}))
    return rows


def has_passed(lines):
    """Whether a program says that what its kernels computed is right."""
    return any(line == "PASS" or line.startswith("PASS ") for line in lines)
