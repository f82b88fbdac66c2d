# SPDX-License-Identifier: Apache-2.0
"""Programs in which every kernel is rewritten in one way at a time, so that one run tells of many rewrites.

A round of a program is its source with at most one rewrite in each kernel. Kernels do not touch each other, so the time of a
kernel in a round, over its time in the program as it is, is what its rewrite gains. A rewrite that launches further kernels
has the new ones of its round for itself.
"""

import json
import os
import pathlib
import re
import subprocess

from measuring.machine import ROOT

HEDDLE = os.environ.get("HEDDLE", ROOT / "build/release/bin/heddle")
LEAST_BOUND = 1.03  # as driver/Places.cpp: what a branch loses must be worth that much
LAUNCHES_MORE = ("split-branch",)
LONGEST_RUN = 4  # of a word, as rewrite/schedule_iterations


def base_name(kernel):
    return kernel.split("(")[0].split("<")[0].split("::")[-1].split(" ")[-1]


def kernel_lines(text):
    """(name, first line, last line, body) of every kernel; a helper belongs to the one kernel that names it."""
    lines = text.splitlines()
    found, helpers = [], []
    at = 0
    while at < len(lines):
        head = " ".join(lines[at:at + 3])
        is_kernel = lines[at].startswith(("__global__", "template")) and "__global__" in head
        is_helper = lines[at].startswith(("__device__", "template")) and "__device__" in head and not is_kernel
        if not is_kernel and not is_helper:
            at += 1
            continue
        end = next((i for i in range(at, len(lines)) if lines[i].startswith("}")), len(lines) - 1)
        body = "\n".join(lines[at:end + 1])
        name = re.search(r"(\w+)\s*\(", re.sub(r"__launch_bounds__\s*\([^)]*\)", "", body))
        if name:
            (found if is_kernel else helpers).append((name[1], at + 1, end + 1, body))
        at = end + 1
    for name, first, last, _ in helpers:
        users = [kernel for kernel in found if re.search(rf"\b{name}\b", kernel[3])]
        if len(users) == 1:
            found.append((users[0][0], first, last, ""))
    return found


def edits_of(diff):
    """(first line, lines to remove, lines to put there) of a unified diff, against the original."""
    edits, line, removed, added, start = [], 0, 0, [], 0

    def close():
        nonlocal removed, added
        if removed or added:
            edits.append((start, removed, tuple(added)))
        removed, added = 0, []
    for text in diff:
        head = re.match(r"@@ -(\d+)", text)
        if head:
            close()
            line = int(head[1])
        elif text.startswith(("-", "+")):
            if not removed and not added:
                start = line
            if text[0] == "-":
                removed += 1
                line += 1
            else:
                added.append(text[1:])
        elif text.startswith(" ") or not text:
            close()
            line += 1
    close()
    return tuple(edits)


def apply(lines, edits):
    """Edits of several rewrites; those that several make are made once."""
    result = list(lines)
    for first, removed, added in sorted(set(edits), reverse=True):
        result[first - 1:first - 1 + removed] = added
    return result


def run(source, device_code="nvcc"):
    """The profile of a program and what it printed; nothing where it does not compile or run."""
    path = source.with_suffix(".profile.json")
    done = subprocess.run([HEDDLE, "run", source, "--device", "h200", "--jobs", "1", "--quiet", "--no-advice", "--profile", path, "-I",
                           ROOT / "cuda/include", "-I", ROOT / "bench/cuda/lanes", "--device-code", device_code],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0 or not path.exists():
        return None
    profile = json.loads(path.read_text())
    path.unlink()
    return profile, done.stdout.splitlines()


def bound_of(kernel, branch_lines):
    """What the branches of these lines could gain, by line."""
    lost = {}
    for branch in kernel["branches"]:
        for line in [branch["line"]] + [call["line"] for call in branch["inlinedAt"]]:
            if line in branch_lines:
                lost[line] = lost.get(line, 0) + branch["lostCycles"] / max(kernel["laneCycles"], 1)
    by = kernel["timing"]["secondsBy"]
    movable = (by["issue"] + by["latency"]) / max(kernel["timing"]["seconds"], 1e-12)
    return {line: 1 / max(0.01, 1 - min(1.0, share) * movable) for line, share in lost.items()}


def words(diff, kernel, line):
    """Further words of a scheduled loop of two ways: the commoner way up to LONGEST_RUN times."""
    taken = [(branch["lanesTaken"], branch["laneExecutions"]) for branch in kernel["branches"] if branch["line"] == line]
    share = sum(t for t, _ in taken) / max(1, sum(e for _, e in taken))
    for run_length in range(2, LONGEST_RUN):
        letters = ["0"] + ["1"] * run_length if share < 0.5 else ["0"] * run_length + ["1"]
        word = f"word<{', '.join(letters)}>"
        yield word, [text.replace("word<0, 1>", word) for text in diff]


def proposals(source, block):
    """(rewrite, form, line, diff) of every legal rewrite in every form, for blocks of so many threads."""
    printed = subprocess.run([HEDDLE, "fix", source, "--unproven", "--block", ",".join(map(str, block)), "-I", source.parent],
                             capture_output=True, text=True, check=False).stdout
    for part in re.split(rf"^(?={re.escape(str(source))}:\d+: )", printed, flags=re.M)[1:]:
        head, *diff = part.splitlines()
        if " refused: " in head or not any(line.startswith("@@") for line in diff):
            continue
        rewrite, _, form = head.split(": ", 1)[1].partition(" ")
        yield rewrite, form, int(re.match(r".*?:(\d+): ", head)[1]), [line for line in diff if not line.startswith(("---", "+++"))]


def options_of(source, profile):
    """Those at branches that lose enough: dictionaries with kernel, rewrite, form, line, edits."""
    ranges = kernel_lines(source.read_text())
    kernels = {base_name(kernel["name"]): kernel for kernel in profile["kernels"]}
    options = []
    for block in sorted({tuple(kernel["block"]) for kernel in profile["kernels"]}):
        for rewrite, form, line, diff in proposals(source, block):
            owners = [name for name, first, last, _ in ranges if first <= line <= last]
            kernel = kernels.get(owners[0]) if owners else None
            if kernel is None or kernel["launches"] > 1 or tuple(kernel["block"]) != block:
                continue
            if rewrite not in ("launch-bounds", "split-loop") and bound_of(kernel, {line}).get(line, 1) < LEAST_BOUND:
                continue
            forms = [(form, diff), *words(diff, kernel, line)] if form == "word<0, 1>" else [(form, diff)]
            for each_form, each_diff in forms:
                options.append({"kernel": owners[0], "rewrite": rewrite, "form": each_form, "line": line, "edits": edits_of(each_diff)})
    return options


def rounds_of(options):
    """Each a list of options of different kernels; at most one of them launches further kernels."""
    rounds = []
    for option in options:
        more = option["rewrite"] in LAUNCHES_MORE
        free = next((each for each in rounds if all(o["kernel"] != option["kernel"] for o in each) and
                     not (more and any(o["rewrite"] in LAUNCHES_MORE for o in each))), None)
        if free is None:
            rounds.append([option])
        else:
            free.append(option)
    return rounds
