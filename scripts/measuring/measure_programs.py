# SPDX-License-Identifier: Apache-2.0
"""The device library, the benchmarks and the studies: all of them, or those that are named.

usage: measure programs [--to DIR] [NAME...]

Builds the preset `device`, holds the library tests against what they print on the engine, runs benchmarks and studies, and
writes their records to results/GPU/PROGRAM.json. NAME is a file of bench/cuda, studies or test/library without its ending.
DIR stands for results/. Needs nvcc, a GPU and CMake. HEDDLE_COMMIT names the commit where the tree is no git repository.
Exits 1 when a bar is missed or a program fails, 2 when it cannot run.
"""

import difflib
import json
import os
import pathlib
import shutil
import subprocess
import sys

from measuring import machine
from measuring.machine import ROOT, stop

FOLDERS = {"library": "test/library/*.cu", "bench": "bench/cuda/*.cu", "study": "studies/*/*.cu"}


def arguments():
    """The folder of results, and the names."""
    results, names, words = ROOT / "results", [], sys.argv[1:]
    while words:
        word = words.pop(0)
        if word in ("-h", "--help"):
            print(__doc__)
            sys.exit(0)
        if word == "--to":
            if not words:
                stop("--to: expected a folder")
            results = pathlib.Path(words.pop(0)).resolve()
            try:
                results.mkdir(parents=True, exist_ok=True)
            except OSError:
                stop(f"--to: cannot write to '{results}'")
        elif word.startswith("-"):
            stop(f"unknown flag '{word}'; expected --to DIR or names of programs")
        else:
            names.append(word)
    return results, names


def programs(names):
    """(kind, name) of every program of the tree, or of those that were named."""
    found = [(kind, path.stem) for kind, pattern in FOLDERS.items() for path in sorted(ROOT.glob(pattern))]
    for name in names:
        if name not in {each for _, each in found}:
            stop(f"no program '{name}' in bench/cuda, studies or test/library")
    return [(kind, name) for kind, name in found if not names or name in names]


def build(listed):
    os.environ["PATH"] += ":/usr/local/cuda/bin"
    if not shutil.which("cmake"):
        stop("no cmake on the PATH")
    targets = [f"{kind}_{name}" for kind, name in listed]
    for command in (["cmake", "--preset", "device"],
                    ["cmake", "--build", "--preset", "device", "-j", str(os.cpu_count()), "--target", *targets]):
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            print("\n".join(done.stdout.splitlines()[-40:]), file=sys.stderr)
            stop("the preset 'device' does not build")


def run(kind, name, *words):
    program = ROOT / "build/device/bin" / kind / name
    try:
        return subprocess.run([program, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=600)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess([program], 124, "", "it took longer than 600 s")


def report(kind, name, says):
    print(f"{kind:8} {name:28} {says}", flush=True)


def test_library(name):
    """Whether a library test prints what it prints on the engine."""
    done = run("library", name)
    expected = ROOT / f"test/library/{name}.expected"
    if done.returncode == 0 and done.stdout == expected.read_text():
        report("library", name, "as expected")
        return True
    report("library", name, f"DIFFERS from test/library/{name}.expected")
    differing = difflib.unified_diff(expected.read_text().splitlines(), done.stdout.splitlines(), "expected", "found", n=0, lineterm="")
    print("\n".join([*list(differing)[:10], *done.stderr.splitlines()[:10]]))
    return False


def measure(kind, name, about, folder):
    """The records of a program, written with the machine, one a line; nothing where it fails."""
    done = run(kind, name, *(["--records", "1"] if kind == "study" else []))
    records = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"name"')]
    if done.returncode != 0 and "unknown argument --records" not in done.stderr:
        report(kind, name, f"FAILED with exit {done.returncode}: {' '.join(done.stderr.splitlines()[:3])}")
        return None
    if done.returncode != 0 or not records:
        report(kind, name, "prints no records")
        return []
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text("[" + ",\n ".join(json.dumps(record | about) for record in records) + "]\n")
    report(kind, name, f"{len(records)} records")
    return records


def print_missed(records):
    print(f"\nmissed bars:\n{'speedup':10} {'bar':10} what")
    for record in records:
        params = json.dumps(record["params"])[1:-1]
        print(f"{record['speedup']:<10} {record['bar']:<10} {record['name']} ({params}) over {record['baseline']}")


def main():
    results, names = arguments()
    listed = programs(names)
    about = machine.describe()
    build(listed)
    print("{gpu}, driver {driver}, CUDA {toolkit}, commit {commit}".format(**about), flush=True)
    folder, failed, missed = results / machine.slug(about), False, []
    for kind, name in listed:
        if kind == "library":
            failed |= not test_library(name)
        else:
            records = measure(kind, name, about, folder)
            failed |= records is None
            missed += [record for record in records or [] if record.get("holds") is False]
    if missed:
        print_missed(missed)
    return 1 if failed or missed else 0
