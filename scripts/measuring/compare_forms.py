# SPDX-License-Identifier: Apache-2.0
"""What `heddle fix` makes of the programs of bench/rewrites, beside what an expert made of them by hand.

usage: compare forms try FOLDER [--only NAME]... [--again] [--jobs N]
       compare forms write [--check]

try runs `heddle fix` on each program and predicts the form by hand, both for the modelled H200, and keeps what came of it in
results/rewrites/forms.tsv; rewritten programs are left in FOLDER. Programs that the table has are not tried again, but with --again.
write makes docs/rewrites-corpus.md of the table and of results/nvidia-h200/rewrites/forms.json, which `measure forms` makes; with --check it exits 1
where the page is another one.
HEDDLE names the program to try.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import platform
import shutil
import statistics
import subprocess
import threading
import time

from measuring import lane_kernels
from measuring.machine import ROOT, commit
from measuring.measure_forms import AS_IT_WAS, BY_HAND, REWRITTEN
from measuring.rewrite_rounds import HEDDLE

CORPUS = ROOT / "bench/rewrites"
TABLE, PAGE = ROOT / "results/rewrites/forms.tsv", ROOT / "docs/rewrites-corpus.md"
MEASURED = ROOT / "results/nvidia-h200/rewrites/forms.json"
BUDGET, LONGEST = 60, 200  # seconds of a search, and of any command
LEAST_GAIN = 1.2  # by hand: such a program should be rewritten
ENOUGH = 0.8  # of the gain by hand
TOLERANCE = "1e-4"  # of sums in another order
KEEPING = threading.Lock()

Row = collections.namedtuple("Row", "name family half expert applied gain by_hand answer seconds")
FAMILIES = {
    "guard": ("a guard in front of the work", "compact"), "rows": ("a loop over a row whose length differs by thread", "share-rows"),
    "serial": ("one thread does it all", "spread"), "alike": ("arms that are alike in parts", "meld"),
    "shape": ("blocks that are no multiple of a warp", "reshape"), "refill": ("loops that end after very different numbers of turns", "refill"),
    "aggregate": ("atomics on few addresses", "aggregate"), "lengths": ("items of different lengths in random order", "advice to sort"),
    "refused": ("looks like one of these, and must stay as it is", "nothing")}


def programs():
    for line in (CORPUS / "programs.txt").read_text().splitlines():
        name, family, expert, _ = line.split("\t")
        yield name, family, expert


def run(*command):
    """What it printed; nothing where it took too long."""
    try:
        return subprocess.run([HEDDLE, *map(str, command)], capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL,
                              timeout=LONGEST, check=False)
    except subprocess.TimeoutExpired:
        return None


def seconds_of(program):
    """Estimated, of all kernels; None where it does not run."""
    done = run("run", program, "--json", "--no-advice")
    if done is None or done.returncode != 0:
        return None
    lines = done.stdout.splitlines()
    profile = json.loads("\n".join(lines[lines.index("{"):]))  # behind what the program prints
    return sum(kernel["timing"]["seconds"] for kernel in profile["kernels"])


def answer_of(fix):
    """The candidate that came nearest, in a few words."""
    refused = [each for each in fix["candidates"] if each["verdict"] == "refuse" and each["fits"]]
    best = max(refused, key=lambda each: each["predictedSpeedup"] or 0, default=None)
    if best is None:
        return "no rewrite is for code like that"
    gain = f" {best['predictedSpeedup']:.2f}x" if best["predictedSpeedup"] else ""
    return f"{best['rewrite']}: {best['id']}{gain}"


def try_one(name, family, expert, folder):
    source, by_hand = CORPUS / "programs" / f"{name}.cu", CORPUS / "by_hand" / f"{name}.cu"
    half = "seen" if lane_kernels.is_seen(name) else "unseen"
    target = folder / f"{name}.cu"
    shutil.copy(source, target)
    begin = time.monotonic()
    done = run("fix", target, "--in-place", "--all", "--json", "--budget", BUDGET, *(["--tolerance", TOLERANCE] if family != "refused" else []))
    seconds = f"{time.monotonic() - begin:.0f}"
    applied, gain, answer = "", "", "out of time"
    if done is not None:
        try:
            fix = json.loads(done.stdout)
            applied = ", ".join(" ".join(filter(None, (each["rewrite"], each["form"]))) for each in fix["applied"])
            gain = f"{fix['before']['seconds'] / fix['after']['seconds']:.2f}" if applied else ""
            answer = "" if applied else answer_of(fix)
        except json.JSONDecodeError:
            answer = (done.stderr.strip().splitlines() or ["no answer"])[0][:120]
    if not applied:
        target.unlink()
    hand = ""
    if by_hand.exists():
        before, after = seconds_of(source), seconds_of(by_hand)
        hand = f"{before / after:.2f}" if before and after else ""
    return Row(name, family, half, expert, applied, gain, hand, answer.replace("\t", " "), seconds)


def rows():
    lines = TABLE.read_text().splitlines() if TABLE.exists() else []
    return [Row(*line.split("\t")) for line in lines if not line.startswith("#")]


def keep(found):
    with KEEPING:
        kept = sorted([row for row in rows() if row.name != found.name] + [found])
        TABLE.parent.mkdir(parents=True, exist_ok=True)
        head = f"# scripts/compare forms try; commit {commit()}, {platform.machine()}\n# " + "\t".join(Row._fields) + "\n"
        TABLE.write_text(head + "".join("\t".join(row) + "\n" for row in kept))
        print(*found, sep="  ", flush=True)


def try_all(options):
    options.folder.mkdir(parents=True, exist_ok=True)
    known = {row.name for row in rows()}
    todo = [program for program in programs()
            if program[0] in (options.only or [program[0]]) and (options.again or options.only or program[0] not in known)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as workers:
        list(workers.map(lambda program: keep(try_one(*program, options.folder)), todo))
    return 0


class Gains:
    """Of each program on the GPU, by form."""

    def __init__(self):
        self.read = json.loads(MEASURED.read_text())

    def of(self, row, form):
        forms = self.read["programs"].get(row.name, {})
        times = [min(forms.get(each, {}).get("nanoseconds") or [0]) for each in (AS_IT_WAS, form)]
        return times[0] / times[1] if all(times) else None

    def rewritten(self, row):
        return self.of(row, REWRITTEN) if row.applied else None

    def by_hand(self, row):
        return self.of(row, BY_HAND)

    def agrees(self, row):
        return self.read["programs"].get(row.name, {}).get(REWRITTEN, {}).get("prints") in ("same", "close")

    def machine(self):
        about = self.read["machine"]
        return f"{about['gpu']}, driver {about['driver']}, CUDA {about['toolkit']}, {about['date']}"


def median_of(values, form):
    return format(statistics.median(values), form) if values else ""


def summary(half, gains):
    """(what, number) of a half."""
    worth = [row for row in half if (gains.by_hand(row) or 1) >= LEAST_GAIN and row.family != "refused"]
    enough = [row for row in worth if ((gains.rewritten(row) or 1) - 1) / (gains.by_hand(row) - 1) >= ENOUGH]
    refused = [row for row in half if row.family == "refused"]
    applied = [row for row in half if row.applied and row.family != "refused"]
    measured = [row for row in half if gains.rewritten(row)]
    errors = [abs(float(row.gain) / gains.rewritten(row) - 1) for row in measured]
    yield "programs tried", len(half)
    yield f"by hand {LEAST_GAIN}x or more on the GPU", len(worth)
    yield f"of them rewritten for {ENOUGH:.0%} of that gain or more", f"{len(enough)} ({len(enough) / max(1, len(worth)):.0%})"
    yield "of them rewritten at all", sum(bool(row.applied) for row in worth)
    yield "rewritten, all", len(applied)
    yield "median of their gains, on the GPU", median_of([gains.rewritten(row) for row in applied if gains.rewritten(row)], ".2f") + "x"
    yield "of them slower on the GPU", sum(gains.rewritten(row) < 1 for row in measured)
    yield "predicted gains are off by, median", median_of(errors, ".0%")
    yield "rewritten ones that print the same on the GPU", f"{sum(gains.agrees(row) for row in measured)} of {len(measured)}"
    yield "of those to be refused, rewritten", f"{sum(bool(row.applied) for row in refused)} of {len(refused)}"


def times(gain):
    return f"{float(gain):.2f}x" if gain else ""


def page():
    found, gains = rows(), Gains()
    halves = [list(summary([row for row in found if row.half == half], gains)) for half in ("seen", "unseen")]
    lines = ["| | seen | unseen |", "|---|---|---|", *(f"| {what} | {seen} | {unseen} |" for (what, seen), (_, unseen) in zip(*halves))]
    tables = []
    for family, (where, expert) in FAMILIES.items():
        tables += [f"\n## {where[0].upper() + where[1:]}\n", f"What an expert does: {expert}.\n",
                   "| program | half | by hand | rewritten | the model: by hand | rewritten | applied, or the answer |", "|---|---|---|---|---|---|---|"]
        tables += [f"| {row.name} | {row.half} | {times(gains.by_hand(row))} | {times(gains.rewritten(row))} | {times(row.by_hand)} | {times(row.gain)} | "
                   f"{row.applied or row.answer} |" for row in found if row.family == family]
    made = TABLE.read_text().splitlines()[0].removeprefix("# ")
    return "\n".join([
        "# The rewrites on programs that lose lanes", "",
        f"{len(found)} of the {len(list(programs()))} programs of [bench/rewrites](../bench/rewrites/README.md), written before a rewrite was run on one of them, with",
        "the best form of each that somebody made by hand. A hash of the name says which were looked at while the rewrites were made. Gains are",
        f"those of all kernels of a program on a GPU ({gains.machine()}; `scripts/measure forms`), and beside them",
        f"what the model of an H200 says. Made by `{made}`.", "",
        "Two of those that look like others and must stay as they are have been rewritten, and may be: in `claim-seats` what is counted beside the",
        "`atomicCAS` is summed by block, and who gets a seat is decided as before; in `dither-by-thread` the work is given the thread number of its",
        "item. The time of `stronger-neighbours` on the GPU is nearly all the first touch of its managed memory.", "",
        *lines, *tables, ""])


def write(options):
    text = page()
    if options.check:
        return 0 if PAGE.exists() and PAGE.read_text() == text else 1
    PAGE.write_text(text)
    return 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n\n")[0])
    commands = parser.add_subparsers(required=True)
    trying = commands.add_parser("try")
    trying.add_argument("folder", type=pathlib.Path)
    trying.add_argument("--only", action="append")
    trying.add_argument("--again", action="store_true")
    trying.add_argument("--jobs", type=int, default=1)
    trying.set_defaults(run=try_all)
    writing = commands.add_parser("write")
    writing.add_argument("--check", action="store_true")
    writing.set_defaults(run=write)
    options = parser.parse_args()
    return options.run(options)
