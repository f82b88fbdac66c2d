# SPDX-License-Identifier: Apache-2.0
"""The figures of the page, as data: which records, along what, a line for each what.

`by` is a format of a record's fields, `y` defaults to speedup. Where several records of a line share an x, the lowest is drawn.
Bars among the records are drawn; `even` draws a line at 1 instead.
"""

from measuring import bars
from measuring.page import chart
from measuring.page.claims import BEST, CUB, LOOP, READING, STATES

LONG, WIDE = {"iterations": 200}, {"blockSize": 1024}
OVER_LOOP = "speedup over the plain loop"
OVER_ONE = "speedup over one kernel"
ELSE = "elements that take the else-branch, %"

FIGURES = {
    "reduce-cub": {
        "program": "reduce", "where": {"name": "device_reduce", "baseline": CUB}, "x": "log2n", "by": "{type}",
        "title": "device_reduce against CUB, the worst of four at each size", "xLabel": "log2 of the number of elements",
        "yLabel": "speedup over cub::DeviceReduce"},
    "reduce-rate": {
        "program": "reduce", "where": {"name": "device_reduce", "baseline": CUB}, "x": "log2n", "by": "{type}",
        "y": "gigabytesPerSecond", "title": "What device_reduce reads, the worst of four at each size",
        "xLabel": "log2 of the number of elements", "yLabel": "GB/s"},
    "reduce-reading": {
        "program": "reduce", "where": {"name": "device_reduce", "baseline": READING}, "x": "log2n", "by": "{type}",
        "xScale": "ordinal", "title": "device_reduce against reading alone", "xLabel": "log2 of the number of elements",
        "yLabel": "share of the speed of reading"},
    "ladder": {
        "program": "reduction-ladder", "where": {"log2": 24}, "x": "kernel", "by": "", "kind": "bars",
        "title": "Five reductions of 2^24 floats, after the first", "yLabel": "speedup over 1 naive"},
    "schedule-share": {
        "program": "schedule", "where": {"name": LOOP} | LONG, "x": "p", "by": "{policy}",
        "asked": {"name": BEST} | LONG, "title": "scheduled_loop, two equal paths, 200 iterations",
        "xLabel": "share p of the first path", "yLabel": OVER_LOOP},
    "schedule-states": {
        "program": "schedule", "where": {"name": STATES} | LONG, "x": "policy", "by": "", "kind": "bars",
        "title": "scheduled_loop, four states of unequal cost", "yLabel": OVER_LOOP},
    "regroup-ways": {
        "program": "regroup", "x": "ways", "by": "{multiplyAdds} multiply-adds, {when}", "xScale": "ordinal",
        "where": {"when": lambda when: when != "always", "warpsAgree": "no", "multiplyAdds": lambda n: n in (50, 400)} | LONG | WIDE,
        "title": "regrouped_loop, blocks of 1024", "xLabel": "ways, each as likely", "yLabel": OVER_LOOP},
    "regroup-blocks": {
        "program": "regroup", "x": "blockSize", "by": "{ways} ways", "xScale": "ordinal",
        "where": {"when": "mixed", "warpsAgree": "no", "multiplyAdds": 400} | LONG, "even": True,
        "title": "regrouped_loop by size of block, 400 multiply-adds a way", "xLabel": "threads of a block", "yLabel": OVER_LOOP},
    "split-test": {
        "program": "split", "where": {"name": "split", "form": "by test"}, "x": "elsePercent", "by": "{steps} steps",
        "xScale": "ordinal", "even": True, "title": "A branch as two kernels, by test", "xLabel": ELSE, "yLabel": OVER_ONE},
    "split-partition": {
        "program": "split", "where": {"name": "split", "form": "by partition"}, "x": "elsePercent", "by": "{steps} steps",
        "xScale": "ordinal", "even": True, "title": "A branch as two kernels, by partition", "xLabel": ELSE, "yLabel": OVER_ONE},
    "partition": {
        "program": "split", "where": {"name": "partition"}, "x": "elements", "by": "{ways} ways", "xScale": "ordinal",
        "title": "The partition alone", "xLabel": "elements", "yLabel": "speed as a share of a device copy"},
    "models": {
        "program": "models", "where": {}, "x": "measured", "y": "predicted", "by": "a record", "kind": "dots", "xScale": "log",
        "yScale": "log", "band": bars.MODEL_WORST, "title": "The timing model against the GPU", "xLabel": "speedup, measured",
        "yLabel": "speedup, modelled"},
    "account": {
        "program": "account", "where": {}, "x": "gpuActive", "y": "engineActive", "by": "{why}", "kind": "dots",
        "band": bars.ACCOUNT, "title": "The account against the GPU's counters",
        "xLabel": "active threads of a warp instruction, GPU", "yLabel": "the same, engine"},
}


def series_of(rows, spec):
    """{line: [(x, y)]}, lines and labels in the order of the records."""
    series = {}
    for row in rows:
        line = series.setdefault(spec["by"].format(**row), [])
        line.append((row[spec["x"]], row[spec.get("y", "speedup")]))
    return series if spec.get("kind") == "dots" else {name: lowest(points) for name, points in series.items()}


def lowest(points):
    """The lowest at each x."""
    least = {}
    for x, y in points:
        least[x] = min(y, least.get(x, y))
    return list(least.items())


def asked_of(rows, gpu, spec):
    if "even" in spec:
        return [(rows[0][spec["x"]], 1)]
    if "y" in spec:
        return []
    rows = gpu.of(spec["program"], spec["asked"]) if "asked" in spec else rows
    return sorted({(row[spec["x"]], row["bar"]) for row in rows if row["bar"] is not None})


def draw(name, gpu):
    """The figure of that name, or None where there are no records for it."""
    spec = FIGURES[name]
    rows = gpu.of(spec["program"], spec["where"])
    if not rows:
        return None
    return chart.draw(spec | {"series": series_of(rows, spec), "asked": asked_of(rows, gpu, spec),
                              "askedAs": "as fast" if "even" in spec else "asked for"})
