# SPDX-License-Identifier: Apache-2.0
"""Estimated times of kernels against those of `measure times`.

usage: compare times RESULTS_DIR [--heddle BIN] [--device NAME]      RESULTS_DIR/counters/times.json is of `measure times`

Runs the same programs on the engine and writes a table of the kernels that take long enough into docs/design/timing.md.
Exits 1 when half of them are off by more than a factor of 1.5, 2 when it cannot run.
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess

from measuring.machine import ROOT, stop

os.environ.setdefault("HEDDLE_DEVICE_CODE", "clang")  # what is stored was made with it

PAGE = ROOT / "docs/design/timing.md"
BEGIN, END = "<!-- begin compare times -->\n", "<!-- end compare times -->\n"
EMPTY = 1.9  # what Nsight Compute says of an empty kernel, in microseconds
GAP = 2.0  # what the model adds to the cycles of a launch (launch.gapMicroseconds)
SHORTEST = 4.0  # shorter ones are mostly launch
POLLING = {"persistent-queue", "spin-barrier"}  # which the model says it does not know


def estimated(program, options):
    """Microseconds of the first launch of each kernel and grid, without what a launch takes."""
    command = [options.heddle, "run", "--json", "--device", options.device, f"-I{ROOT / 'cuda/include'}", ROOT / program]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | {"HEDDLE_PTXAS": "0"})
    if done.returncode != 0:
        stop(f"{program} ended with {done.returncode} on the engine:\n{done.stderr}")
    profile = json.loads(done.stdout)
    times = {}
    for launch in profile["launches"]:
        kernel = profile["kernels"][launch["kernel"]]["name"].split("<")[0]
        times.setdefault((kernel, tuple(launch["grid"])), 1e6 * launch["estimatedSeconds"] - GAP)
    return times


def compare(records, options):
    """(name, GPU, model), both with an empty launch, by their ratio."""
    rows, known = [], {}
    for record in records:
        program = record["program"]
        if record["microseconds"] < SHORTEST:
            continue
        if program not in known:
            known[program] = estimated(program, options)
        model = known[program].get((record["kernel"], tuple(record["grid"])))
        if model is None:
            stop(f"the engine does not run {record['kernel']} of {program} with the grid {record['grid']}")
        rows.append((f"{pathlib.Path(program).stem}: `{record['kernel']}`", record["microseconds"], max(0, model) + EMPTY))
    return sorted(rows, key=lambda row: row[2] / row[1])


def table(rows, left_out, about):
    factors = sorted(max(model / gpu, gpu / model) for _, gpu, model in rows)
    others = [math.log(model / gpu) for name, gpu, model in rows if name.split(":")[0] not in POLLING]
    lines = [f"{about['gpu']}, driver {about['driver']}, CUDA {about['toolkit']}, {about['date']}, commit {about['commit']}; {len(rows)} "
             f"kernels, without {left_out} shorter than {SHORTEST:.0f} us.", "",
             "| kernel | GPU, us | model, us | model / GPU |", "|---|---|---|---|"]
    lines += [f"| {name} | {gpu:.1f} | {model:.1f} | {model / gpu:.2f} |" for name, gpu, model in rows]
    lines += ["", f"The median is off by a factor of {statistics.median(factors):.2f}, {sum(each <= 1.5 for each in factors)} are within 1.5, "
              f"{sum(each <= 2 for each in factors)} within 2. Without the two kernels that poll, the geometric mean of model / GPU is "
              f"{math.exp(statistics.mean(others)):.2f}."]
    return "\n".join(lines), statistics.median(factors)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n\n")[0])
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--heddle", default=ROOT / "build/release/bin/heddle")
    parser.add_argument("--device", default="h200")
    options = parser.parse_args()
    path = options.results / "counters/times.json"
    if not path.is_file():
        stop(f"{path} is not there; 'scripts/measure times' writes it on a machine with a GPU")
    if not pathlib.Path(options.heddle).is_file():
        stop(f"{options.heddle} is not there; 'make build' makes it, --heddle names another")
    records = json.loads(path.read_text())
    rows = compare(records, options)
    text, middle = table(rows, len(records) - len(rows), records[0])
    before, rest = PAGE.read_text().split(BEGIN)
    PAGE.write_text(before + BEGIN + text + "\n" + END + rest.split(END)[1])
    print(text)
    return 0 if middle <= 1.5 else 1
