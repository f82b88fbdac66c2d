# SPDX-License-Identifier: Apache-2.0
"""The engine's average of active lanes against that of `measure lanes`, kernel by kernel.

usage: compare lanes FOLDER [--jobs N] [--details] [--write] [--device-code nvcc|clang]
       compare lanes FOLDER [--device-code nvcc|clang] --again PROGRAM...

FOLDER is results/GPU/counts or results/GPU/lanes, with the lanes.json of `measure lanes`: all kernels, or those that intervals of
estimated times are learned from and judged by (compare intervals).

Runs the same programs on the engine (HEDDLE, or build/release/bin/heddle) and prints how many kernels are near: of the half
that rules were made from, and of the half that judges them (lane_kernels.py). --details lists the kernels of the seen
half, worst first. --write puts the table of this device code into docs/lanes.md and the account into FOLDER/account-nvcc.json or
account-clang.json. --device-code says whose device code the engine runs (nvcc's, the default where there is one).
Exits 1 when a bar is missed on the unseen half with nvcc's code.

--again runs only these programs, and exits 1 where an estimated time is not the stored one any more: the model has changed, and what
is told of it has to be made anew.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from measuring import lane_kernels
from measuring.machine import ROOT

PAGE = ROOT / "docs/lanes.md"
NEAR, FAR, FACTOR = 0.05, 0.15, 1.5
LONG = 4000  # nanoseconds
SAME = 0.03  # of an estimated time
# Shares of the unseen half with nvcc's code: lanes within 5 %, 15 % and a factor of 1.5; warp-instructions within 10 % and 25 %;
# lanes that no predicate switches off, within 5 %.
BARS = {"near": 0.93, "far": 0.97, "factor": 0.99, "instructions": 0.92, "instructionsFar": 0.97, "on": 0.85}


def without_toolkit(device_code):
    """Nobody asks nvcc; and with clang's code nobody asks ptxas for registers either, as where there is no toolkit."""
    return {**os.environ, "HEDDLE_NVCC": "0"} | ({"HEDDLE_PTXAS": "0"} if device_code == "clang" else {})


def run_on_engine(source, device_code):
    """The account of each kernel of a program, by name, and what the program printed."""
    heddle = os.environ.get("HEDDLE", ROOT / "build/release/bin/heddle")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "profile.json"
        done = subprocess.run([heddle, "run", source, "--device", "h200", "--jobs", "1", "--quiet", "--no-advice", "--profile", path,
                               "--device-code", device_code],
                              check=False, capture_output=True, text=True, env=without_toolkit(device_code))
        if not path.exists():
            sys.exit(f"{sys.argv[0]}: {source} did not run:\n{done.stderr}")
        profile = json.loads(path.read_text())
    kernels = {}
    for kernel in profile["kernels"]:
        kernels[kernel["name"].split("<")[0].split("::")[-1]] = {
            key: kernel.get(key) for key in ["warpInstructions", "threadInstructions", "switchedOff", "timing"]}
    return kernels, done.stdout.splitlines()[-200:]


def lanes_on(engine):
    """The average of lanes that no predicate switches off, or nothing where that is not known."""
    off = engine["switchedOff"]
    return None if off is None else round((engine["threadInstructions"] - off) / engine["warpInstructions"], 3)


def shares(rows):
    """How many of some kernels are near, and the median of what they are off by."""
    off = sorted(abs(row["difference"]) for row in rows)
    factor = [max(1 + row["difference"], 1 / (1 + row["difference"])) for row in rows]
    count = max(len(rows), 1)
    return {"kernels": len(rows), "near": sum(o <= NEAR for o in off) / count, "far": sum(o <= FAR for o in off) / count,
            "factor": sum(f <= FACTOR for f in factor) / count, "median": off[len(off) // 2] if off else 0,
            **{key: sum(1 / (1 + part) <= row["instructions"] <= 1 + part for row in rows) / count
               for key, part in (("instructions", 0.1), ("instructionsFar", 0.25))},
            "on": sum(abs(row["engineOn"] / row["predOn"] - 1) <= NEAR for row in rows) / count if all(row["engineOn"] for row in rows) else None}


def families(rows):
    return sorted({row["program"] for row in rows})


def summary(rows, title):
    lines = [f"| {title} | kernels | within 5 % | within 15 % | within a factor of 1.5 | median off | warp-instructions within 10 % | within 25 % | lanes on within 5 % |",
             "|---|---|---|---|---|---|---|---|---|"]
    halves = [("written, seen", lambda row: not row["random"] and row["seen"]),
              ("written, unseen", lambda row: not row["random"] and not row["seen"]),
              ("random, seen", lambda row: row["random"] and row["seen"]),
              ("random, unseen", lambda row: row["random"] and not row["seen"]),
              ("all, seen", lambda row: row["seen"]), ("all, unseen", lambda row: not row["seen"])]
    for name, wanted in halves:
        found = shares([row for row in rows if wanted(row)])
        lines.append(f"| {name} | {found['kernels']} | {found['near']:.1%} | {found['far']:.1%} | {found['factor']:.1%} | "
                     f"{found['median']:.1%} | {found['instructions']:.1%} | {found['instructionsFar']:.1%} | " +
                     ("not known |" if found["on"] is None else f"{found['on']:.1%} |"))
    return "\n".join(lines)


def times(rows):
    """How far estimated times are off, as factors; kernels that are hardly longer than a launch tell nothing."""
    lines = [f"| time, kernels over {LONG / 1000:g} us | kernels | median factor | within 1.35 | within 1.5 | within 2 | worst |", "|---|---|---|---|---|---|---|"]
    for name, is_seen in (("seen", True), ("unseen", False)):
        factors = sorted(max(row["time"], 1 / row["time"]) for row in rows if row["seen"] == is_seen and row["time"])
        within = [sum(factor <= limit for factor in factors) / len(factors) for limit in (1.35, 1.5, 2)]
        lines.append(f"| {name} | {len(factors)} | {statistics.median(factors):.2f} | " + " | ".join(f"{share:.0%}" for share in within) +
                     f" | {factors[-1]:.1f} |")
    return "\n".join(lines)


def by_family(rows):
    lines = ["| family | kernels | within 5 % | within 15 % | median off |", "|---|---|---|---|---|"]
    for program in families(rows):
        found = shares([row for row in rows if row["program"] == program])
        lines.append(f"| {program} | {found['kernels']} | {found['near']:.0%} | {found['far']:.0%} | {found['median']:.1%} |")
    return "\n".join(lines)


def compare(folder, jobs, device_code):
    measured = json.loads((folder / "lanes.json").read_text())
    with tempfile.TemporaryDirectory() as work:
        sources = lane_kernels.programs(pathlib.Path(os.environ["LANES_RANDOM"]) if "LANES_RANDOM" in os.environ else lane_kernels.make_random(pathlib.Path(work)))
        sources = [source for source in sources if source.stem in measured["outputs"]]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            runs = dict(zip([source.stem for source in sources], pool.map(lambda source: run_on_engine(source, device_code), sources)))
    rows = []
    for gpu in measured["kernels"]:
        engine = runs[gpu["program"]][0].get(gpu["kernel"])
        if engine is None:
            sys.exit(f"{sys.argv[0]}: the engine did not run {gpu['name']}")
        lanes = {"engine": engine["threadInstructions"] / engine["warpInstructions"],
                 "gpu": gpu["threadInstructions"] / gpu["warpInstructions"]}
        rows.append({"name": gpu["name"], "program": gpu["program"], "random": gpu["program"].startswith("random_"),
                     "seen": lane_kernels.is_seen(gpu["kernel"]), "engine": round(lanes["engine"], 3), "gpu": round(lanes["gpu"], 3),
                     "instructions": round(engine["warpInstructions"] / gpu["warpInstructions"], 3),
                     "engineOn": lanes_on(engine),
                     "predOn": round(gpu["threadInstructionsPredOn"] / gpu["warpInstructions"], 3),
                     "difference": round(lanes["engine"] / lanes["gpu"] - 1, 4),
                     "time": round(engine["timing"]["seconds"] * 1e9 / gpu["nanoseconds"], 3) if gpu["nanoseconds"] > LONG else None,
                     "predicted": round(engine["timing"]["seconds"] * 1e9), "kind": engine["timing"]["kind"]})
    wrong = [name for name, (_, output) in runs.items() if output != measured["outputs"][name]]
    return measured["machine"], rows, wrong


def again(folder, programs, device_code):
    """Kernels whose estimate is not as it is stored, in words."""
    stored = [row for row in json.loads((folder / f"account-{device_code}.json").read_text()) if row["program"] in programs]
    runs = {program: run_on_engine(ROOT / f"bench/cuda/lanes/{program}.cu", device_code)[0] for program in programs}
    differing = []
    for then in stored:
        now = runs[then["program"]].get(then["name"].split("/")[1], {"timing": {"seconds": 0, "kind": "did not run"}})["timing"]
        if abs(1e9 * now["seconds"] / then["predicted"] - 1) > SAME or now["kind"] != then["kind"]:
            differing.append(f"{then['name']}: {1e9 * now['seconds']:.0f} ns ({now['kind']}), stored {then['predicted']} ns ({then['kind']})")
    print(f"{len(stored) - len(differing)} of {len(stored)} estimates are as stored")
    return differing


def page_with(folder, machine, rows, device_code, wrong):
    begin, end = (f"<!-- {word} compare lanes {device_code} -->\n" for word in ("begin", "end"))
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    printed = f"Programs that print something else than on the GPU: {', '.join(wrong)}." if wrong else "All programs print what they print on the GPU."
    text = (f"{machine['gpu']}, driver {machine['driver']}, CUDA {machine['toolkit']}, {machine['date']}; engine at {commit};\n"
            f"`scripts/compare lanes {folder} --device-code {device_code} --write`. {printed}\n\n"
            f"{summary(rows, 'half')}\n\n{times(rows)}\n\n{by_family([row for row in rows if not row['random']])}\n")
    before, rest = PAGE.read_text().split(begin)
    return before + begin + text + end + rest.split(end)[1]


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--details", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--device-code", choices=["nvcc", "clang"], default="nvcc")
    parser.add_argument("--again", nargs="+", metavar="PROGRAM")
    options = parser.parse_args()
    if options.again:
        differing = again(options.folder, options.again, options.device_code)
        for line in differing:
            print(f"compare lanes: {line}", file=sys.stderr)
        return 1 if differing else 0
    machine, rows, wrong = compare(options.folder, options.jobs, options.device_code)
    print(summary(rows, "half"))
    print(times(rows))
    if options.details:
        for row in sorted((row for row in rows if row["seen"]), key=lambda row: -abs(row["difference"])):
            print(f"{row['name']:42} engine {row['engine']:6.2f}  GPU {row['gpu']:6.2f}  {row['difference']:+7.1%}  predicate on "
                  f"{row['predOn']:6.2f}  instructions x{row['instructions']:.2f}")
    if options.write:
        (options.folder / f"account-{options.device_code}.json").write_text(json.dumps(rows, indent=1) + "\n")
        PAGE.write_text(page_with(options.folder, machine, rows, options.device_code, wrong))
    for name in wrong:
        print(f"{sys.argv[0]}: {name} prints something else than on the GPU", file=sys.stderr)
    unseen = shares([row for row in rows if not row["seen"]])
    bars = BARS if options.device_code == "nvcc" else {}
    missed = [f"{key}: {unseen[key]:.1%}, bar {bar:.0%}" for key, bar in bars.items() if (unseen[key] or 0) < bar]
    missed += [f"{row['name']}: warp-instructions x{row['instructions']:.2f}" for row in rows if bars and not 1 / 3 < row["instructions"] < 3]
    for line in missed:
        print(f"{sys.argv[0]}: {line}", file=sys.stderr)
    return 1 if missed or wrong else 0
