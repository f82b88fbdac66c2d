# SPDX-License-Identifier: Apache-2.0
"""What is claimed of a GPU's records, and the table that says whether it holds.

Each record with a bar belongs to one claim; a claim shows its worst record.
"""

import statistics
import sys

from measuring import bars
from measuring.page.records import described, number, select

CUB = "cub::DeviceReduce::Sum"
READING = "reading alone, the best way"
LOOP, BEST, LIMIT = "scheduled_loop", "scheduled_loop, best policy", "scheduled_loop, best policy, limit"
STATES = "scheduled_loop, four states"

# says and at are filled with the fields of the worst record, {low} and {high} with the claim's range of log2n;
# a claim is made for each value of the field `each`.
CLAIMS = [
    {"program": "reduce", "where": {"name": "device_reduce", "baseline": CUB}, "each": "type",
     "says": "`device_reduce`, {type}, is as fast as CUB: 2^{low} to 2^{high} elements, odd numbers and starts too",
     "at": "{n} elements, start {first}"},
    {"program": "reduce", "where": {"name": "device_reduce", "baseline": READING}, "each": "type",
     "says": "`device_reduce`, {type}, reaches this share of reading alone, from 2^{low} elements on", "at": "2^{log2n} elements"},
    {"program": "schedule", "where": {"name": BEST}, "each": "p",
     "says": "`scheduled_loop`, the best policy, two equal paths, p = {p:.2f}, over the plain loop", "at": "policy {policy}"},
    {"program": "schedule", "where": {"name": LIMIT},
     "says": "the same, as a share of the speed that its number of turns allows", "at": "p = {p:.2f}, policy {policy}"},
    {"program": "schedule", "where": {"name": STATES},
     "says": "`scheduled_loop`, {policy}, four states of unequal cost, over the plain loop", "at": "{iterations} iterations"},
    {"program": "regroup", "where": {"bar": lambda bar: bar is not None and bar > 1, "multiplyAdds": 400}, "each": "ways",
     "says": "`regrouped_loop`, {ways} ways of {multiplyAdds} multiply-adds, over the plain loop", "at": "blocks of {blockSize}"},
    {"program": "regroup", "where": {"bar": lambda bar: bar is not None and bar > 1, "multiplyAdds": 50},
     "says": "`regrouped_loop`, {ways} ways of {multiplyAdds} multiply-adds, over the plain loop", "at": "blocks of {blockSize}"},
    {"program": "regroup", "where": {"bar": lambda bar: bar is not None and bar < 1},
     "says": "`regrouped_loop` costs little where its rule refuses: share of the plain loop's speed",
     "at": "{ways} ways of {multiplyAdds} multiply-adds, blocks of {blockSize}"},
    {"program": "photon", "where": {"name": "photon, best form"}, "each": "model",
     "says": "photon transport, {model}: the best form over the native one", "at": "{form}"},
    {"program": "photon", "where": {"name": "photon, what heddle fix makes"},
     "says": "photon transport: the flattened form over the native one; `heddle fix` refuses it", "at": "{model}"},
    {"program": "xray", "where": {"name": "xray, best form"}, "each": "case",
     "says": "X-ray transport, {case}: the best form over the native one", "at": "{form}"},
]


def parts(rows, key):
    """The rows of each value of a field, or all of them."""
    return [select(rows, {key: value}) for value in dict.fromkeys(row[key] for row in rows)] if key else [rows]


def claim_of(claim, rows):
    """The cells of one claim: says, asked, worst, where, holds."""
    if len({row["bar"] for row in rows}) != 1:
        sys.exit(f"update_measured: the records of one claim have different bars: {described(rows[0])}")
    worst = min(rows, key=lambda row: row["speedup"])
    places = [row["log2n"] for row in rows if "log2n" in row] or [0]
    bar = worst["bar"]
    return (claim["says"].format(low=min(places), high=max(places), **worst), f"{bar:.10g}", number(worst["speedup"], bar),
            claim["at"].format(**worst), all(row["holds"] for row in rows))


def claims_of_records(gpu):
    cells, seen = [], []
    for claim in CLAIMS:
        rows = select(gpu.of(claim["program"], claim["where"]), {"bar": lambda bar: bar is not None})
        seen += map(id, rows)
        cells += [claim_of(claim, part) for part in parts(rows, claim.get("each")) if part]
    for row in gpu.every():
        if row["bar"] is not None and seen.count(id(row)) != 1:
            sys.exit(f"update_measured: {described(row)} has a bar and belongs to {seen.count(id(row))} claims; expected 1")
    return cells


def percent(share, bar=None):
    return f"{number(100 * share, bar and 100 * bar)} %"


def claims_of_models(rows):
    if not rows:
        return []
    worst = max(rows, key=lambda row: abs(row["error"]))
    median = statistics.median(abs(row["error"]) for row in rows)
    wrong = [row for row in rows if bars.wrong_sign(row)]
    return [(f"modelled speedups, median error of {len(rows)}", f"at most {percent(bars.MODEL_MEDIAN)}",
             percent(median, bars.MODEL_MEDIAN), "all programs", median <= bars.MODEL_MEDIAN),
            ("modelled speedups, worst error", f"at most {percent(bars.MODEL_WORST)}",
             percent(abs(worst["error"]), bars.MODEL_WORST), described(worst), abs(worst["error"]) <= bars.MODEL_WORST),
            (f"modelled speedups say faster or slower rightly, beyond {percent(bars.SAME)}", "none wrong", str(len(wrong)),
             described(wrong[0]) if wrong else "", not wrong)]


def claims_of_account(rows):
    """The worst of those without a named reason is shown."""
    if not rows:
        return []
    without = [row for row in rows if not row["reason"]]
    worst = max(without, key=lambda row: abs(row["difference"]))
    return [(f"active threads in the account, as a GPU counts them; {len(rows) - len(without)} of {len(rows)} kernels differ for a "
             "[named reason](design/engine.md#against-a-gpu)", f"within {percent(bars.ACCOUNT)}",
             percent(abs(worst["difference"]), bars.ACCOUNT), worst["name"], abs(worst["difference"]) <= bars.ACCOUNT)]


def table(gpu):
    lines = ["| claim | asked for | worst | where | holds |", "|---|---|---|---|---|"]
    for says, asked, worst, where, holds in [*claims_of_records(gpu), *claims_of_models(gpu.models), *claims_of_account(gpu.account)]:
        lines.append(f"| {says} | {asked} | {worst} | {where} | {'yes' if holds else '**no**'} |")
    return lines
