#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds a program and rewritten forms of it with nvcc, runs them in turns on the GPU, and prints what each gains.

usage: measure [--nvcc NVCC] [--arch sm_90] [--runs 5] [--to table.json]

Start it where the program finds its files. `heddle fix --measured table.json` then applies what won.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def call(nvcc, architecture, flags, *words):
    """The first line of what nvcc has against it. The build's own choice of an architecture counts before ours."""
    named = any(flag.split("=")[0] in ("-arch", "--gpu-architecture", "-gencode", "--generate-code") for flag in flags)
    done = subprocess.run([nvcc, "-O3", *([] if named else [f"-arch={architecture}"]), *flags, *map(str, words)],
                          capture_output=True, text=True, check=False)
    lines = (done.stderr + done.stdout).strip().splitlines() or [f"status {done.returncode}"]
    return next((line for line in lines if "error" in line or "fatal" in line), lines[0]) if done.returncode else ""


def build(nvcc, architecture, bundle, number):
    """The program of a form; an error's text where nvcc does not take it."""
    form = HERE / "forms" / str(number)
    objects = []
    clock = {"file": HERE / "kernel_clock.cu", "flags": []}
    for source in [*bundle["sources"], clock]:
        objects.append(form / f"{len(objects)}.o")
        flags = [flag.replace("{form}", str(form)) for flag in source["flags"]]
        if complaint := call(nvcc, architecture, flags, "-I", HERE / "include", "-c", form / source["file"], "-o", objects[-1]):
            return None, complaint
    program = form / "program"
    complaint = call(nvcc, architecture, bundle["link"], *objects, *(HERE / path for path in bundle["objects"]),
                     "-Xlinker", "--wrap=__cudaLaunchKernel", "-o", program)
    return (None, complaint) if complaint else (program, "")


def run(program, arguments):
    """What it printed, and the seconds of all its kernels."""
    with tempfile.NamedTemporaryFile() as times:
        done = subprocess.run([str(program), *arguments], capture_output=True, text=True, errors="replace", check=False,
                              stdin=subprocess.DEVNULL, env={**os.environ, "HEDDLE_KERNEL_TIMES": times.name})
        seconds = sum(float(line) for line in pathlib.Path(times.name).read_text().split()) / 1e3
    return f"{done.stdout}{done.stderr}\nstatus {done.returncode}", seconds


def words(text):
    return [line.split() for line in text.splitlines()]


def is_same(first, second, other):
    """Whether `other` is `first`, but for words in which two runs of the original differ."""
    first, second, other = words(first), words(second), words(other)
    if len(first) != len(other):
        return False
    for number, (line, now) in enumerate(zip(first, other)):
        again = second[number] if number < len(second) else []
        if len(line) != len(again):
            continue  # the original itself says something else each time
        if len(line) != len(now) or any(a != c for a, b, c in zip(line, again, now) if a == b):
            return False
    return True


def gpu_name():
    if not shutil.which("nvidia-smi"):
        return "a GPU without a name"
    done = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True, check=False)
    return (done.stdout.splitlines() or ["a GPU without a name"])[0]


def measure(options, bundle):
    rows = []
    original, complaint = build(options.nvcc, options.arch, bundle, 0)
    if original is None:
        sys.exit(f"measure: nvcc does not build the program as it is: {complaint}")
    for number, candidate in enumerate(bundle["candidates"], 1):
        program, complaint = build(options.nvcc, options.arch, bundle, number)
        row = {"candidate": number - 1, "before": None, "after": None, "speedup": None, "same": False, "note": complaint}
        rows.append(row)
        if program is None:
            continue
        before, after = [], []
        for _ in range(options.runs):
            before.append(run(original, bundle["arguments"]))
            after.append(run(program, bundle["arguments"]))
        row["before"] = statistics.median(seconds for _, seconds in before)
        row["after"] = statistics.median(seconds for _, seconds in after)
        row["same"] = is_same(before[0][0], before[-1][0], after[0][0])
        row["speedup"] = row["before"] / row["after"] if row["after"] > 0 else None
        shown = f"{row['speedup']:.2f}x" if row["speedup"] else "no kernels"
        print(f"{candidate['rewrite']:22} {candidate['form']:20} {candidate['file']}:{candidate['line']}  {shown}  "
              f"{'' if row['same'] else 'prints something else'}", flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n\n")[0])
    parser.add_argument("--nvcc", default=shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc")
    parser.add_argument("--arch", default="native")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--to", default="table.json")
    options = parser.parse_args()
    if not shutil.which(options.nvcc):
        sys.exit(f"measure: no nvcc at {options.nvcc}; name it with --nvcc")
    bundle = json.loads((HERE / "bundle.json").read_text())
    table = {"schema": "heddle.measured/1", "gpu": gpu_name(), "rows": measure(options, bundle), "candidates": bundle["candidates"]}
    pathlib.Path(options.to).write_text(json.dumps(table, indent=2) + "\n")
    print(f"written to {options.to}; 'heddle fix --measured {options.to}' applies what won")


main()
