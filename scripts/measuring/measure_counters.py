# SPDX-License-Identifier: Apache-2.0
"""Counters of the kernels of bench/cuda/counters/kernels.txt, by Nsight Compute.

usage: measure counters [FOLDER]      writes FOLDER/counters.json (default results/GPU/counters); needs nvcc and ncu

All launches of a kernel are added up. HEDDLE_COMMIT names the commit where there is no repository. `compare counters` reads
the result.
"""

import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from measuring import machine
from measuring.kernels import listed
from measuring.machine import ROOT, output_of, stop, tool

INSTRUCTIONS, THREADS = "smsp__inst_executed.sum", "smsp__thread_inst_executed.sum"
PRED_ON = "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio"
SPLITS = "smsp__sass_branch_targets_threads_divergent.sum"


def build(program, folder):
    binary = folder / program.replace("/", "_")
    output_of(tool("nvcc"), "-O3", "-arch=native", "-lineinfo", "-std=c++17", "-o", binary, program, cwd=ROOT)
    return binary


def launches_of(binary, arguments, kernels):
    """The counters of each launch, by kernel: {kernel: {id: row}}. Nsight Compute lets one profile at a time."""
    done = subprocess.run([tool("ncu"), "--clock-control", "none", "--csv", "--metrics", ",".join([INSTRUCTIONS, THREADS, PRED_ON, SPLITS]),
                           "-k", f"regex:^({'|'.join(kernels)})$", binary, *arguments.split()], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        stop(f"ncu ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    launches = {}
    for row in csv.DictReader(line for line in done.stdout.splitlines() if re.match(r'"(ID"|\d+",)', line)):
        kernel = re.sub(r"[<(].*", "", row["Kernel Name"]).split(" ")[-1]
        launch = launches.setdefault(kernel, {}).setdefault(row["ID"], {
            side: [int(number) for number in row[f"{side.title()} Size"].strip("()").split(",")] for side in ("grid", "block")})
        try:
            launch[row["Metric Name"]] = float(row["Metric Value"].replace(",", ""))
        except ValueError:
            stop(f"{row['Metric Name']} of {kernel} is {row['Metric Value']}")
    return launches


def record(name, kernel, launches, about):
    """All launches of a kernel together."""
    total = {counter: sum(launch[counter] for launch in launches) for counter in (INSTRUCTIONS, THREADS, SPLITS)}
    pred_on = sum(launch[INSTRUCTIONS] * launch[PRED_ON] for launch in launches)
    return {"name": name, "program": kernel["program"], "kernel": kernel["kernel"], "arguments": kernel["arguments"],
            "launches": len(launches), "grid": launches[-1]["grid"], "block": launches[-1]["block"],
            "activeThreads": round(total[THREADS] / total[INSTRUCTIONS], 4),
            "activeThreadsPredOn": round(pred_on / total[INSTRUCTIONS], 4), "divergentBranches": int(total[SPLITS]),
            "warpInstructions": int(total[INSTRUCTIONS]), "threadInstructions": int(total[THREADS]), **about}


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n\n")[0])
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    options = parser.parse_args()
    about, kernels = machine.describe(), listed()
    runs = {}
    for kernel in kernels.values():
        runs.setdefault((kernel["program"], kernel["arguments"]), []).append(kernel["kernel"])
    with tempfile.TemporaryDirectory() as scratch:
        names = sorted({program for program, _ in runs})
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            binaries = dict(zip(names, pool.map(lambda name: build(name, pathlib.Path(scratch)), names)))
        launches = {key: launches_of(binaries[key[0]], key[1], wanted) for key, wanted in runs.items()}
    records = []
    for name, kernel in kernels.items():
        found = launches[kernel["program"], kernel["arguments"]].get(kernel["kernel"])
        if not found:
            stop(f"nothing of {name}: {kernel['program']} does not launch {kernel['kernel']}")
        records.append(record(name, kernel, list(found.values()), about))
    path = (options.folder or ROOT / "results" / machine.slug(about) / "counters") / "counters.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("[\n" + ",\n".join("  " + json.dumps(each) for each in records) + "\n]\n")
    print(f"{sys.argv[0]}: wrote {path}")
    return 0
