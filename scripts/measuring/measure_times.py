# SPDX-License-Identifier: Apache-2.0
"""Times of the kernels of whole programs, by Nsight Compute.

usage: measure times [--to DIR]      writes DIR/GPU/counters/times.json (default DIR: results); needs nvcc and ncu

The programs are those of test/programs/apps, test/programs/lessons and examples; of each kernel and grid the first launch
counts. HEDDLE_COMMIT names the commit where the tree is no git repository. `compare times` reads the result.
"""

import argparse
import concurrent.futures
import csv
import json
import pathlib
import re
import sys
import tempfile

from measuring import machine
from measuring.machine import ROOT, output_of, tool

PROGRAMS = ("test/programs/apps/*.cu", "test/programs/lessons/*.cu", "examples/0*/*.cu")


def compile_into(folder, program):
    binary = pathlib.Path(folder) / "-".join(program.relative_to(ROOT).with_suffix("").parts)
    output_of(tool("nvcc"), "-O3", "-std=c++17", "-arch=native", f"-I{ROOT / 'cuda/include'}", program, "-o", binary)
    return program, binary


def times_of(program, binary):
    """One record for each kernel and grid."""
    text = output_of(tool("ncu"), "--csv", "--clock-control", "none", "--cache-control", "none", "--metrics",
                     "gpu__time_duration.sum", binary)
    records = {}
    for row in csv.DictReader(line for line in text.splitlines() if re.match(r'"(ID"|\d+",)', line)):
        kernel = re.sub(r"[<(].*", "", re.sub(r"^void ", "", row["Kernel Name"].replace("<unnamed>::", "")))
        grid, block = ([int(number) for number in row[field].strip("()").split(",")] for field in ("Grid Size", "Block Size"))
        scale = {"ns": 1e-3, "us": 1, "ms": 1e3}[row["Metric Unit"]]
        records.setdefault((kernel, tuple(grid)), {
            "program": str(program.relative_to(ROOT)), "kernel": kernel, "grid": grid, "block": block,
            "microseconds": round(float(row["Metric Value"].replace(",", "")) * scale, 3)})
    return list(records.values())


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n\n")[0])
    parser.add_argument("--to", type=pathlib.Path, default=ROOT / "results")
    options = parser.parse_args()
    about = machine.describe()
    programs = [path for pattern in PROGRAMS for path in sorted(ROOT.glob(pattern))]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor() as pool:
        binaries = list(pool.map(lambda program: compile_into(folder, program), programs))
        records = [record | about for program, binary in binaries for record in times_of(program, binary)]
    path = options.to / machine.slug(about) / "counters/times.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("[\n" + ",\n".join(" " + json.dumps(record) for record in records) + "\n]\n")
    print(f"{sys.argv[0]}: {len(records)} kernels, {path}")
    return 0
