# SPDX-License-Identifier: Apache-2.0
"""What Heddle says of rewrites against what they gain on a GPU.

usage: compare rewrites FOLDER [--details] [--write] [--device-code nvcc|clang]

FOLDER is results/GPU/rewrites, with the predicted.json and measured.json of `measure rewrites`. Prints, of the half of the kernels
that rules are made from and of the half that judges them (by a hash of the kernel's name): how far predicted speedups are
off, how many true gains lie in the interval that goes with a prediction, and what becomes of the rewrites that would be
applied, of those that are too close to tell and of those that would not. --details lists the seen half. --write learns the
intervals from the seen half: src/advise/GainIntervals.def; and writes the tables into docs/fix.md. With --device-code clang it is
predicted-clang.json that is held against the GPU.
"""

import argparse
import json
import math
import pathlib
import re
import statistics

from measuring import lane_kernels
from measuring.machine import ROOT

LONG = 4000  # nanoseconds
PREDICTED = {"nvcc": "predicted.json", "clang": "predicted-clang.json"}
LEAST_GAIN = 1.02  # as advise/Prediction.h
BUSY = ("issue",)
FEWEST = 20  # rewrites of one name, to learn from
LESSONS = ROOT / "results/nvidia-h200/examples.json"
INTERVALS, PAGE = ROOT / "src/advise/GainIntervals.def", ROOT / "docs/fix.md"
BEGIN, END = "<!-- begin compare rewrites -->\n", "<!-- end compare rewrites -->\n"


def rows_of(folder, code="nvcc"):
    """A row for each rewrite that gives the same results, of kernels that are longer than a launch."""
    measured = json.loads((folder / "measured.json").read_text())["nanoseconds"]
    rows = []
    for record in json.loads((folder / PREDICTED[code]).read_text())["rewrites"]:
        program, name = measured.get(record["program"]), record["kernel"]
        changed = measured.get(record["round"])
        if not program or not changed or name not in program[0] or not record["sameResults"]:
            continue
        before = statistics.median(times[name] for times in program)
        extra = 0
        if record["rewrite"] == "split-branch":
            extra = sum(time for kernel, time in changed[0].items() if kernel not in program[0])
        after = changed[0].get(name, 0) + extra
        if before <= LONG or after <= 0 or record["after"] <= 0:
            continue
        rows.append({**record, "seen": lane_kernels.is_seen(name), "predicted": record["before"] / record["after"],
                     "gained": before / after, "nanoseconds": before})
    return rows


def quantile(values, share):
    """With as much beyond as the share says; of few values one from the end, and wider by that."""
    ordered = sorted(values)
    at = share * (len(ordered) + 1) - 1
    return ordered[min(max(int(math.floor(at) if share < 0.5 else math.ceil(at)), 0), len(ordered) - 1)]


def learned(rows):
    """(low, high, rewrites) by name: between them lie nine of ten gains, as parts of what was predicted. That nothing changes where
    nothing was said to change tells nothing of the others. Of few rewrites all lie between, and what holds for any."""
    seen = [row for row in rows if row["seen"] and row["bound"] not in BUSY and abs(math.log(row["predicted"])) > math.log(LEAST_GAIN)]
    table = {}
    for name in ["", *sorted({row["rewrite"] for row in seen})]:
        parts = [row["gained"] / row["predicted"] for row in seen if name in ("", row["rewrite"])]
        if name == "" or len(parts) >= FEWEST:
            table[name] = (quantile(parts, 0.05), quantile(parts, 0.95), len(parts))
        else:
            table[name] = (min(*parts, table[""][0]), max(*parts, table[""][1]), len(parts))
    lessons = [row["speedup"] / row["params"]["predictedSpeedup"] for row in json.loads(LESSONS.read_text())]
    table["busy"] = (min(lessons), max(lessons), len(lessons))
    return table


def stored():
    return {name: (float(low), float(high)) for name, low, high in
            re.findall(r'^HEDDLE_GAIN_INTERVAL\("([^"]*)", ([\d.]+), ([\d.]+)', INTERVALS.read_text(), re.M)}


def write_intervals(rows):
    lines = ["// SPDX-License-Identifier: Apache-2.0", "//",
             "// HEDDLE_GAIN_INTERVAL(rewrite, low, high, rewrites): nine of ten gains lie between these parts of", "// what was predicted. Learned on an H200 from the"
             " seen half, by", "// scripts/compare rewrites results/nvidia-h200/rewrites --write. \"\" is any other rewrite, \"busy\"",
             "// any one of a kernel that keeps its multiprocessors busy, by the lessons: few, and in view."]
    lines += [f'HEDDLE_GAIN_INTERVAL("{name}", {low:.2f}, {high:.2f}, {count})' for name, (low, high, count) in learned(rows).items()]
    INTERVALS.write_text("\n".join(lines) + "\n")


def interval_of(row, intervals):
    return intervals["busy"] if row["bound"] in BUSY else intervals.get(row["rewrite"], intervals[""])


def verdict(row, intervals):
    low = row["predicted"] * interval_of(row, intervals)[0]
    return "refused" if row["predicted"] < LEAST_GAIN else "close" if low < 1 else "applied"


def best_of(rows):
    """Of each kernel the one that is predicted to gain most."""
    best = {}
    for row in rows:
        if row["predicted"] > best.get(row["kernel"], {"predicted": 0})["predicted"]:
            best[row["kernel"]] = row
    return list(best.values())


def gains_text(rows, pick=min):
    if not rows:
        return "0 | - | -"
    return f"{len(rows)} | {sum(row['gained'] > 1 for row in rows)} | {pick(row['gained'] for row in rows):.2f}x"


def summary(rows):
    intervals = stored()
    lines = ["| half | kernels | rewrites | median error | inside the interval | applied | faster | worst | too close | faster | best | refused | faster | best |",
             "|---" * 14 + "|"]
    for name, is_seen in (("seen", True), ("unseen", False)):
        half = [row for row in rows if row["seen"] == is_seen]
        errors = [abs(row["predicted"] / row["gained"] - 1) for row in half]
        inside = 0
        for row in half:
            low, high = interval_of(row, intervals)
            inside += low <= row["gained"] / row["predicted"] <= high
        by = {which: [row for row in half if verdict(row, intervals) == which] for which in ("applied", "close", "refused")}
        applied = best_of(by["applied"])
        close = [row for row in best_of(by["close"]) if row["kernel"] not in {each["kernel"] for each in applied}]
        lines.append(f"| {name} | {len({row['kernel'] for row in half})} | {len(half)} | {statistics.median(errors):.1%} | {inside / len(half):.0%} | "
                     f"{gains_text(applied)} | {gains_text(close, max)} | {gains_text(by['refused'], max)} |")
    return "\n".join(lines)


def write_page(folder, rows):
    about = json.loads((folder / "measured.json").read_text())["machine"]
    text = (f"{about['gpu']}, driver {about['driver']}, CUDA {about['toolkit']}, {about['date']}; `scripts/compare rewrites "
            f"results/nvidia-h200/rewrites --write`.\n\n{summary(rows)}\n")
    if (folder / PREDICTED["clang"]).exists():
        text += f"\nThe same with clang's device code, with no toolkit:\n\n{summary(rows_of(folder, 'clang'))}\n"
    before, rest = PAGE.read_text().split(BEGIN)
    PAGE.write_text(before + BEGIN + text + END + rest.split(END)[1])


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--details", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--device-code", choices=list(PREDICTED), default="nvcc")
    options = parser.parse_args()
    if options.write and options.device_code != "nvcc":
        parser.error("--write learns from nvcc's device code")
    rows = rows_of(options.folder, options.device_code)
    if options.write:
        write_intervals(rows)
        write_page(options.folder, rows)
    print(summary(rows))
    if options.details:
        for row in sorted((row for row in rows if row["seen"]), key=lambda row: -abs(math.log(row["predicted"] / row["gained"]))):
            print(f"{row['program']}/{row['kernel']}:{row['line']} {row['rewrite']} {row['form']}: predicted {row['predicted']:.2f}x, "
                  f"measured {row['gained']:.2f}x ({row['nanoseconds'] / 1000:.0f} us, {row['bound']})")
    return 0
