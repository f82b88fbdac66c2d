# SPDX-License-Identifier: Apache-2.0
"""Estimated times and lanes of whole programs against those of `measure corpus`.

usage: compare corpus FOLDER [--run] [--jobs N] [--only NAME]... [--details] [--again] [--check] [--write] [--device-code nvcc|clang]

FOLDER is results/GPU/corpus, with the corpus.json of `measure corpus` for bench/cuda/corpus, or results/GPU/applications. Prints how far estimates are off, of the half of the programs
that the model may be made with and of the half that judges it (by a hash of the program's name). --run runs the programs on the engine
first (HEDDLE, or build/release/bin/heddle) and stores what it estimates in FOLDER/estimates-nvcc.json or estimates-clang.json; --only
runs some again and keeps the others. --again runs the programs that --only names and exits 1 where an estimate is not the stored one any more. --details lists the kernels of the seen half, worst first. --write puts the tables of both device
codes into docs/corpus.md. --check exits 1 when the unseen half is worse than what a change may make of it (HELD).

A row is a kernel of a program in one size and one grid: the mean of its launches.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

from measuring import compare_intervals, corpus, lane_kernels
from measuring.compare_intervals import BARS, in_stream
from measuring.compare_lanes import without_toolkit
from measuring.machine import ROOT

PAGE = ROOT / "docs/corpus.md"
LONG = 4000  # nanoseconds; of shorter kernels the launch is most
HELD = {"nvcc": {"median": 1.25, "within": {1.35: 0.68, 2: 0.85}}, "clang": {"median": 1.30, "within": {1.5: 0.7, 2: 0.8}}}  # less than the bars that are asked
SAME = 0.03  # of an estimated time
LONGEST = 300  # seconds of a program on the engine


def base_name(kernel):
    """Of a kernel, without what its template was given, what it returns and where it was declared."""
    return re.sub(r"<.*|\(.*", "", kernel).split("::")[-1].split(" ")[-1]


def run_on_engine(source, argument, device_code):
    """The launches of a program on the engine, or none where it did not end well."""
    heddle = os.environ.get("HEDDLE", ROOT / "build/release/bin/heddle")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "profile.json"
        command = [heddle, "run", source, "--device", "h200", "--jobs", "1", "--quiet", "--no-advice", "--profile",
                   path, "--device-code", device_code, "--", argument]
        try:
            done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=LONGEST, env=without_toolkit(device_code))
        except subprocess.TimeoutExpired:
            print(f"{sys.argv[0]}: {source.stem} {argument} takes longer than {LONGEST} s", file=sys.stderr)
            return None
        if done.returncode != 0 or not corpus.has_passed(done.stdout.splitlines()):
            print(f"{sys.argv[0]}: {source.stem} {argument} did not pass:\n{done.stdout[-300:]}{done.stderr[-700:]}", file=sys.stderr)
            return None
        profile = json.loads(path.read_text())
    kernels = profile["kernels"]
    for launch in profile["launches"]:
        timing = kernels[launch["kernel"]]["timing"]
        launch |= {"kernel": base_name(kernels[launch["kernel"]]["name"]), "kind": timing["kind"],
                   "seconds": launch["estimatedSeconds"] + launch.get("firstTouch", {"seconds": 0})["seconds"]}
    return profile["launches"]


def rows_of(record, engine):
    """One row for each kernel and grid. Launches are paired in order; from the first that differs on, none."""
    pairs = {}
    for gpu, ours in zip(record["launches"], engine):
        if base_name(gpu["kernel"]) != ours["kernel"] or gpu["grid"] != ours["grid"]:
            break
        pairs.setdefault((ours["kernel"], tuple(ours["grid"])), []).append((gpu, ours))
    rows = []
    for (kernel, grid), found in pairs.items():
        mean = lambda side, key: statistics.fmean(pair[side][key] for pair in found)
        gpu_lanes = mean(0, "threadInstructions") / max(mean(0, "warpInstructions"), 1)
        rows.append({"program": record["program"], "size": record["size"], "kernel": kernel, "grid": list(grid), "launches": len(found),
                     "nanoseconds": round(mean(0, "nanoseconds")), "predicted": round(1e9 * mean(1, "seconds")), "kind": found[0][1]["kind"],
                     "instructions": round(mean(1, "warpInstructions") / mean(0, "warpInstructions"), 3),
                     "lanes": round(mean(1, "threadInstructions") / mean(1, "warpInstructions") / gpu_lanes, 4)})
    return rows


def run(measured, options):
    """Rows of the programs that were measured and pass here, too."""
    programs = corpus.FOLDER.with_name(options.folder.resolve().name)
    arguments = dict(corpus.listed(programs))
    records = [record for record in measured["programs"] if record["passed"] and (not options.only or record["program"] in options.only)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        ran = pool.map(lambda record: run_on_engine(programs / f"{record['program']}.cu", arguments[record["program"]][record["size"]], options.device_code), records)
        return [row for record, engine in zip(records, ran) if engine for row in rows_of(record, engine)]


def part(row):
    """The estimated time as a part of the true one."""
    return row["predicted"] / in_stream(row["nanoseconds"])


def share(rows, wanted):
    return sum(map(wanted, rows)) / max(len(rows), 1)


def is_inside(row, intervals):
    low, high = compare_intervals.interval_of(row, intervals)
    return low <= 1 / part(row) <= high


def table(rows, device_code):
    intervals = compare_intervals.stored(compare_intervals.CODES[device_code])
    lines = [f"| {device_code}'s device code | kernels | over 4 us | median factor | within 1.35 | within 1.5 | within 2 | within 4 | worst | inside the interval | "
             "lanes within 5 % | within 15 % | warp-instructions within 10 % | within 25 % |", "|---|" + "---|" * 13]
    for name, is_seen in (("seen", True), ("unseen", False)):
        half = [row for row in rows if lane_kernels.is_seen(row["program"]) == is_seen]
        long = [row for row in half if row["nanoseconds"] > LONG]
        factors = sorted(max(part(row), 1 / part(row)) for row in long) or [1]
        cells = [f"{share(factors, lambda factor: factor <= limit):.0%}" for limit in (1.35, 1.5, 2, 4)]
        cells += [f"{factors[-1]:.1f}", f"{share(half, lambda row: is_inside(row, intervals)):.0%}"]
        cells += [f"{share(half, lambda row: abs(row['lanes'] - 1) <= limit):.0%}" for limit in (0.05, 0.15)]
        cells += [f"{share(half, lambda row: 1 / (1 + limit) <= row['instructions'] <= 1 + limit):.0%}" for limit in (0.1, 0.25)]
        lines.append(f"| {name} | {len(half)} | {len(long)} | {statistics.median(factors):.2f} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def all_table(folder, code):
    """Of all whole programs and of the kernels that `compare lanes` has."""
    rows = [row for row in compare_intervals.rows_of(folder.parent, code) if "inView" not in row and row["nanoseconds"] > LONG]
    lines = [f"| {code}'s device code, with the kernels of [lanes.md](lanes.md) | over 4 us | median factor | within 1.35 | within 1.5 | within 2 | within 4 | worst |",
             "|---|" + "---|" * 7]
    for name, is_seen in (("seen", True), ("unseen", False)):
        factors = sorted(max(row["part"], 1 / row["part"]) for row in rows if row["seen"] == is_seen)
        cells = [f"{share(factors, lambda factor: factor <= limit):.0%}" for limit in (1.35, 1.5, 2, 4)]
        lines.append(f"| {name} | {len(factors)} | {statistics.median(factors):.2f} | " + " | ".join(cells) + f" | {factors[-1]:.1f} |")
    return "\n".join(lines)


def missed_bars(rows, bars):
    """In words, of the unseen half."""
    factors = [max(part(row), 1 / part(row)) for row in rows if row["nanoseconds"] > LONG and not lane_kernels.is_seen(row["program"])]
    missed = []
    if statistics.median(factors) > bars["median"]:
        missed.append(f"the median is off by {statistics.median(factors):.2f}, bar {bars['median']}")
    for limit, bar in bars["within"].items():
        if share(factors, lambda factor: factor <= limit) < bar:
            missed.append(f"{share(factors, lambda factor: factor <= limit):.0%} are within {limit}, bar {bar:.0%}")
    return missed


def details(rows):
    for row in sorted((row for row in rows if lane_kernels.is_seen(row["program"])), key=lambda row: -max(part(row), 1 / part(row))):
        print(f"{row['program'] + ' ' + row['size']:26} {row['kernel']:22} {str(row['grid']):18} x{row['launches']:<3} GPU {row['nanoseconds'] / 1000:9.1f} us  "
              f"estimate x{part(row):5.2f}  {row['kind']:9} instructions x{row['instructions']:.2f}  lanes x{row['lanes']:.2f}")


def again(stored, now):
    """1 where an estimate of those that were run is not as it is stored."""
    key = lambda row: (row["program"], row["size"], row["kernel"], tuple(row["grid"]))
    known = {key(row): row for row in stored}
    differing = [row for row in now if key(row) not in known or abs(row["predicted"] / known[key(row)]["predicted"] - 1) > SAME]
    for row in differing:
        print(f"{sys.argv[0]}: {key(row)}: {row['predicted']} ns, stored {known.get(key(row), {}).get('predicted')}; the model has changed: "
              "run this with --run", file=sys.stderr)
    print(f"{len(now) - len(differing)} of {len(now)} estimates are as stored")
    return 1 if differing or not now else 0


def write_page(folder):
    measured = json.loads((folder / "corpus.json").read_text())
    about = measured["machine"]
    passed = sum(record["passed"] for record in measured["programs"])
    text = (f"{about['gpu']}, driver {about['driver']}, CUDA {about['toolkit']}, {about['date']}, commit {about['commit']}; {passed} runs;\n"
            f"`scripts/compare corpus {folder.relative_to(ROOT)} --write`.\n")
    for code in ("nvcc", "clang"):
        path = folder / f"estimates-{code}.json"
        text += f"\n{table(json.loads(path.read_text()), code)}\n" if path.exists() else ""
        text += f"\n{all_table(folder, code)}\n" if path.exists() and folder.name == "corpus" else ""
    begin, end = (f"<!-- {word} compare {folder.name} -->\n" for word in ("begin", "end"))
    before, rest = PAGE.read_text().split(begin)
    PAGE.write_text(before + begin + text + end + rest.split(end)[1])


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    for flag in ("--run", "--details", "--again", "--check", "--write"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--device-code", choices=["nvcc", "clang"], default="nvcc")
    options = parser.parse_args()
    stored = options.folder / f"estimates-{options.device_code}.json"
    rows = json.loads(stored.read_text()) if stored.exists() else []
    if options.again:
        return again(rows, run(json.loads((options.folder / "corpus.json").read_text()), options))
    if options.run:
        kept = [row for row in rows if options.only and row["program"] not in options.only]
        rows = kept + run(json.loads((options.folder / "corpus.json").read_text()), options)
        stored.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")
    print(table(rows, options.device_code))
    if options.details:
        details(rows)
    if options.write:
        write_page(options.folder.resolve())
    missed = missed_bars(rows, HELD[options.device_code] if options.check else BARS["machine" if options.device_code == "nvcc" else "model"])
    for line in missed:
        print(f"{sys.argv[0]}: unseen half: {line}", file=sys.stderr)
    return 1 if options.check and missed else 0
