# SPDX-License-Identifier: Apache-2.0
"""Times and counters of the whole programs of bench/cuda/corpus, launch by launch, by Nsight Compute.

usage: measure corpus [FOLDER] OUTPUT.json [--seconds N] [--only NAME]...      needs nvcc and ncu

FOLDER has the programs (default bench/cuda/corpus, with its list programs.txt; also bench/cuda/applications). They are built by nvcc -O3, all cores at a time.
Then each runs in both sizes under Nsight Compute: first all of them in one pass, time and instructions; then, as far as the
N seconds (default 300) last, the large sizes and then the small ones with more counters in several passes, several at a time: sectors,
occupancy, what warps wait for. What OUTPUT.json has already is not measured again, so that it can be done in parts. Several programs share one Nsight Compute, which takes long to start; a program that runs longer than
20 s is ended. HEDDLE_COMMIT names the commit where there is no repository. Exits 1 where a program did not pass.
"""

import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

from measuring import corpus, machine
from measuring.machine import tool

TIMES = {
    "gpu__time_duration.sum": "nanoseconds",
    "smsp__inst_executed.sum": "warpInstructions",
    "smsp__thread_inst_executed.sum": "threadInstructions",
    "smsp__thread_inst_executed_pred_on.sum": "threadInstructionsPredOn",
    "sm__cycles_elapsed.max": "cycles",
    "sm__cycles_active.avg": "cyclesActive",
}
SHARES = {
    "l1tex__t_sectors.sum": "l1Sectors",
    "lts__t_sectors.sum": "l2Sectors",
    "dram__sectors_read.sum": "memorySectorsRead",
    "dram__sectors_write.sum": "memorySectorsWritten",
    "sm__warps_active.avg.pct_of_peak_sustained_active": "occupancyPercent",
}
STALLS = ["barrier", "branch_resolving", "dispatch_stall", "drain", "imc_miss", "lg_throttle", "long_scoreboard", "math_pipe_throttle",
          "membar", "mio_throttle", "misc", "no_instruction", "not_selected", "selected", "short_scoreboard", "sleeping",
          "tex_throttle", "wait"]
SHARES |= {f"smsp__average_warps_issue_stalled_{name}_per_issue_active.ratio": f"stall_{name}" for name in STALLS}
EACH, TOGETHER, AT_ONCE = 20, 16, 6  # seconds of a program at most; programs under one Nsight Compute; of these, where no times are taken


def build(name, sources, folder):
    """The program, or None and what nvcc says."""
    done = subprocess.run([tool("nvcc"), "-O3", "-arch=native", "-lineinfo", "-std=c++17", "-w", "-o", folder / name, sources / f"{name}.cu"],
                          capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else done.stderr[-1000:]


def script(runs, folder):
    """Runs programs one after the other, and says the process of each before it prints."""
    lines = []
    for name, size, argument in runs:
        inner = f"echo '#run {name} {size}' $$; exec {shlex.quote(str(folder / name))} {shlex.quote(argument)}"
        lines.append(f"timeout {EACH} sh -c {shlex.quote(inner)} || echo '#ended' $?")
    return "\n".join(lines)


def printed(text):
    """What each process printed: {process: [name, size, lines]}."""
    runs, current = {}, None
    for line in text.splitlines():
        if line.startswith("#run "):
            _, name, size, process = line.split()
            current = runs.setdefault(process, [name, size, []])
        elif current and not line.startswith("=="):
            current[2].append(line)
    return runs


def launches_of(log):
    """Counters of each launch, in order: {process: [launch]}. Each process may write a head of its own."""
    found, head = {}, None
    for row in csv.reader(line for line in log.splitlines() if line.startswith('"')):
        if row[0] == "ID":
            head = row
            continue
        cell = dict(zip(head, row))
        launch = found.setdefault(cell["Process ID"], {}).setdefault(int(cell["ID"]), {
            "kernel": cell["Kernel Name"], "grid": numbers(cell["Grid Size"]), "block": numbers(cell["Block Size"])})
        name, value = cell["Metric Name"], cell["Metric Value"].replace(",", "")
        key = TIMES.get(name) or SHARES.get(name)
        if key and re.fullmatch(r"[-+.\deE]+", value):
            launch[key] = float(value)
    return {process: [launches[number] for number in sorted(launches)] for process, launches in found.items()}


def numbers(text):
    return [int(each) for each in re.findall(r"\d+", text)]


def profile(runs, counters, log, folder):
    """{(name, size): (launches, lines)} of some runs under one Nsight Compute, which writes to log."""
    log.unlink(missing_ok=True)
    done = subprocess.run([tool("ncu"), "--target-processes", "all", "--clock-control", "none", "--cache-control", "none", "--csv", "--print-units",
                           "base", "--print-kernel-base", "function", "--log-file", log, "--metrics", ",".join(counters),
                           "sh", "-c", script(runs, folder)], capture_output=True, text=True, check=False)
    text = log.read_text(errors="replace") if log.is_file() else ""
    launches = launches_of(text)
    if not launches:
        print(f"{sys.argv[0]}: Nsight Compute counted nothing:\n{text[-2000:]}{done.stdout[-1000:]}{done.stderr[-1000:]}", file=sys.stderr)
    return {(name, size): (launches.get(process, []), lines) for process, (name, size, lines) in printed(done.stdout).items()}


def groups(runs, size):
    return [runs[at:at + size] for at in range(0, len(runs), size)]


def measure(programs, folder, seconds, known, write):
    """A record for each program and size, those of `known` as they are; what there is so far is written after every group of runs."""
    began, records = time.monotonic(), known
    runs = [(name, size, sizes[size]) for size in ("large", "small") for name, sizes in programs]
    in_order = lambda: [records.get((name, size), {"program": name, "size": size, "passed": False, "launches": []}) for name, size, _ in runs]
    for group in groups([run for run in runs if not records.get(run[:2], {"launches": []})["launches"]], TOGETHER):
        if time.monotonic() - began > seconds / 2:
            break
        for (name, size), (launches, lines) in profile(group, TIMES, folder / "times.csv", folder).items():
            records[name, size] = {"program": name, "size": size, "passed": corpus.has_passed(lines), "launches": launches}
        write(in_order())
    without = [run for run in runs if any("occupancyPercent" not in launch for launch in records.get(run[:2], {"launches": []})["launches"])]

    def count(number, group):
        if time.monotonic() - began > seconds:
            return
        for key, (launches, _) in profile(group, SHARES, folder / f"shares{number}.csv", folder).items():
            for launch, more in zip(records[key]["launches"], launches):
                if launch["kernel"] == more["kernel"]:
                    launch.update(more)
        write(in_order())

    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(count, *zip(*enumerate(groups(without, 4)))) if without else [])
    return in_order()


def write_records(output, about, records):
    lines = [json.dumps(record) for record in records]
    output.write_text(f'{{"machine": {json.dumps(about)},\n"programs": [\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n\n")[0])
    parser.add_argument("folder", type=pathlib.Path, nargs="?", default=corpus.FOLDER)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--only", action="append", default=[])
    options = parser.parse_args()
    about, began = machine.describe(), time.monotonic()
    known = {}
    if options.output.exists():
        stored = json.loads(options.output.read_text())
        about, known = stored["machine"], {(each["program"], each["size"]): each for each in stored["programs"] if each["launches"]}
    programs = [(name, sizes) for name, sizes in corpus.listed(options.folder) if not options.only or name in options.only]
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            faults = dict(zip([each for each, _ in programs], pool.map(lambda each: build(each[0], options.folder, work), programs)))
        built = time.monotonic() - began
        options.output.parent.mkdir(parents=True, exist_ok=True)
        records = measure([each for each in programs if not faults[each[0]]], work, options.seconds - built, known,
                          lambda records: write_records(options.output, about, records))
    failed = [f"{name} does not build: {why}" for name, why in faults.items() if why]
    failed += [f"{record['program']} {record['size']} did not pass" for record in records if not record["passed"]]
    for line in failed:
        print(f"{sys.argv[0]}: {line}", file=sys.stderr)
    counted = sum("occupancyPercent" in launch for record in records for launch in record["launches"])
    print(f"{sys.argv[0]}: {len(programs)} programs, {sum(len(record['launches']) for record in records)} launches, {counted} with all counters, "
          f"built in {built:.0f} s, all in {time.monotonic() - began:.0f} s, wrote {options.output}")
    return 1 if failed else 0
