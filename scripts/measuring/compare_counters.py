# SPDX-License-Identifier: Apache-2.0
"""The engine's account of kernels against the counters of `measure counters`.

usage: compare counters FOLDER            results/GPU/counters, with the counters.json of `measure counters`
       compare counters FOLDER --check    runs a few quick kernels only, and writes nothing

Runs the same programs on the engine (HEDDLE, or build/release/bin/heddle), writes both to FOLDER/account.json and a table
into docs/design/engine.md, which says what each number means. Exits 1 when the average of active threads differs by more
than 5 % and bench/cuda/counters/kernels.txt gives no reason, or gives one for another difference or for none; with --check
also when account.json or the table is not what would be written.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from measuring import bars
from measuring.kernels import listed
from measuring.machine import ROOT

os.environ.setdefault("HEDDLE_DEVICE_CODE", "clang")  # what is stored was made with it

PAGE = ROOT / "docs/design/engine.md"
BEGIN, END = "<!-- begin compare counters -->\n", "<!-- end compare counters -->\n"
QUICK = {"if-else", "loops", "break-continue", "partial-warps", "reduction-divergent", "collatz", "gcd", "photon"}


def run_on_engine(program, arguments):
    """The profile of a program, its kernels by name; instances of a template are added up."""
    heddle = os.environ.get("HEDDLE", ROOT / "build/release/bin/heddle")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "profile.json"
        subprocess.run([heddle, "run", program, "--device", "h200", "--threads", "1", "--quiet", "--profile", path, "--",
                        *arguments.split()], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        profile = json.loads(path.read_text())
    kernels = {}
    for kernel in profile["kernels"]:
        total = kernels.setdefault(kernel["name"].split("<")[0], dict.fromkeys(
            ["launches", "warpInstructions", "threadInstructions", "divergentBranches"], 0))
        for key in ["launches", "warpInstructions", "threadInstructions"]:
            total[key] += kernel[key]
        total["divergentBranches"] += sum(branch["divergentExecutions"] for branch in kernel["branches"])
    for total in kernels.values():
        total["activeThreads"] = round(total["threadInstructions"] / total["warpInstructions"], 4)
    return kernels


def fault_of(row):
    """What is wrong with a row, or nothing."""
    differs = abs(row["difference"]) > bars.ACCOUNT
    if row["engine"]["launches"] != row["gpu"]["launches"]:
        return "the launches differ"
    if differs and not row["reason"]:
        return "differs without a reason"
    if not differs and row["reason"]:
        return "has a reason but does not differ"
    if differs and abs((1 + row["difference"]) / (1 + row["known"]) - 1) > bars.KNOWN:
        return f"differs by {row['difference']:+.1%}, its reason is for {row['known']:+.0%}"
    return None


def compare(name, kernel, gpu, profiles):
    """A row of account.json. Programs with several kernels run once: `profiles` keeps them."""
    key = kernel["program"], kernel["arguments"]
    if key not in profiles:
        profiles[key] = run_on_engine(*key)
    engine = profiles[key][kernel["kernel"]]
    return {"name": name, **kernel, "engine": engine, "gpu": gpu,
            "difference": round(engine["activeThreads"] / gpu["activeThreads"] - 1, 4)}


def table(rows):
    """What the documentation shows of account.json."""
    gpu = rows[0]["gpu"]
    within = sum(abs(row["difference"]) <= bars.ACCOUNT for row in rows)
    lines = [f"{gpu['gpu']}, driver {gpu['driver']}, CUDA {gpu['toolkit']}, {gpu['date']}, commit {gpu['commit']}. {within} of "
             f"{len(rows)} kernels are within 5 %.", "",
             "| kernel | engine | GPU | difference | GPU, predicate on | splits, engine | GPU | why |", "|---|---|---|---|---|---|---|---|"]
    for row in rows:
        engine, gpu = row["engine"], row["gpu"]
        lines.append(f"| {row['name']} | {engine['activeThreads']:.2f} | {gpu['activeThreads']:.2f} | "
                     f"{100 * row['difference']:+.1f} % | {gpu['activeThreadsPredOn']:.2f} | {engine['divergentBranches']} | "
                     f"{gpu['divergentBranches']} | {row['reason']} |")
    return "\n".join(lines)


def page_with(rows):
    """The text of the page, with the table of these rows."""
    before, rest = PAGE.read_text().split(BEGIN)
    return before + BEGIN + table(rows) + "\n" + END + rest.split(END)[1]


def check(account, kernels, counters):
    """What of account.json and the page is not what a run would write now."""
    rows, profiles = json.loads(account.read_text()), {}
    faults = [] if PAGE.read_text() == page_with(rows) else [f"{PAGE.relative_to(ROOT)}: the table is not that of account.json"]
    for row in rows:
        name = row["name"]
        if {key: row[key] for key in ["program", "kernel", "arguments", "reason", "known"]} != kernels[name] or row["gpu"] != counters[name]:
            faults.append(f"{name}: account.json is not what list and counters say")
        elif name in QUICK and row != compare(name, kernels[name], counters[name], profiles):
            faults.append(f"{name}: the engine's account is not that of account.json")
    return rows, faults


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    folder = options.folder
    account = folder / "account.json"
    counters = {entry["name"]: entry for entry in json.loads((folder / "counters.json").read_text())}
    kernels = listed()
    if counters.keys() != kernels.keys():
        sys.exit(f"{sys.argv[0]}: not in both list and counters: {sorted(counters.keys() ^ kernels.keys())}")
    if options.check:
        rows, faults = check(account, kernels, counters)
    else:
        profiles = {}
        rows, faults = [compare(name, kernels[name], counters[name], profiles) for name in kernels], []
        account.write_text(json.dumps(rows, indent=1) + "\n")
        PAGE.write_text(page_with(rows))
        print(table(rows))
    faults += [f"{row['name']}: {fault_of(row)}" for row in rows if fault_of(row)]
    for fault in faults:
        print(f"{sys.argv[0]}: {fault}", file=sys.stderr)
    return 1 if faults else 0
