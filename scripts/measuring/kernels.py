# SPDX-License-Identifier: Apache-2.0
"""bench/cuda/counters/kernels.txt: the kernels whose account is held against a GPU's counters."""

from measuring.machine import ROOT


def listed():
    """The kernels of the list, by name."""
    kernels = {}
    for line in (ROOT / "bench/cuda/counters/kernels.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, program, kernel, arguments, why = (field.strip() for field in line.split("|"))
            known, _, reason = why.partition(" %: ")
            kernels[name] = {"program": program, "kernel": kernel, "arguments": arguments, "reason": reason,
                             "known": int(known) / 100 if known else 0}
    return kernels
