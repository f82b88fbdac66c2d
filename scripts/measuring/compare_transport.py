# SPDX-License-Identifier: Apache-2.0
"""Photons and X-rays at the size that was measured: speedups as the model says and as a GPU had them.

usage: compare transport RESULTS_DIR [--heddle BIN] [--device NAME] [--run photon|xray]...

RESULTS_DIR/photon.json and xray.json are of `measure programs`. With --run the study is run on the engine, with nvcc's device code and as
many blocks as there, in some of its forms (minutes of all cores), and what it says is kept in
RESULTS_DIR/transport/estimates-nvcc.json. Writes the table of docs/transport.md. Exits 1 when half of the speedups are off by more than 15 %, 2 when it cannot run.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess

from measuring.machine import ROOT, stop

PAGE = ROOT / "docs/transport.md"
BEGIN, END = "<!-- begin compare transport -->\n", "<!-- end compare transport -->\n"
CASE = {"photon": "model", "xray": "case"}
BLOCKS = 1056  # eight for each multiprocessor, as the records have it
BAR = 0.15


def parsed(line):
    try:
        return json.loads(line)
    except json.JSONDecodeError:
        stop(f"the study printed '{line}'; expected a row as JSON")


def run(program, options):
    """Microseconds by case and form, as the model says."""
    command = [options.heddle, "run", "--quiet", "--device", options.device, "--device-code", "nvcc",
               ROOT / f"studies/{program}/{program}.cu", "--", "--blocks", str(BLOCKS), "--few", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode != 0:
        stop(f"{program} ended with {done.returncode} on the engine:\n{done.stderr}")
    rows = [parsed(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return [{"program": program, "case": row[CASE[program]], "form": row["series"], "microseconds": round(row["microseconds"], 1)}
            for row in rows if row["experiment"] == "forms"]


def measured(folder):
    """Microseconds by program, case and form, as the GPU had them."""
    times = {}
    for program, case in CASE.items():
        for record in json.loads((folder / f"{program}.json").read_text()):
            if record["name"] == program:
                key = program, record["params"][case]
                times[(*key, record["params"]["form"])] = 1000 * record["medianMs"]
                times[(*key, "native")] = 1000 * record["baselineMs"]
    return times


def compared(rows, times):
    """The rows with both speedups over the native form; and how far they are apart, of all but native."""
    natives = {(row["program"], row["case"]): row["microseconds"] for row in rows if row["form"] == "native"}
    found = []
    for row in rows:
        key = row["program"], row["case"]
        if (*key, row["form"]) not in times:
            stop(f"no record of {row['program']} {row['case']} {row['form']}; `measure programs` makes one")
        predicted = natives[key] / row["microseconds"]
        gained = times[(*key, "native")] / times[(*key, row["form"])]
        found.append({**row, "predicted": predicted, "gained": gained, "off": predicted / gained - 1,
                      "factor": row["microseconds"] / times[(*key, row["form"])]})
    return found, sorted(abs(row["off"]) for row in found if row["form"] != "native")


def table(found, off):
    lines = ["| | form | model | GPU | speedup, model | speedup, GPU | off |", "|---|---|---|---|---|---|---|"]
    last = None
    for row in found:
        first = "" if row["case"] == last else row["case"]
        last = row["case"]
        speedups = "| | |" if row["form"] == "native" else f"| {row['predicted']:.2f}x | {row['gained']:.2f}x | {100 * row['off']:+.0f} %"
        lines.append(f"| {first} | `{row['form']}` | {row['microseconds'] / 1000:.3g} ms | {row['microseconds'] / row['factor'] / 1000:.3g} ms "
                     f"{speedups} |")
    factors = [max(row["factor"], 1 / row["factor"]) for row in found]
    lines += ["", f"Of {len(off)} speedups {sum(each <= BAR for each in off)} are within 15 %, the median is off by {100 * statistics.median(off):.0f} %, "
              f"the worst by {100 * off[-1]:.0f} %. Of {len(factors)} times the median is off by a factor of {statistics.median(factors):.2f}, the worst "
              f"by {max(factors):.2f}. `scripts/compare transport results/nvidia-h200`"]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0])
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--heddle", default=os.environ.get("HEDDLE", ROOT / "build/release/bin/heddle"))
    parser.add_argument("--device", default="h200")
    parser.add_argument("--run", action="append", choices=list(CASE), default=[])
    options = parser.parse_args()
    stored = options.results / "transport/estimates-nvcc.json"
    stored.parent.mkdir(exist_ok=True)
    rows = json.loads(stored.read_text()) if stored.exists() else []
    for program in options.run:
        rows = [row for row in rows if row["program"] != program] + run(program, options)
    stored.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")
    found, off = compared(rows, measured(options.results))
    text = table(found, off)
    before, rest = PAGE.read_text().split(BEGIN)
    PAGE.write_text(before + BEGIN + text + END + rest.split(END)[1])
    print(text, end="")
    return 0 if statistics.median(off) <= BAR else 1
