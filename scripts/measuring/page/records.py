# SPDX-License-Identifier: Apache-2.0
"""What was measured on one GPU, and how its numbers are written."""

import json
import math
import re

from measuring import compare_intervals


class Gpu:
    """results/GPU: records of programs, the models' comparison, the account's and that of times, each empty where there is none."""

    def __init__(self, folder):
        self.slug = folder.name
        self.records = {path.stem: [flat(record) for record in json.loads(path.read_text())]
                        for path in sorted(folder.glob("*.json")) if path.name != "models.json"}
        self.models = [flat(row) for row in read(folder / "models.json")]
        self.times = {code: compare_intervals.rows_of(folder, code) for code in compare_intervals.CODES
                      if (folder / f"lanes/account-{code}.json").exists()}
        self.account = sorted(map(flat_account, read(folder / "counters/account.json")), key=lambda row: row["why"])

    def every(self):
        return [row for rows in self.records.values() for row in rows]

    def of(self, program, where):
        """The records of a program; also of "models", "account" and "times"."""
        others = {"models": self.models, "account": self.account, "times": [row for rows in self.times.values() for row in rows]}
        return select((self.records | others).get(program, []), where)


def read(path):
    return json.loads(path.read_text()) if path.exists() else []


def flat(record):
    """A record with its parameters beside its other fields; the power of two that a number of elements is next to."""
    row = record["params"] | record
    if "n" in row:
        row["log2n"] = round(math.log2(row["n"]))
    return row


def flat_account(row):
    return row | {"engineActive": row["engine"]["activeThreads"], "gpuActive": row["gpu"]["activeThreads"],
                  "why": "a kernel with a named reason" if row["reason"] else "a kernel"}


def select(rows, where):
    """Those that have these values, or pass these tests."""
    def passes(row, key, wanted):
        return wanted(row.get(key)) if callable(wanted) else row.get(key) == wanted
    return [row for row in rows if all(passes(row, key, wanted) for key, wanted in where.items())]


def number(value, bar=None):
    """Three digits, or as many as it takes to be on the right side of the bar."""
    for digits in range(3, 17):
        text = f"{value:.{digits}g}"
        if bar is None or (float(text) >= bar) == (value >= bar):
            break
    return f"{value:.0f}" if value >= 1000 else re.sub(r"e-0*", "e-", text)


def span(values):
    low, high = number(min(values)), number(max(values))
    return low if low == high else f"{low} to {high}"


def listed(items):
    """a, b and c"""
    items = [str(item) for item in items]
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def described(row):
    """A record in words: its name and parameters that are not results themselves."""
    params = [f"{words(key)} {value}" for key, value in row["params"].items() if not key.endswith(("PerSecond", "Occupancy"))]
    return ", ".join([row["name"], *params])


def words(name):
    """elsePercent: else percent"""
    return re.sub(r"(?<=[a-z0-9])[A-Z]", lambda m: " " + m[0].lower(), name)
