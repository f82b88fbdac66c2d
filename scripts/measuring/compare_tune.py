# SPDX-License-Identifier: Apache-2.0
"""What `heddle tune` picks, against every configuration by the model and on a GPU.

usage: compare tune FOLDER [--only NAME]... [--exhaustive] [--again] [--write] [--check]

FOLDER has what `measure tune` measured, as tune.json, and what Heddle picked and how long that took, as picks.json. Without --check the
search runs anew for the programs of bench/cuda/tune, and with --exhaustive once more with clang's device code, and so every configuration
by the model, where picks.json has no such times yet or --again asks for new ones; --write stores what was found, learns the intervals of
gains from the seen half (src/tune/TuneIntervals.def), and writes the tables of docs/tune.md. Prints how near picks are to the best of the
model and of the GPU, and the processor time of the search as a share of that of all. Against the GPU kernels are shown one by one only of
the half that rules may be made from; of the half that judges them (by a hash of the kernel's name) it shows how many. Exits 1 when a bar is
missed. --check runs nothing: it insists on less of the GPU's, and on the tables as they are stored; with --write it makes them anew.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import time

from measuring import lane_kernels, machine, tune_space
from measuring.machine import ROOT

HEDDLE = os.environ.get("HEDDLE", ROOT / "build/release/bin/heddle")
INTERVALS = ROOT / "src/tune/TuneIntervals.def"
DOCUMENT = ROOT / "docs/tune.md"
BEGIN, END = "<!-- begin compare tune -->\n", "<!-- end compare tune -->\n"
CLANG = ("--device-code", "clang")  # hundreds of builds: nvcc's take three times as long
BEYOND = 0.05  # of the true gains, at each end
MODEL_NEAR, MODEL_TIME, MODEL_KERNELS, GPU_NEAR = 1.02, 0.25, 12, 1.05
GPU_SHARE = {"asked": 0.80, "held": 0.50}  # of the kernels: what is aimed at, and what a check insists on


def tune(name, kernel, macros, exhaustive, flags=()):
    """One search: the pick, its modelled time, seconds, and times by configuration."""
    sets = [word for macro, values in macros.items() for word in ("--set", f"{macro}={','.join(values)}")]
    began, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([HEDDLE, "tune", tune_space.FOLDER / f"{name}.cu", "-I", ROOT / "cuda/include", "--device", "h200", "--kernel", kernel,
                           "--no-store", "--json", *sets, *flags, *(["--exhaustive"] if exhaustive else [])], capture_output=True, text=True, check=False)
    seconds, now = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        machine.stop(f"heddle tune {name}: {done.stderr}")
    found = json.loads(done.stdout)["kernels"][0]
    times = {key_of(found, each["configuration"], macros): each["seconds"] for each in found["attempts"] if each["verdict"] == "timed"}
    return {"commit": heddle_commit(), "pick": key_of(found, found["best"], macros), "seconds": round(seconds, 2),
            "processorSeconds": round(now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime, 2), "timed": len(times),
            "ruledOut": sum(each["verdict"] == "pruned" for each in found["attempts"]), "points": found["points"],
            "modelled": found["bestSeconds"] * 1e6, "own": found["ownSeconds"] * 1e6, "bound": found["bound"],
            "times": {key: round(value * 1e6, 4) for key, value in times.items()}}


def heddle_commit():
    """Of 'heddle 0.1.0 (commit 8a62dc8413, changed)': '8a62dc8+', where the plus says that it was changed."""
    text = subprocess.run([HEDDLE, "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(r"commit (\w+)", text)[1][:7] + ("+" if "changed" in text else "")


def key_of(found, configuration, macros):
    """As tune_space names it: with the block in any case."""
    words = {}
    if not macros:
        block = configuration["block"] or found["block"]
        words["block"] = str(block[0]) if found["block"][1] == 1 else f"{block[0]}x{block[1]}"
    if configuration["bounds"]:
        words["bounds"] = configuration["bounds"]
    words |= configuration["values"]
    for macro in macros:
        words[f"set:{macro}"] = configuration["macros"].get(macro, "256")
    return in_order(tune_space.key_of(words))


def in_order(key):
    """The same for the same settings."""
    return " ".join(sorted(re.split(r" (?=[\w:]+=)", key)))


def gpu_times(record):
    """Median nanoseconds by key; what cannot be launched is left out."""
    return {in_order(each["key"]): statistics.median(each["nanoseconds"]) for each in record["configurations"] if min(each["nanoseconds"]) > 0}


def row_of(name, kernel, picks, measured):
    """The pick of one kernel, held against both."""
    modelled = picks.get("modelled")
    search = picks["search"] if "search" in picks else modelled["search"]
    row = {"name": name, "seen": lane_kernels.is_seen(kernel), "pick": search["pick"], "seconds": search["seconds"], "commit": search["commit"],
           "timed": search["timed"], "points": search["points"]}
    if modelled:
        every, found = modelled["exhaustive"], modelled["search"]
        row["ofModel"] = every["times"][found["pick"]] / min(every["times"].values())
        row["ofTime"] = found["processorSeconds"] / every["processorSeconds"]
        row |= {"searched": found["timed"], "every": every["timed"], "modelCommit": found["commit"]}
    if measured and (times := gpu_times(measured)) and search["pick"] in times:
        best = min(times, key=times.get)
        own = next(key for key in search["times"] if key in times)
        row |= {"best": best, "ofGpu": times[search["pick"]] / times[best], "gain": times[own] / times[search["pick"]],
                "room": times[own] / times[best], "predicted": search["own"] / search["modelled"]}
    return row


def learn(picks, measured):
    """The intervals of gains, by what kernels of the seen half are bound by: [(kind, low, high, count)]."""
    parts = {"busy": [], "waiting": []}
    for name, kernel, macros in tune_space.listed():
        if name not in picks or name not in measured or not lane_kernels.is_seen(kernel):
            continue
        search, times = picks[name]["search"], gpu_times(measured[name])
        keys = [key for key in search["times"] if key in times]
        for key in keys[1:]:  # the first is the program as it is
            gain, predicted = times[keys[0]] / times[key], search["times"][keys[0]] / search["times"][key]
            parts["busy" if search["bound"] == "issue" else "waiting"].append(gain / predicted)
    found = []
    for kind, each in parts.items():
        each.sort()
        found.append((kind, each[int(BEYOND * len(each))], each[-1 - int(BEYOND * len(each))], len(each)))
    return found


def write_intervals(found):
    lines = [line for line in INTERVALS.read_text().splitlines() if not line.startswith("HEDDLE_TUNE_INTERVAL(")]
    lines += [f'HEDDLE_TUNE_INTERVAL("{kind}", {low:.2f}, {high:.2f}, {count})' for kind, low, high, count in found]
    INTERVALS.write_text("\n".join(lines) + "\n")


def model_table(rows):
    """The picks against every configuration by the model."""
    lines = ["| kernel | timed, of | of the model's best | of the processor time of all |", "|---|---|---|---|"]
    return lines + [f"| {row['name']} | {row['searched']}, {row['every']} | {row['ofModel']:.3f} | {100 * row['ofTime']:.0f} % |"
                    for row in sorted(rows, key=lambda row: row["name"]) if "ofModel" in row]


def gpu_table(rows):
    """The picks against the GPU: the unseen half is counted, not shown, so that nobody makes rules from it."""
    lines = ["| kernel | picked | best on the GPU | of the GPU's best | gain, of |", "|---|---|---|---|---|"]
    measured = sorted((row for row in rows if "ofGpu" in row), key=lambda row: row["name"])
    lines += [f"| {row['name']} | `{row['pick']}` | `{row['best']}` | {row['ofGpu']:.3f} | {row['gain']:.2f}x, {row['room']:.2f}x |"
              for row in measured if row["seen"]]
    if unseen := [row for row in measured if not row["seen"]]:
        worse = sum(row["gain"] < 1 / GPU_NEAR for row in unseen)
        median = {word: statistics.median(row[word] for row in unseen) for word in ("ofGpu", "gain", "room")}
        lines.append(f"| {len(unseen)} unseen ones, the median | {sum(near(row) for row in unseen)} within 5 % | {worse} slower than as they are, by "
                     f"more than 5 % | {median['ofGpu']:.3f} | {median['gain']:.2f}x, {median['room']:.2f}x |")
    return lines


def near(row):
    return row["ofGpu"] <= GPU_NEAR


def commits_of(rows, word):
    """The commits that searched, with how many kernels each: the model may have changed between them."""
    counts = collections.Counter(row[word] for row in rows if word in row)
    return ", ".join(f"{commit} ({count})" for commit, count in sorted(counts.items()))


def document_text(rows):
    """What stands between the marks of docs/tune.md."""
    searched = [row for row in rows if "ofModel" in row]
    fine = sum(row["ofModel"] <= MODEL_NEAR and row["ofTime"] <= MODEL_TIME for row in searched)
    halves = [[row for row in rows if "ofGpu" in row and row["seen"] == half] for half in (True, False)]
    counts = [f"{sum(near(row) for row in half)} of {len(half)}" for half in halves]
    return "\n".join([f"**Against every configuration by the model**: {fine} of {len(searched)} kernels are within 2 % of its best, in a quarter of the "
                      f"processor time or less. By commit: {commits_of(rows, 'modelCommit')}.\n", *model_table(rows),
                      f"\n**Against the GPU** the best of all is within 5 % of the pick for {counts[0]} seen and {counts[1]} unseen kernels. "
                      f"By commit: {commits_of([row for row in rows if 'ofGpu' in row], 'commit')}.\n",
                      *gpu_table(rows), ""])


def document_with(text):
    """docs/tune.md with another text between its marks."""
    before, _, rest = DOCUMENT.read_text().partition(BEGIN)
    return before + BEGIN + text + END + rest.partition(END)[2]


def complaints_of(rows, check):
    """The bars that are missed, in words."""
    found = []
    searched = [row for row in rows if "ofModel" in row]
    far = [row["name"] for row in searched if row["ofModel"] > MODEL_NEAR]
    slow = [row["name"] for row in searched if row["ofTime"] > MODEL_TIME]
    print(f"within 2 % of the model's best: {len(searched) - len(far)} of {len(searched)}; in a quarter of its time: {len(searched) - len(slow)}")
    if far or slow or (len(searched) < MODEL_KERNELS and not check):
        found.append(f"{len(searched) - len({*far, *slow})} kernels within 2 % of the model's best in a quarter of its time; far: {far}; slow: {slow}")
    for half in (True, False):
        measured = [row for row in rows if "ofGpu" in row and row["seen"] == half]
        count = sum(near(row) for row in measured)
        name = "seen" if half else "unseen"
        if measured:
            print(f"{name} half: the GPU's best within 5 % of the pick for {count} of {len(measured)}")
        if measured and count < GPU_SHARE["held" if check else "asked"] * len(measured):
            found.append(f"{name} half: {count} of {len(measured)} picks within 5 % of the GPU's best")
    return found


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--exhaustive", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    stored = options.folder / "picks.json"
    picks = json.loads(stored.read_text()) if stored.exists() else {}
    for each in [each for each in picks.values() if "search" in each]:
        each["search"]["pick"] = in_order(each["search"]["pick"])
        each["search"]["times"] = {in_order(key): time for key, time in each["search"]["times"].items()}
    measured_file = options.folder / "tune.json"
    measured = json.loads(measured_file.read_text())["programs"] if measured_file.exists() else {}
    rows = []
    for name, kernel, macros in tune_space.listed():
        if options.only and name not in options.only:
            continue
        if not options.check:
            picks.setdefault(name, {})["search"] = tune(name, kernel, macros, False)
            if options.exhaustive and (options.again or "modelled" not in picks[name]):
                picks[name]["modelled"] = {"search": tune(name, kernel, macros, False, CLANG), "exhaustive": tune(name, kernel, macros, True, CLANG)}
            if options.write:
                stored.write_text(json.dumps(picks) + "\n")
        if name in picks:
            rows.append(row_of(name, kernel, picks[name], measured.get(name)))
            print(f"{name}: {rows[-1]['timed']} of {rows[-1]['points']} timed in {rows[-1]['seconds']} s", file=sys.stderr, flush=True)
    print("\n".join([*model_table(rows), "", *gpu_table(rows)]))
    if options.write and measured and not options.check:
        write_intervals(learn(picks, measured))
    if options.write and not options.only:
        DOCUMENT.write_text(document_with(document_text(rows)))
    complaints = complaints_of(rows, options.check)
    if options.check and not options.only and DOCUMENT.read_text() != document_with(document_text(rows)):
        complaints.append(f"{DOCUMENT.name} is not what is stored: scripts/compare tune {options.folder} --check --write")
    for complaint in complaints:
        print(f"bar missed: {complaint}")
    return 1 if complaints else 0
