# SPDX-License-Identifier: Apache-2.0
"""The lessons of examples/, as they are and as `heddle fix` leaves them (examples/fixed).

usage: measure examples [--to DIR] [--samples N] [EXAMPLE...]

Runs both by turns and writes what was measured beside what was predicted to results/GPU/examples.json; DIR stands for
results/. Needs nvcc of CUDA 13 or later and a GPU. HEDDLE_COMMIT names the commit where the tree is no git repository.
Exits 1 when a program fails, prints something else than before, or is further from the prediction than 15 %;
2 when it cannot run.
"""

import argparse
import json
import os
import pathlib
import tempfile

from measuring import machine
from measuring.machine import ROOT, output_of, stop

ALLOWED = 0.15  # how far the measured speedup may be from the predicted one


def build(source, program):
    """With a clock around every launch."""
    output_of("nvcc", "-std=c++17", "-O3", "-arch=native", f"-I{ROOT}/cuda/include", "-Xlinker",
              "--wrap=__cudaLaunchKernel", str(source), str(ROOT / "src/gpu/kernel_clock.cu"), "-o", str(program))


def run(program):
    """Milliseconds of all its kernels, and what it prints."""
    times = program.with_suffix(".times")
    settings = {**os.environ, "HEDDLE_KERNEL_TIMES": str(times), "CUDA_MODULE_LOADING": "EAGER"}
    printed = output_of(str(program), env=settings)
    return sum(map(float, times.read_text().split())), printed


def summarize(samples):
    """The median, and the distance of the 10th to the 90th percentile as a share of it."""
    ordered = sorted(samples)
    low, middle, high = (ordered[int(share * (len(ordered) - 1) + 0.5)] for share in (0.1, 0.5, 0.9))
    return middle, (high - low) / middle


def measure(example, folder, samples):
    source, = (ROOT / "examples" / example).glob("*.cu")
    programs = [folder / "before", folder / "after"]
    build(source, programs[0])
    build(ROOT / "examples" / "fixed" / f"{example}.cu", programs[1])
    taken, printed = ([], []), set()
    for _ in range(samples):
        for program, times in zip(programs, taken):
            milliseconds, text = run(program)
            times.append(milliseconds)
            printed.add(text)
    (before, _), (after, spread) = map(summarize, taken)
    expected = json.loads((ROOT / f"test/examples/expected/{example}.h200.json").read_text())
    speedup, predicted = before / after, expected["speedup"]
    return {
        "name": example, "params": {"applied": "; ".join(expected["applied"]), "predictedSpeedup": predicted,
                                    "equalOutput": len(printed) == 1},
        "medianMs": round(after, 6), "spread": round(spread, 4), "baseline": "as it was", "baselineMs": round(before, 6),
        "speedup": round(speedup, 4), "bar": None,
        "holds": len(printed) == 1 and speedup >= 1 and abs(speedup / predicted - 1) <= ALLOWED}


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n\n")[0])
    parser.add_argument("--to", type=pathlib.Path, default=ROOT / "results")
    parser.add_argument("--samples", type=int, default=21)
    parser.add_argument("examples", nargs="*")
    options = parser.parse_args()
    os.environ["PATH"] += ":/usr/local/cuda/bin"
    known = sorted(path.stem for path in (ROOT / "examples" / "fixed").glob("*.cu"))
    for name in options.examples:
        if name not in known:
            stop(f"no lesson '{name}' in examples/fixed; there are: {', '.join(known)}")
    about = machine.describe()
    print(f"{'example':24} {'before':>10} {'after':>10} {'measured':>9} {'predicted':>9}")
    records = []
    for example in options.examples or known:
        with tempfile.TemporaryDirectory() as folder:
            record = measure(example, pathlib.Path(folder), options.samples)
        records.append({**record, **about})
        note = "" if record["holds"] else "  MISSED" if record["params"]["equalOutput"] else "  DIFFERENT OUTPUT"
        print(f"{example:24} {1e3 * record['baselineMs']:7.1f} us {1e3 * record['medianMs']:7.1f} us "
              f"{record['speedup']:8.2f}x {record['params']['predictedSpeedup']:8.2f}x{note}", flush=True)
    folder = options.to / machine.slug(about)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "examples.json").write_text("[" + ",\n ".join(map(json.dumps, records)) + "]\n")
    return 0 if all(record["holds"] for record in records) else 1
