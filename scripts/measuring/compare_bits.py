# SPDX-License-Identifier: Apache-2.0
"""Random arithmetic kernels: whether all that they write has the bits of a GPU.

usage: compare bits RESULTS_DIR [--heddle BIN] [--parts FIRST-LAST | --found FILE]
       compare bits RESULTS_DIR --check

RESULTS_DIR/bits/answers.txt.xz has a hash of what each of 5000 kernels wrote on the GPU: `test/fuzz/arithmetic_kernels.py write FOLDER
--per-file 50` makes the programs, which print them. Runs them on the engine with nvcc's device code (some 20 minutes of a core), or those
of some files, or takes what arithmetic_kernels.py wrote with --found. Keeps in RESULTS_DIR/bits/kernels.tsv which answers are equal, and
writes the table of docs/ptx.md. --check only holds that table against what is kept. Exits 1 where an answer differs or the table is not what is kept, 2 when it cannot run.
"""

import argparse
import os
import pathlib
import sys
import tempfile

from measuring.machine import ROOT, stop

sys.path.insert(0, str(ROOT / "test/fuzz"))
import arithmetic_kernels

PAGE = ROOT / "docs/ptx.md"
BEGIN, END = "<!-- begin compare bits -->\n", "<!-- end compare bits -->\n"
PER_FILE = 50
HEADER = "kernel\tcompiled\tanswer\n"
WAYS = {"plain": "as it is", "fast": "`--use_fast_math`", "apart": "`-fmad=false`"}


def read_kept(path):
    """By number: how a kernel was compiled, and whether its answer was equal."""
    if not path.exists():
        return {}
    rows = [line.split("\t") for line in path.read_text().splitlines()[1:]]
    return {int(number): (way, answer) for number, way, answer in rows}


def judged(lines, way, answers):
    """The same, of lines that were printed."""
    return {int(number): (way, "equal" if line == answers[number] else "differs") for number, line in lines.items()}


def run(options, answers):
    """The same, of the programs that were asked for."""
    found = {}
    first, _, last = options.parts.partition("-")
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        arithmetic_kernels.write(argparse.Namespace(folder=folder, count=len(answers), seed=1, per_file=PER_FILE))
        for path in sorted(folder.glob("part*.cu"))[int(first):int(last) + 1 if last else None]:
            _, done = arithmetic_kernels.run_part(options, path)
            if done.returncode != 0:
                stop(f"{path.name} ended with {done.returncode} on the engine:\n{done.stderr[-1000:]}")
            lines = dict(line.split(" ", 1) for line in done.stdout.splitlines())
            found.update(judged(lines, path.name.split(".")[1], answers))
            wrong = [number for number in lines if lines[number] != answers[number]]
            print(f"{path.name}: {len(lines)} kernels, {len(wrong)} differ {' '.join(wrong)}", flush=True)
    return found


def taken(path, answers):
    """The same, of what was found elsewhere."""
    found = {}
    for number, line in arithmetic_kernels.read_answers(path).items():
        found.update(judged({number: line}, arithmetic_kernels.way_of(int(number) // PER_FILE), answers))
    return found


def table(kept):
    lines = ["| compiled | kernels compared | differ |", "|---|---|---|"]
    for way, words in WAYS.items():
        answers = [answer for made, answer in kept.values() if made == way]
        lines.append(f"| {words} | {len(answers)} | {answers.count('differs')} |")
    wrong = [number for number, (_, answer) in sorted(kept.items()) if answer == "differs"]
    lines.append(f"| all | {len(kept)} | {len(wrong)} |")
    named = f"\nThose that differ: {', '.join(map(str, wrong))}.\n" if wrong else ""
    return "\n".join(lines) + "\n" + named


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n\n")[0])
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--heddle", type=pathlib.Path, default=pathlib.Path(os.environ.get("HEDDLE", ROOT / "build/release/bin/heddle")))
    parser.add_argument("--parts", default="0-")
    parser.add_argument("--found", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    path = options.results / "bits/kernels.tsv"
    kept = read_kept(path)
    if not options.check:
        answers = arithmetic_kernels.read_answers(options.results / "bits/answers.txt.xz")
        kept.update(taken(options.found, answers) if options.found else run(options, answers))
        path.write_text(HEADER + "".join(f"{number}\t{way}\t{answer}\n" for number, (way, answer) in sorted(kept.items())))
    before, rest = PAGE.read_text().split(BEGIN)
    said, behind = rest.split(END)
    if options.check:
        if said != table(kept):
            print(f"the table of {PAGE} is not what {path} says; scripts/compare bits writes it")
        return 1 if said != table(kept) else 0
    PAGE.write_text(before + BEGIN + table(kept) + END + behind)
    print(table(kept), end="")
    return 1 if any(answer == "differs" for _, answer in kept.values()) else 0
