# SPDX-License-Identifier: Apache-2.0
"""The page: for each benchmark a paragraph whose numbers come from the records, and its figures.

A section is left out where the GPU has no records for it.
"""

import json
import pathlib
import re
import statistics

from measuring import bars, compare_intervals
from measuring.page import claims
from measuring.page.claims import BEST, CUB, LIMIT, LOOP, READING, STATES, percent
from measuring.page.figures import FIGURES
from measuring.page.records import described, listed, number, select, span

STUDIES = pathlib.Path(__file__).resolve().parents[3] / "studies"


def speedups(rows):
    return [row["speedup"] for row in rows]


def most(rows):
    return max(rows, key=lambda row: row["speedup"])


def least(rows):
    return min(rows, key=lambda row: row["speedup"])


def reduce_text(gpu):
    over_cub = gpu.of("reduce", {"name": "device_reduce", "baseline": CUB})
    worst, small = least(over_cub), min(over_cub, key=lambda row: row["n"])
    largest = select(over_cub, {"log2n": max(row["log2n"] for row in over_cub)})
    reading = gpu.of("reduce", {"name": "device_reduce", "baseline": READING})
    return (f"`device_reduce` sums {listed(dict.fromkeys(row['type'] for row in over_cub))} in one launch. It is "
            f"{number(worst['speedup'], worst['bar'])} to {number(max(speedups(over_cub)))} times as fast as CUB over "
            f"{len(over_cub)} records: each power of two, three less, one more, and with a start one element later. "
            f"Small sums gain most: nearly all of their {number(1000 * small['medianMs'])} µs at 2^{small['log2n']} elements is the "
            f"launch. At 2^{largest[0]['log2n']} elements it reads {span([row['gigabytesPerSecond'] for row in largest])} GB/s, and "
            f"from 2^{reading[0]['log2n']} on it is {span(speedups(reading))} times as fast as the best kernel found that only reads.")


def collectives_text(gpu):
    rows = gpu.of("reduce", {"name": lambda name: name in ("warp_reduce", "block_reduce")})
    pairs = listed(f"`{row['name']}` {number(row['speedup'])}" for row in rows)
    rungs = listed(number(row["speedup"]) for row in gpu.of("reduce", {"name": "ladder"}))
    return (f"Over CUB's collectives, {rows[0]['threads']} threads: {pairs}; nothing was asked of them. The ladder is five textbook "
            f"reductions, each without a fault of the one before; as `heddle/reduce.cuh` has them, rungs 2 to 5 reach {rungs} times "
            "the speed of the first.")


def schedule_text(gpu):
    best = gpu.of("schedule", {"name": BEST, "iterations": 200})
    short = gpu.of("schedule", {"name": BEST, "iterations": 10})
    slow = least(gpu.of("schedule", {"name": LOOP}))
    states = most(gpu.of("schedule", {"name": STATES}))
    gains = listed(f"{number(row['speedup'])} at p = {row['p']:.2f} ({row['policy']})" for row in best)
    limits = speedups(gpu.of("schedule", {"name": LIMIT, "iterations": 200}))
    return ("`scheduled_loop` lets a warp run one path a turn, the one that a policy picks, instead of both sides of a branch each "
            f"iteration. Two paths of equal length, 200 iterations, the best policy over the plain loop: {gains}. That is "
            f"{span(limits)} of the speed that so many turns allow: choosing costs next to nothing. Four states with shares and costs "
            f"of a published photon simulation gain {number(states['speedup'], states['bar'])} under {states['policy']}, which weighs "
            f"what a state costs. With ten iterations there is little to collect: the best policy has {span(speedups(short))}, and "
            f"the wrong one loses ({slow['policy']}, p = {slow['p']:.2f}: {number(slow['speedup'])}).")


def regroup_text(gpu):
    mixed = gpu.of("regroup", {"when": "mixed", "iterations": 200})
    best = most(mixed)
    refused = select(mixed, {"bar": lambda bar: bar is not None and bar < 1})
    anyway = gpu.of("regroup", {"when": "always", "iterations": 200, "warpsAgree": "yes"})
    short = select(mixed, {"bar": None, "speedup": lambda speedup: speedup < 1})
    return ("`regrouped_loop` sorts the threads of a block by the way they take next, so that warps agree again. The longer the ways "
            f"and the more of them, the more it pays: up to {number(best['speedup'])} ({best['ways']} ways of {best['multiplyAdds']} "
            f"multiply-adds, blocks of {best['blockSize']}). `mixed` is its default rule, which sorts only where warps are mixed and "
            f"ways are long; `never` is its plain form. Where the rule refuses, {span(speedups(refused))} of the plain loop's speed "
            f"is left; sorting warps that agree anyway would leave {span(speedups(anyway))}. Ways below about 100 instructions are "
            f"[not claimed](#what-is-not-claimed): {span(speedups(short))}.")


def pays_from(rows, steps):
    """The least share from which on the partition is ahead of the test, or None."""
    ahead = None
    for share in sorted({row["elsePercent"] for row in rows}, reverse=True):
        here = {row["form"]: row["speedup"] for row in select(rows, {"steps": steps, "elsePercent": share})}
        if here["by partition"] <= here["by test"]:
            break
        ahead = share
    return ahead


def crossover(rows):
    """From 1 % else on at 16, 64 and 256 steps."""
    groups = {}
    for steps in sorted({row["steps"] for row in rows}):
        groups.setdefault(pays_from(rows, steps), []).append(steps)
    return listed(f"{'nowhere' if share is None else f'from {share} % else on'} at {listed(steps)} steps"
                  for share, steps in groups.items())


def split_text(gpu):
    rows = gpu.of("split", {"name": "split"})
    forms = {form: select(rows, {"form": form}) for form in dict.fromkeys(row["form"] for row in rows)}
    spans = listed(f"{span(speedups(part))} {form}" for form, part in forms.items())
    worst = least(rows)
    copies = gpu.of("split", {"name": "partition"})
    return (f"A kernel whose else-branch needs many registers runs at {percent(worst['nativeOccupancy'])} occupancy; as two kernels "
            f"the lean branch has {percent(worst['leanOccupancy'])}. Over {worst['elements']} elements with a random mask, speedups "
            f"over the one kernel are {spans}. The least is at {worst['elsePercent']} % else and {worst['steps']} steps of work "
            f"({worst['form']}). **Crossover:** the partition, its cost included, is ahead of the test {crossover(rows)}. `reused` "
            "is with a partition that is there already. Alone, a partition moves its elements at "
            f"{span(speedups(copies))} of the speed of a device copy.")


def models_text(gpu):
    lines = [f"`heddle run --device` predicts speedups; {len(gpu.models)} of the points above are small enough for the engine. "
             "How: [design/timing.md](design/timing.md).", "",
             "| program | points | median error | worst error | wrong sign |", "|---|---|---|---|---|"]
    for program in dict.fromkeys(row["program"] for row in gpu.models):
        rows = select(gpu.models, {"program": program})
        errors = [abs(row["error"]) for row in rows]
        lines.append(f"| {program} | {len(rows)} | {percent(statistics.median(errors))} | {percent(max(errors))} | "
                     f"{sum(map(bars.wrong_sign, rows))} |")
    return "\n".join(lines)


def times_text(gpu):
    lines = ["An estimated time comes with an interval: nine of ten true times are to lie inside. It is learned from the half of the kernels "
             "that a hash of their names calls seen, and judged by the other half; by kind of kernel where there are enough, and by whose "
             "machine code is known ([how](design/timing.md#how-far-a-time-can-be-trusted)). `high / low` is how wide the median one is. Kernels "
             "of lessons and studies, in view when the model was made, teach what is rare among the others (`busy`: bound by issue or memory) and "
             "judge nothing. Made by `scripts/compare intervals`."]
    titles = {"nvcc": "With nvcc's code and ptxas' plan:", "clang": "With clang's code, without a toolkit:"}
    for code, rows in gpu.times.items():
        table = compare_intervals.summary(rows, compare_intervals.stored(compare_intervals.CODES[code]))
        lines += ["", titles[code], "", table]
    return "\n".join(lines)


def account_text(gpu):
    within = sum(abs(row["difference"]) <= bars.ACCOUNT for row in gpu.account)
    counted = gpu.account[0]["gpu"]
    return (f"How many threads of a warp instruction are active: the engine's account against Nsight Compute, read on {counted['date']} "
            f"at commit {counted['commit']}. {within} of {len(gpu.account)} kernels are within {percent(bars.ACCOUNT)}. The others "
            "differ because nvcc makes other machine code than the engine counts, and "
            "[each says why](design/engine.md#against-a-gpu).")


def studies_text(gpu):
    lines = ["Published experiments, measured again; [what they found on modelled GPUs](studies.md) tells what each is about.", "",
             "| study | over | speedup | records |", "|---|---|---|---|"]
    for program, rows in gpu.records.items():
        declaration = STUDIES / program / "study.json"
        if rows and declaration.exists():
            title = json.loads(declaration.read_text())["title"]
            anchor = re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-")
            over = listed(dict.fromkeys(row["baseline"] for row in rows))
            lines.append(f"| [{title}](studies.md#{anchor}) | {over} | {span(speedups(rows))} | {len(rows)} |")
    return "\n".join(lines)


def limits_text(gpu):
    spreads = sorted(gpu.every(), key=lambda row: row["spread"])
    short = gpu.of("regroup", {"when": "mixed", "iterations": 200, "bar": None, "speedup": lambda speedup: speedup < 1})
    lines = ["- One GPU in one machine: nothing is said of others.",
             f"- {sum(row['bar'] is None for row in gpu.every())} of {len(gpu.every())} records have no bar: they show where something "
             "does not pay as much as where it does.",
             f"- Samples spread by {percent(spreads[len(spreads) // 2]['spread'])} in the median record; most in "
             f"{described(spreads[-1])} ({percent(spreads[-1]['spread'])}), which takes {number(1000 * spreads[-1]['medianMs'])} µs."]
    if short:
        cases = listed(f"{row['ways']} of {row['multiplyAdds']}{' with warps that agree' if row['warpsAgree'] == 'yes' else ''} "
                       f"({number(row['speedup'])})" for row in short)
        lines.insert(1, "- `regrouped_loop` is not free on short ways. Its plain form costs some ten instructions a turn, so where it "
                        f"refuses ways below about 100 instructions the loop is slower than before: multiply-adds {cases}.")
    return "\n".join(lines)


SECTIONS = [
    {"title": "Reduction", "needs": "reduce", "text": reduce_text, "figures": ["reduce-cub", "reduce-rate"]},
    {"needs": "reduce", "text": collectives_text, "figures": ["reduce-reading", "ladder"]},
    {"title": "Iteration scheduling", "needs": "schedule", "text": schedule_text, "figures": ["schedule-share", "schedule-states"]},
    {"title": "Regrouping", "needs": "regroup", "text": regroup_text, "figures": ["regroup-ways", "regroup-blocks"]},
    {"title": "Splitting a branch", "needs": "split", "text": split_text, "figures": ["split-test", "split-partition", "partition"]},
    {"title": "Models", "needs": "models", "text": models_text, "figures": ["models"]},
    {"title": "Times", "needs": "times", "text": times_text, "figures": []},
    {"title": "Account", "needs": "account", "text": account_text, "figures": ["account"]},
    {"title": "Studies", "needs": None, "text": studies_text, "figures": []},
    {"title": "What is not claimed", "needs": None, "text": limits_text, "figures": []},
]


def origin(gpu):
    """When and with what, once where it is the same for all records."""
    runs = dict.fromkeys(f"{row['date']}, commit {row['commit']}, driver {row['driver']}, CUDA {row['toolkit']}" for row in gpu.every())
    return "; ".join(runs)


def images(gpu, names):
    return "\n".join(f'<img src="measured/{gpu.slug}-{name}.svg" alt="{FIGURES[name]["title"]}" width="49%">' for name in names)


def section(gpu, drawn):
    lines = []
    for part in SECTIONS:
        if part["needs"] is None or gpu.of(part["needs"], {}):
            lines += [f"### {part['title']}", ""] if "title" in part else []
            names = [name for name in part["figures"] if name in drawn]
            lines += [part["text"](gpu), "", *([images(gpu, names), ""] if names else [])]
    return lines


def page(gpus, drawn):
    """The text; `drawn` has the names of the figures of each GPU."""
    lines = ["# What was measured", "",
             "The device library, the studies and Heddle's own models against real GPUs. Rivals took their samples in turns, in one "
             "run; a time is the median, a speedup the other's time over ours.", "",
             "Made by `scripts/update_measured` from `results/`, which `scripts/measure programs`, `scripts/compare models`, "
             "`counters`, `times` and `lanes` fill.", ""]
    for gpu in gpus:
        rows = gpu.every()
        held = [row["holds"] for row in rows if row["bar"] is not None]
        lines += [f"## {rows[0]['gpu']}", "", f"{origin(gpu)}.", "",
                  f"{len(rows)} records; {len(held)} have a bar, a least speedup that was asked for: {sum(held)} hold, "
                  f"{len(held) - sum(held)} do not. The worst of each claim:", "", *claims.table(gpu), "", *section(gpu, drawn[gpu.slug])]
    return "\n".join(lines).rstrip() + "\n"
