# SPDX-License-Identifier: Apache-2.0
"""The timing model's speedups against those of `measure programs`.

usage: compare models RESULTS_DIR [--heddle BIN] [--device NAME] [--device-code nvcc|clang] [--times] [PROGRAM...]

For each program of bench/cuda and studies with records in RESULTS_DIR/PROGRAM.json, runs the same program with
the same sizes on the engine, and joins the records by name, parameters and baseline. Writes
RESULTS_DIR/models.json (all programs, clang's code) and prints the errors by program. Exits 1 when a bar is missed, 2 when it cannot
run. --times stores the times of those programs whose kernels keep the GPU busy in RESULTS_DIR/counters/busy-clang.json or busy-nvcc.json, for
`compare intervals`.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

from measuring.bars import MODEL_MEDIAN, MODEL_WORST, wrong_sign
from measuring.machine import ROOT, stop

# Endings of parameters that are results themselves, and identify nothing
RESULTS = ("PerSecond", "Occupancy")
BUSY = 0.9  # of a program's time, bound by issue or by memory
# Points of a benchmark that the engine would take minutes for are left out; the others keep their sizes.
ENGINE_ARGUMENTS = {
    "reduce": ["--from", "20", "--to", "24"],
    "regroup": ["--small", "1"],
    "schedule": ["--small", "1"],
    "split": ["--steps", "16"],
}


def sources():
    """The programs of the tree, by name."""
    return {path.stem: path for pattern in ("bench/cuda/*.cu", "studies/*/*.cu") for path in sorted(ROOT.glob(pattern))}


def by_point(records, origin):
    """The records by what identifies them."""
    points = {}
    for record in records:
        params = {name: value for name, value in record["params"].items() if not name.endswith(RESULTS)}
        point = json.dumps([record["name"], params, record["baseline"]], sort_keys=True)
        if point in points:
            stop(f"{origin} has two records of {point}")
        points[point] = record | {"params": params}
    return points


def bound_of(profile):
    """By what the launches of a program are bound, if nearly all are, and that keeps a GPU busy."""
    timings = [kernel["timing"] for kernel in profile["kernels"] if kernel["timing"]]
    seconds = sum(timing["seconds"] for timing in timings)
    return next((bound for bound in ("issue", "memory") if sum(timing["secondsBy"][bound] for timing in timings) > BUSY * seconds), None)


def predict(program, path, options):
    """What the program says on the engine, by point, and by what its launches are bound."""
    with tempfile.TemporaryDirectory() as folder:
        return predict_in(pathlib.Path(folder) / "profile.json", program, path, options)


def predict_in(profile, program, path, options):
    once = ["--records", "1", "--repeats", "1"] if path.is_relative_to(ROOT / "studies") else ["--samples", "1"]
    command = [options.heddle, "run", "--quiet", "--device", options.device, "--device-code", options.device_code, "--profile", profile,
               f"-I{ROOT / 'cuda/include'}", path, "--"]
    asked = {"HEDDLE_PTXAS": "0"} if options.device_code == "clang" else {}  # the same with and without a toolkit
    done = subprocess.run(command + once + ENGINE_ARGUMENTS.get(program, []), capture_output=True, text=True, check=False,
                          env=os.environ | asked)
    if done.returncode != 0:
        stop(f"{program} ended with {done.returncode} on the engine:\n{done.stderr}")
    lines = [line for line in done.stdout.splitlines() if line.startswith('{"name"')]
    bound = bound_of(json.loads(profile.read_text())) if profile.exists() else None
    return by_point(map(json.loads, lines), f"{program} on the engine"), bound


def times(program, measured, predicted, bound):
    """Of points that keep the GPU busy: as measured and as estimated."""
    return [{"program": program, "kernel": json.dumps(record["params"]), "nanoseconds": round(1e6 * record["medianMs"]),
             "predicted": round(1e6 * predicted[point]["medianMs"]), "kind": bound}
            for point, record in measured.items() if point in predicted and bound is not None]


def compare(program, measured, predicted):
    """One comparison for each point that both have."""
    rows = []
    for point, record in measured.items():
        if point in predicted:
            speedup = predicted[point]["speedup"]
            rows.append({"program": program, "name": record["name"], "params": record["params"],
                         "baseline": record["baseline"], "predicted": speedup, "measured": record["speedup"],
                         "error": round(speedup / record["speedup"] - 1, 6), "spread": record["spread"]})
    return rows


def summarize(title, rows, left_out):
    errors = [abs(row["error"]) for row in rows]
    wrong = sum(map(wrong_sign, rows))
    print(f"{title:24} {len(rows):6} {left_out:8} {statistics.median(errors):8.1%} {max(errors):8.1%} {wrong:6}")
    return statistics.median(errors) <= MODEL_MEDIAN and max(errors) <= MODEL_WORST and wrong == 0


def print_misses(rows):
    missed = sorted((row for row in rows if abs(row["error"]) > MODEL_WORST or wrong_sign(row)),
                    key=lambda row: -abs(row["error"]))
    if missed:
        print(f"\nfurther off than {MODEL_WORST:.0%}, or with the wrong sign:\npredicted measured    error  what")
    for row in missed:
        params = ", ".join(f"{name} {value}" for name, value in row["params"].items())
        print(f"{row['predicted']:9.3f} {row['measured']:8.3f} {row['error']:+8.1%}  {row['name']} ({params}) over {row['baseline']}"
              f"{', wrong sign' if wrong_sign(row) else ''}")


def write_rows(path, rows):
    lines = ",\n".join(" " + json.dumps(row) for row in rows)
    path.write_text(f"[\n{lines}\n]\n")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n\n")[0])
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--heddle", default=str(ROOT / "build/release/bin/heddle"))
    parser.add_argument("--device", default="h200")
    parser.add_argument("--device-code", choices=["nvcc", "clang"], default="clang")
    parser.add_argument("--times", action="store_true")
    parser.add_argument("programs", nargs="*")
    options = parser.parse_intermixed_args()  # programs may stand behind flags
    known = sources()
    if unknown := set(options.programs) - set(known):
        stop(f"no program '{min(unknown)}' in bench/cuda or studies")
    found = [name for name in known if (options.results / f"{name}.json").is_file()]
    wanted = [name for name in found if not options.programs or name in options.programs]
    if not wanted:
        stop(f"no measured records of a program in {options.results}; 'scripts/measure programs' writes them")

    print(f"{'program':24} {'points':>6} {'left out':>8} {'median':>8} {'worst':>8} {'wrong':>6}")
    rows, busy, left_out = [], [], 0
    for name in wanted:
        measured = by_point(json.loads((options.results / f"{name}.json").read_text()), f"{name}.json")
        predicted, bound = predict(name, known[name], options)
        here = compare(name, measured, predicted)
        busy += times(name, measured, predicted, bound)
        if not here:
            stop(f"no point of {name} is both in {options.results} and on the engine")
        summarize(name, here, len(measured) - len(here))
        rows += here
        left_out += len(measured) - len(here)
    holds = summarize("all", rows, left_out)
    print_misses(rows)
    if options.times:
        write_rows(options.results / f"counters/busy-{options.device_code}.json", busy)
    if not options.programs and options.device_code == "clang":
        write_rows(options.results / "models.json", rows)
    return 0 if holds else 1
