# SPDX-License-Identifier: Apache-2.0
"""How far estimated times are off, as intervals by kind of kernel, and how many true times lie in them.

usage: compare intervals FOLDER [--write] [--check]

FOLDER is results/GPU, with the records of `measure lanes` and the estimates that `compare lanes --write` stored, once with nvcc's code
and once with clang's; the estimates of `compare corpus`; and what `compare times` and `compare models` stored of kernels of rare kinds. Prints, of the half of the kernels that intervals are learned from and of the half that judges them (by a
hash of the kernel's name): how many true times lie inside, and how wide the intervals are, by kind of kernel. --write learns the intervals
from the seen half: src/timing/TimeIntervals.def. --check holds the unseen half to a little less, so that a change that makes it worse is
seen, and the stored intervals to those that would be learned. Exits 1 when a bar is missed on the unseen half.

A true time is that of Nsight Compute, with the launch of an empty kernel replaced by what it takes in a stream, as an estimate has it.
"""

import argparse
import json
import math
import pathlib
import re
import statistics

from measuring import lane_kernels, machine
from measuring.compare_times import EMPTY
from measuring.machine import ROOT

CODES = {"nvcc": "machine", "clang": "model"}  # whose device code; what the steps of the estimate are
INTERVALS = ROOT / "src/timing/TimeIntervals.def"
LAUNCH = json.loads((ROOT / "devices/h200.json").read_text())["launch"]
BEYOND = 0.05  # of the true times, at each end
BUSY = ("issue", "memory")  # of these kinds there are hardly any but kernels that were in view when the model was made
POOR = ("one-block", "atomics", "calls", "recursion", "polling")  # as profile/LaunchTiming.h
FEWEST = 19  # of a kind, to learn from: of fewer, the whole range holds less than nine of ten
LONG = 4000  # nanoseconds; of shorter kernels the launch is most
EMPTY_LAUNCHES = (3.4 / 3.6, 4.1 / 3.6)  # how launches of nothing differ: sources of devices/h200.json
BARS = {"machine": {"median": 1.20, "within": {1.35: 0.80, 2: 0.95}}, "model": {"median": 1.30, "within": {1.5: 0.75}}}
HELD = {"machine": {"median": 1.20, "within": {1.35: 0.80, 2: 0.92}}, "model": BARS["model"]}  # less than the bars that are asked
INSIDE = {"asked": 0.90, "held": 0.85}  # what is aimed at, and what a check insists on


def in_stream(nanoseconds):
    """As long as a kernel keeps a stream that is never empty."""
    return max(1000 * LAUNCH["overheadMicroseconds"], nanoseconds + 1000 * (LAUNCH["gapMicroseconds"] - EMPTY))


def in_view(folder, code):
    """Kernels of rare kinds of programs that the model was made with: to learn from, not to judge by."""
    paths = [folder / f"counters/estimates-{code}.json", folder / f"counters/busy-{code}.json"]
    found = [row for path in paths if path.exists() for row in json.loads(path.read_text())]
    return [row | {"name": f"{pathlib.Path(row['program']).stem}/{row['kernel']}", "seen": True, "inView": True, "code": CODES[code],
                   "part": in_stream(row["nanoseconds"]) / row["predicted"]}
            for row in found if row["kind"] in BUSY + POOR]


def rows_of(folder, code):
    """The kernels with the true time as a part of the estimated one."""
    measured = {row["name"]: row["nanoseconds"] for row in json.loads((folder / "lanes/lanes.json").read_text())["kernels"]}
    rows = in_view(folder, code)
    for row in json.loads((folder / f"lanes/account-{code}.json").read_text()):
        rows.append({"name": row["name"], "seen": lane_kernels.is_seen(row["name"].split("/")[1]), "kind": row["kind"],
                     "nanoseconds": measured[row["name"]], "predicted": row["predicted"], "code": CODES[code],
                     "part": in_stream(measured[row["name"]]) / row["predicted"]})
    return rows + of_corpus(folder, code)


def of_corpus(folder, code):
    """The kernels of the whole programs, as `compare corpus` stored them; the program's name says to which half they belong."""
    paths = [folder / name / f"estimates-{code}.json" for name in ("corpus", "applications")]
    return [row | {"name": f"{row['program']}/{row['kernel']}", "seen": lane_kernels.is_seen(row["program"]), "code": CODES[code],
                   "part": in_stream(row["nanoseconds"]) / row["predicted"]}
            for path in paths if path.exists() for row in json.loads(path.read_text())]


def conformal(parts):
    """Between which two a next one lies with nine chances of ten, whatever their distribution: of n values n + 1 places are left."""
    ordered = sorted(parts)
    beyond = math.floor(BEYOND * (len(ordered) + 1))
    return ordered[max(beyond - 1, 0)], ordered[min(len(ordered) - beyond, len(ordered) - 1)]


def belongs(row, kind):
    """Whether an interval is learned from it."""
    return row["kind"] == kind if kind else row["kind"] not in ("launch", "busy") and not row.get("inView")


def learned(rows):
    """(low, high, kernels) by kind, rounded outwards; "" is every kind but launches and busy ones, of which more is known. A kind of
    few has that; and where samples are poor, what it was itself, too."""
    seen = [row | {"kind": "busy" if row["kind"] in BUSY else row["kind"]} for row in rows if row["seen"]]
    table = {}
    for kind in ["", *sorted({row["kind"] for row in seen})]:
        parts = [row["part"] for row in seen if belongs(row, kind)]
        low, high = conformal(parts)
        if kind == "launch":
            low, high = min(low, EMPTY_LAUNCHES[0]), max(high, EMPTY_LAUNCHES[1])
        if kind in POOR and len(parts) < FEWEST:
            low, high = min(low, table[""][0]), max(high, table[""][1])
        elif kind and len(parts) < FEWEST:
            continue
        low, high = min(low, 1), max(high, 1)  # the estimate itself lies inside, too
        digits = 1000 if low < 0.1 else 100
        low, high = math.floor(digits * low + 1e-6) / digits, math.ceil(100 * high - 1e-6) / 100
        if kind == "" or (low, high) != table[""][:2]:
            table[kind] = (low, high, len(parts))
    return table


def stored(code):
    found = re.findall(r'^HEDDLE_TIME_INTERVAL\("(\w+)", "([^"]*)", ([\d.]+), ([\d.]+)', INTERVALS.read_text(), re.M)
    return {kind: (float(low), float(high)) for which, kind, low, high in found if which == code}


def write_intervals(folder):
    lines = ["// SPDX-License-Identifier: Apache-2.0", "//",
             "// HEDDLE_TIME_INTERVAL(code, kind, low, high, kernels): nine of ten true times lie between these parts",
             "// of what was estimated, from ptxas' machine code or from the model's own. Learned on an H200 from the",
             f"// seen half, by scripts/compare intervals results/nvidia-h200 --write at {machine.commit().removesuffix('-dirty')}. \"\" is all",
             "// kinds but launch and busy, and any other of fewer than 19, which where samples are poor has its own range, too.",
             "// \"busy\" is issue and memory together, of kernels that were in view."]
    for code, name in CODES.items():
        lines += [f'HEDDLE_TIME_INTERVAL("{name}", "{kind}", {low:g}, {high:g}, {count})'
                  for kind, (low, high, count) in learned(rows_of(folder, code)).items()]
    INTERVALS.write_text("\n".join(lines) + "\n")


def interval_of(row, intervals):
    return intervals.get("busy" if row["kind"] in BUSY else row["kind"], intervals[""])


def inside(rows, intervals):
    """The share of the true times that are, and the median of how many times the low end the high end is."""
    ends = [interval_of(row, intervals) for row in rows]
    held = sum(low <= row["part"] <= high for row, (low, high) in zip(rows, ends))
    return held / max(1, len(rows)), statistics.median(high / low for low, high in ends) if ends else 0


def cell(rows, intervals):
    share, width = inside(rows, intervals)
    return f"{len(rows)} | {share:.0%} | {width:.2f}" if rows else "0 | - | -"


def summary(rows, intervals):
    """A line for each kind that has an interval of its own, one for the others, and one for all."""
    lines = ["| kind | seen | inside | high / low | unseen | inside | high / low |", "|---|---|---|---|---|---|---|"]
    kinds = [kind for kind in intervals if kind]
    groups = [(kind, lambda row, kind=kind: row["kind"] in (BUSY if kind == "busy" else (kind,))) for kind in kinds]
    groups += [("any other", lambda row: row["kind"] not in (*kinds, *BUSY)), ("**all**", lambda row: True),
               (f"over {LONG / 1000:g} us", lambda row: row["nanoseconds"] > LONG)]
    for name, belongs in groups:
        halves = [[row for row in rows if belongs(row) and row["seen"] == seen] for seen in (True, False)]
        lines.append(f"| {name} | {cell(halves[0], intervals)} | {cell(halves[1], intervals)} |")
    return "\n".join(lines)


def missed(rows, intervals, bar):
    """What the unseen half misses, in words."""
    unseen = [row for row in rows if not row["seen"]]
    share, _ = inside(unseen, intervals)
    return [f"{share:.1%} of the true times are inside the intervals, bar {bar:.0%}"] if share < bar else []


def missed_times(rows, bars):
    """The same of the times alone, as factors."""
    factors = sorted(max(row["predicted"] / row["nanoseconds"], row["nanoseconds"] / row["predicted"]) for row in rows
                     if not row["seen"] and row["nanoseconds"] > LONG)
    found = []
    if (median := statistics.median(factors)) > bars["median"]:
        found.append(f"median factor {median:.2f}, bar {bars['median']}")
    for limit, least in bars["within"].items():
        if (share := sum(factor <= limit for factor in factors) / len(factors)) < least:
            found.append(f"{share:.1%} within {limit}, bar {least:.0%}")
    return found


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.write:
        write_intervals(options.folder)
    complaints = []
    for code, name in CODES.items():
        rows, intervals = rows_of(options.folder, code), stored(name)
        print(f"{code}'s code\n{summary(rows, intervals)}\n")
        found = missed(rows, intervals, INSIDE["held" if options.check else "asked"]) + missed_times(rows, (HELD if options.check else BARS)[name])
        complaints += [f"{code}'s code, unseen half: {each}" for each in found]
        if options.check and {kind: line[:2] for kind, line in learned(rows).items()} != intervals:
            complaints.append(f"{code}'s code: {INTERVALS.name} is not what the seen half teaches; --write learns it anew")
    for each in complaints:
        print(f"compare intervals: {each}")
    return 1 if complaints else 0
