# SPDX-License-Identifier: Apache-2.0
"""Every configuration of the programs of bench/cuda/tune, found without a compiler: the space that `heddle tune` searches.

A configuration is a dictionary: "block" (threads, as 128 or 16x8), "bounds" (blocks of __launch_bounds__), "unroll:LINE", "policy:LINE",
"regroup:LINE" and "set:NAME". Its key is those words in that order, "block=128 bounds=8 unroll:19=4", as `heddle tune` names it.
"""

import itertools
import re

from measuring.machine import ROOT

FOLDER = ROOT / "bench/cuda/tune"
FLAT = [(threads, 1) for threads in (32, 64, 96, 128, 192, 256, 384, 512, 768, 1024)]
SQUARE = [(8, 8), (8, 16), (8, 32), (16, 4), (16, 8), (16, 16), (16, 32), (32, 2), (32, 4), (32, 8), (32, 16), (32, 32), (64, 1), (64, 2), (64, 4),
          (64, 8), (128, 1), (128, 2), (128, 4), (256, 1), (256, 2), (512, 1)]
RESIDENT = (512, 1024, 1536, 2048)  # threads of a multiprocessor that __launch_bounds__ asks for
UNROLL = (1, 2, 4, 8)
POLICIES = {2: ["alternating", "frequency", "laggard", "aging", "word<0, 1>", "word<0, 1, 1>", "word<0, 1, 1, 1>", "word<0, 0, 1>"],
            4: ["alternating", "frequency", "laggard", "aging", "word<0, 1, 2, 3>"]}
WHEN = ["mixed", "always", "never"]


def listed(folder=FOLDER):
    """[(name, kernel, {macro: values})]."""
    found = []
    for line in (folder / "programs.txt").read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        name, kernel, macros, _ = [cell.strip() for cell in line.split("|")]
        found.append((name, kernel, {macro: values.split(",") for macro, values in (each.split("=") for each in macros.split())}))
    return found


def device_lines(text):
    """Numbers of the lines of device functions."""
    numbers, at = set(), 1
    for chunk in text.split("\n\n"):
        count = chunk.count("\n") + 2
        if "__device__" in chunk or "__global__" in chunk:
            numbers.update(range(at, at + count))
        at += count
    return numbers


def loops_to_unroll(text):
    """Lines of the loops that hold no other and have no pragma."""
    lines, device, found = text.splitlines(), device_lines(text), []
    for number, line in enumerate(lines, 1):
        head = re.match(r"( *)for \(.*;.*;.*\)", line)
        if not head or number not in device or "#pragma unroll" in lines[number - 2] or "gridDim" in line:
            continue
        inside = itertools.takewhile(lambda each, depth=len(head[1]): not each.strip() or len(each) - len(each.lstrip()) > depth
                                     or each.startswith("#"), lines[number:])
        if not any(re.match(r" *(for|while) \(", each) for each in inside):
            found.append(number)
    return found


def choices_of(text, macros):
    """[(word, values)] besides the block and its bounds; None leaves a thing as it is."""
    choices = [(f"unroll:{line}", (None, *UNROLL)) for line in loops_to_unroll(text)]
    for number, line in enumerate(text.splitlines(), 1):
        if scheduled := re.search(r"scheduled_loop<heddle::(.*), (\d)>\(", line):
            choices.append((f"policy:{number}", (None, *[each for each in POLICIES[int(scheduled[2])] if each != scheduled[1]])))
        if regrouped := re.search(r"regroup_when::(\w+)", line):
            choices.append((f"regroup:{number}", (None, *[each for each in WHEN if each != regrouped[1]])))
    return choices + [(f"set:{name}", values) for name, values in macros.items()]


def bounds_of(threads):
    return [None, *sorted({most // threads for most in RESIDENT if most >= threads and most // threads <= 32})]


def configurations(text, macros):
    """Every one, as a dictionary."""
    choices = choices_of(text, macros)
    flat = "threadIdx.y" not in text
    for values in itertools.product(*(values for _, values in choices)):
        others = {word: value for (word, _), value in zip(choices, values) if value is not None}
        if macros:  # the macro is the block
            threads = int(others["set:BLOCK"])
            for bounds in bounds_of(threads):
                yield {**({"bounds": bounds} if bounds else {}), **others}
            continue
        for x, y in FLAT if flat else SQUARE:
            for bounds in bounds_of(x * y):
                yield {"block": str(x) if flat else f"{x}x{y}", **({"bounds": bounds} if bounds else {}), **others}


def key_of(configuration):
    return " ".join(f"{word}={value}" for word, value in configuration.items())
