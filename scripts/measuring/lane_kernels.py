# SPDX-License-Identifier: Apache-2.0
"""The kernels whose account of lanes is held against a GPU's counters, and which of them may be looked at.

Rules and constants are made from the half that a hash of the kernel's name calls seen, and judged by the other half.
"""

import hashlib
import subprocess
import sys

from measuring.machine import ROOT

RANDOM_FILES, RANDOM_KERNELS, FIRST_SEED = 5, 64, 7000


def is_seen(name):
    return hashlib.sha256(name.encode()).digest()[0] % 2 == 0


def make_random(folder):
    """Writes the programs of random kernels; the same ones every time."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(RANDOM_FILES):
        subprocess.run([sys.executable, ROOT / "test/fuzz/fuzz_kernels", "--export", str(RANDOM_KERNELS), "--seed",
                        str(FIRST_SEED + number * RANDOM_KERNELS), folder / f"random_{number}.cu"], check=True)
    return folder


def programs(random_folder):
    return sorted((ROOT / "bench/cuda/lanes").glob("*.cu")) + sorted(random_folder.glob("*.cu"))
