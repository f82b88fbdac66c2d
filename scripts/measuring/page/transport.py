# SPDX-License-Identifier: Apache-2.0
"""Photons and X-rays on a real H200, form by form: the tables of docs/transport.md."""

GPU = "nvidia-h200"
PAGE = "transport.md"
BEGIN, END = "<!-- begin measure programs -->\n", "<!-- end measure programs -->\n"
CASE = {"photon": "model", "xray": "case"}


def table(program, records):
    """A row for each form, a column for each case: how many times faster than native; the best of a case in bold."""
    rows = [row for row in records if row["name"] == program]
    cases = list(dict.fromkeys(row[CASE[program]] for row in rows))
    natives = {row[CASE[program]]: row["baselineMs"] for row in rows}
    best = {case: max(row["speedup"] for row in rows if row[CASE[program]] == case) for case in cases}
    lines = ["| form | " + " | ".join(cases) + " |", "|---|" + "---|" * len(cases),
             "| `native` | " + " | ".join(f"{natives[case]:.3g} ms" for case in cases) + " |"]
    for form in dict.fromkeys(row["form"] for row in rows):
        found = {row[CASE[program]]: row["speedup"] for row in rows if row["form"] == form}
        cell = lambda case: "-" if case not in found else f"**{found[case]:.2f}x**" if found[case] == best[case] else f"{found[case]:.2f}x"
        lines.append(f"| `{form}` | " + " | ".join(cell(case) for case in cases) + " |")
    return "\n".join(lines)


def pages(docs, records):
    """The page with these tables, by its path in docs/; nothing where there are none."""
    if not (docs / PAGE).exists() or not all(program in records for program in CASE):
        return {}
    first = records["photon"][0]
    text = (f"{first['gpu']}, CUDA {first['toolkit']}, driver {first['driver']}, commit {first['commit']}, {first['date']}; "
            "`scripts/measure programs photon xray`.\n")
    for program in CASE:
        text += f"\n{table(program, records[program])}\n"
    before, rest = (docs / PAGE).read_text().split(BEGIN)
    return {PAGE: before + BEGIN + text + END + rest.split(END)[1]}
