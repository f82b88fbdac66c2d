# SPDX-License-Identifier: Apache-2.0
"""Estimated times of kernels against those of `measure times`.

usage: compare times RESULTS_DIR [--heddle BIN] [--device NAME] [--device-code nvcc|clang]

RESULTS_DIR/counters/times.json is of `measure times`. Runs the same programs on the engine, stores what it estimates in
RESULTS_DIR/counters/estimates-clang.json or estimates-nvcc.json, for `compare intervals`, and with clang's code (the default) writes a
table of the kernels that take long enough into docs/design/timing.md.
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

PAGE = ROOT / "docs/design/timing.md"
BEGIN, END = "<!-- begin compare times -->\n", "<!-- end compare times -->\n"
EMPTY = 1.9  # what Nsight Compute says of an empty kernel, in microseconds
GAP = 2.0  # what the model adds to the cycles of a launch (launch.gapMicroseconds)
SHORTEST = 4.0  # shorter ones are mostly launch
POLLING = {"spin-barrier"}  # which the model says it does not know


def estimated(program, options):
    """Seconds of the first launch of each kernel and grid, and the kind of the kernel's time."""
    command = [options.heddle, "run", "--json", "--device", options.device, "--device-code", options.device_code,
               f"-I{ROOT / 'cuda/include'}", ROOT / program]
    asked = {"HEDDLE_PTXAS": "0"} if options.device_code == "clang" else {}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | asked)
    if done.returncode != 0:
        stop(f"{program} ended with {done.returncode} on the engine:\n{done.stderr}")
    profile = json.loads(done.stdout)
    times = {}
    for launch in profile["launches"]:
        kernel = profile["kernels"][launch["kernel"]]
        times.setdefault((kernel["name"].split("<")[0], tuple(launch["grid"])), (launch["estimatedSeconds"], kernel["timing"]["kind"]))
    return times


def estimates(records, options):
    """Of the kernels that take long enough: as measured, as estimated, and of which kind."""
    rows, known = [], {}
    for record in records:
        program = record["program"]
        if record["microseconds"] < SHORTEST:
            continue
        if program not in known:
            known[program] = estimated(program, options)
        seconds, kind = known[program].get((record["kernel"], tuple(record["grid"])), (None, None))
        if seconds is None:
            stop(f"the engine does not run {record['kernel']} of {program} with the grid {record['grid']}")
        rows.append({"program": program, "kernel": record["kernel"], "nanoseconds": round(1000 * record["microseconds"]),
                     "predicted": round(1e9 * seconds), "kind": kind})
    return rows


def compare(rows):
    """(name, GPU, model), both with an empty launch, by their ratio."""
    triples = [(f"{pathlib.Path(row['program']).stem}: `{row['kernel']}`", row["nanoseconds"] / 1000,
                max(0, row["predicted"] / 1000 - GAP) + EMPTY) for row in rows]
    return sorted(triples, key=lambda triple: triple[2] / triple[1])


def table(rows, left_out, about):
    factors = sorted(max(model / gpu, gpu / model) for _, gpu, model in rows)
    others = [math.log(model / gpu) for name, gpu, model in rows if name.split(":")[0] not in POLLING]
    lines = [f"{about['gpu']}, driver {about['driver']}, CUDA {about['toolkit']}, {about['date']}, commit {about['commit']}; {len(rows)} "
             f"kernels, without {left_out} shorter than {SHORTEST:.0f} us.", "",
             "| kernel | GPU, us | model, us | model / GPU |", "|---|---|---|---|"]
    lines += [f"| {name} | {gpu:.1f} | {model:.1f} | {model / gpu:.2f} |" for name, gpu, model in rows]
    lines += ["", f"The median is off by a factor of {statistics.median(factors):.2f}, {sum(each <= 1.5 for each in factors)} are within 1.5, "
              f"{sum(each <= 2 for each in factors)} within 2. Without the kernel that polls, the geometric mean of model / GPU is "
              f"{math.exp(statistics.mean(others)):.2f}."]
    return "\n".join(lines), statistics.median(factors)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n\n")[0])
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--heddle", default=ROOT / "build/release/bin/heddle")
    parser.add_argument("--device", default="h200")
    parser.add_argument("--device-code", choices=["nvcc", "clang"], default="clang")
    options = parser.parse_args()
    path = options.results / "counters/times.json"
    if not path.is_file():
        stop(f"{path} is not there; 'scripts/measure times' writes it on a machine with a GPU")
    if not pathlib.Path(options.heddle).is_file():
        stop(f"{options.heddle} is not there; 'make build' makes it, --heddle names another")
    records = json.loads(path.read_text())
    found = estimates(records, options)
    (options.results / f"counters/estimates-{options.device_code}.json").write_text(json.dumps(found, indent=1) + "\n")
    rows = compare(found)
    text, middle = table(rows, len(records) - len(rows), records[0])
    if options.device_code == "clang":
        before, rest = PAGE.read_text().split(BEGIN)
        PAGE.write_text(before + BEGIN + text + "\n" + END + rest.split(END)[1])
    print(text)
    return 0 if middle <= 1.5 else 1
