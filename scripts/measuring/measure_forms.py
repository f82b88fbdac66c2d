# SPDX-License-Identifier: Apache-2.0
"""The programs of bench/rewrites on this machine's GPU: as they are, rewritten by hand, and as `heddle fix` leaves them.

usage: measure forms FOLDER OUTPUT.json [--seconds N] [--only NAME]... [--rewritten]

FOLDER has the rewritten programs, as `compare forms try FOLDER` leaves them. Builds all, holds what the forms of a program print
against each other, and measures each with ncu, all launches of all kernels together; round after round while N seconds last. The first
round is made in full. With --rewritten only these are measured, and the others keep the times that OUTPUT.json has. `compare forms write`
reads results/GPU/rewrites/forms.json. HEDDLE_COMMIT names the commit where there is no repository.
"""

import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from measuring import machine
from measuring.machine import ROOT
from measuring.measure_rewrites import LONGEST, build, gpu_times

CORPUS = ROOT / "bench/rewrites"
CLOSE = 1e-4  # relative: sums in another order
AS_IT_WAS, BY_HAND, REWRITTEN = "as it was", "by hand", "rewritten"


def built_in(folder, source):
    folder.mkdir(parents=True, exist_ok=True)
    return build(source, folder)


def printed_by(program):
    """Its words; nothing where it fails or does not end."""
    try:
        done = subprocess.run([program], capture_output=True, text=True, timeout=LONGEST, stdin=subprocess.DEVNULL, check=False)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout.split() if done.returncode == 0 else None


def close(one, other):
    try:
        return math.isclose(float(one), float(other), rel_tol=CLOSE)
    except ValueError:
        return False


def agreement(expected, found):
    if expected is None or found is None:
        return "fails"
    if expected == found:
        return "same"
    return "close" if len(expected) == len(found) and all(a == b or close(a, b) for a, b in zip(expected, found)) else "differs"


def forms_of(folder, only):
    """(program, form, source); only programs that have another form."""
    for source in sorted((CORPUS / "programs").glob("*.cu")):
        others = {BY_HAND: CORPUS / "by_hand" / source.name, REWRITTEN: folder / source.name}
        present = {form: path for form, path in others.items() if path.exists()}
        if present and source.stem in (only or [source.stem]):
            for form, path in {AS_IT_WAS: source, **present}.items():
                yield source.stem, form, path


def known_times(options):
    return json.loads(options.output.read_text())["programs"] if options.rewritten and options.output.exists() else {}


def measure(options, work):
    listed, known = list(forms_of(options.folder, options.only)), known_times(options)
    rewritten = {name for name, form, _ in listed if form == REWRITTEN}
    if options.rewritten:
        listed = [(name, form, path) for name, form, path in listed if name in rewritten and form != BY_HAND]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        built = list(pool.map(lambda each: built_in(work / each[1].replace(" ", "_"), each[2]), listed))
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        words = list(pool.map(lambda program: program and printed_by(program), built))
    expected = {name: said for (name, form, _), said in zip(listed, words) if form == AS_IT_WAS}
    found = {name: {form: told for form, told in forms.items() if form != REWRITTEN or name not in rewritten} for name, forms in known.items()}
    for (name, form, _), said in zip(listed, words):
        found.setdefault(name, {}).setdefault(form, {"prints": agreement(expected[name], said), "nanoseconds": []})
    todo = [(found[name][form], program) for (name, form, _), program in zip(listed, built)
            if program and form not in known.get(name, {}) or form == REWRITTEN]
    output = {"machine": machine.describe(), "programs": found}
    begin, rounds = time.monotonic(), 0
    while rounds == 0 or time.monotonic() - begin < options.seconds:
        for told, program in todo:
            if program and (rounds == 0 or time.monotonic() - begin < options.seconds):
                times = gpu_times(program)
                told["nanoseconds"] += [round(sum(times.values()))] if times else []
                options.output.write_text(json.dumps(output, indent=1) + "\n")
        rounds += 1
    return len(found), rounds


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--only", action="append")
    parser.add_argument("--rewritten", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        programs, rounds = measure(options, pathlib.Path(name))
    print(f"{sys.argv[0]}: {programs} programs, {rounds} rounds, wrote {options.output}")
    return 0
