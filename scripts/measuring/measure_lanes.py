# SPDX-License-Identifier: Apache-2.0
"""Counters of the kernels that the account of lanes is held against, by Nsight Compute.

usage: measure lanes [--random FOLDER] [--sass FOLDER] OUTPUT.json      needs nvcc and ncu

Two sets: the programs of bench/cuda/lanes, and random kernels of test/fuzz in the files of FOLDER (default: made here, as
scripts/measuring/lane_kernels.py says). Each program is built by nvcc -O3 and runs twice: once as it is, its output is kept, and once
under Nsight Compute, one pass, all kernels. --sass leaves the machine code of each program. HEDDLE_COMMIT names the commit
where there is no repository. `compare lanes` reads the result.
"""

import argparse
import concurrent.futures
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from measuring import lane_kernels, machine
from measuring.machine import output_of, stop, tool

COUNTERS = {
    "smsp__inst_executed.sum": "warpInstructions",
    "smsp__thread_inst_executed.sum": "threadInstructions",
    "smsp__thread_inst_executed_pred_on.sum": "threadInstructionsPredOn",
    "smsp__sass_branch_targets_threads_divergent.sum": "divergentBranches",
    "gpu__time_duration.sum": "nanoseconds",
}


def build(source, folder):
    program = folder / source.stem
    output_of(tool("nvcc"), "-O3", "-arch=native", "-lineinfo", "-std=c++17", "-w", "-o", program, source)
    return program


def counters_of(program):
    """The counters of each kernel, by name; a kernel that is launched twice is an error."""
    done = subprocess.run([tool("ncu"), "--clock-control", "none", "--cache-control", "none", "--csv", "--print-units", "base", "--print-kernel-base",
                           "function", "--metrics",
                           ",".join(COUNTERS), program], capture_output=True, text=True, check=False, timeout=300)
    lines = done.stdout.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        stop(f"no counters of {program}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    kernels, launches = {}, {}
    for row in csv.DictReader(io.StringIO("\n".join(lines[start:]))):
        name = row["Kernel Name"]
        if launches.setdefault(name, row["ID"]) != row["ID"]:
            stop(f"{program.name} launches {name} more than once")
        kernels.setdefault(name, {})[COUNTERS[row["Metric Name"]]] = float(row["Metric Value"].replace(",", ""))
    return kernels


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n\n")[0])
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--random", type=pathlib.Path)
    parser.add_argument("--sass", type=pathlib.Path)
    options = parser.parse_args()
    about = machine.describe()
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        sources = lane_kernels.programs(options.random or lane_kernels.make_random(work / "random"))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            programs = list(pool.map(lambda source: build(source, work), sources))
        records, outputs = [], {}
        for program in programs:
            done = subprocess.run([program], capture_output=True, text=True, check=False, timeout=120)
            outputs[program.name] = done.stdout.splitlines()[-200:]
            for kernel, counters in counters_of(program).items():
                records.append({"name": f"{program.name}/{kernel}", "program": program.name, "kernel": kernel, **counters})
            if options.sass:
                options.sass.mkdir(parents=True, exist_ok=True)
                with open(options.sass / f"{program.name}.sass", "w", encoding="utf-8") as file:
                    subprocess.run([tool("cuobjdump"), "-sass", program], stdout=file, check=True)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps({"machine": about, "kernels": records, "outputs": outputs}, indent=1) + "\n",
                              encoding="utf-8")
    print(f"{sys.argv[0]}: {len(records)} kernels of {len(programs)} programs, wrote {options.output}")

    return 0
