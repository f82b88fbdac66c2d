# SPDX-License-Identifier: Apache-2.0
"""The lessons on a real H200: the table of docs/fix.md, and the sentence of README and lessons that gives times."""

import re

GPU = "nvidia-h200"
BEGIN, END = "<!-- begin measure examples -->\n", "<!-- end measure examples -->\n"
README, OF_README = "../README.md", "09-thread-id"  # the lesson that it opens with
SENTENCE = re.compile(r"On a real H200 it is [\d.]+ us -> [\d.]+ us, [\d.]+x")


def table(records):
    about = sorted({f"commit {row['commit']}, {row['date']}" for row in records})
    first = records[0]
    lines = [f"{first['gpu']}, CUDA {first['toolkit']}, driver {first['driver']}; {'; '.join(about)}; medians.", "",
             "| lesson | applied | predicted then | before | after | measured | off by |", "|---|---|---|---|---|---|---|"]
    for row in records:
        predicted, speedup = row["predictedSpeedup"], row["speedup"]
        lines.append(f"| {row['name']} | `{row['applied'].partition(': ')[2]}` | {predicted:.2f}x | {1e3 * row['baselineMs']:.3g} us | "
                     f"{1e3 * row['medianMs']:.3g} us | {speedup:.2f}x | {abs(speedup / predicted - 1):.0%} |".replace("%", " %"))
    slower = sum(row["speedup"] < 1 for row in records)
    worst = max(abs(row["speedup"] / row["predictedSpeedup"] - 1) for row in records)
    low = sum(row["predictedSpeedup"] < row["speedup"] for row in records)
    lines += ["", f"{len(records) - slower} of {len(records)} are faster than before. No prediction is off by more than {100 * worst:.0f} %; {low} are too low."]
    return "\n".join(lines) + "\n"


def pages(docs, records):
    """The pages that name these measurements, as they should be, by their path in docs/."""
    made = {}
    page = docs / "fix.md"
    if page.exists():
        before, rest = page.read_text().split(BEGIN)
        made["fix.md"] = before + BEGIN + table(records) + END + rest.split(END)[1]
    for row in records:
        for name in [f"guide/{row['name']}.md"] + ([README] if row["name"] == OF_README else []):
            if not (docs / name).exists():
                continue
            says = f"On a real H200 it is {1e3 * row['baselineMs']:.3g} us -> {1e3 * row['medianMs']:.3g} us, {row['speedup']:.2f}x"
            made[name] = SENTENCE.sub(says, (docs / name).read_text())
    return made
