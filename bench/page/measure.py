#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the page in Chromium, over profiles of real runs, and prints the numbers as JSON.

usage: measure.py HEDDLE PAGE      PAGE is the built page, without data

1. bench/page/walk.cu, one warp of a million instructions: zoom and pan of its lanes
2. 50 kernels in 20,000 lines: how long until the page is there
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent


def middle_and_ends(values):
    """Median, 95th percentile and longest."""
    values = sorted(values)
    return [values[len(values) // 2], values[len(values) * 95 // 100], values[-1]]


def browse(script, page):
    done = subprocess.run(["node", HERE / script, page], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def report_of(heddle, source, folder, *flags):
    page = folder / f"{source.stem}.html"
    environment = dict(os.environ, HEDDLE_DEVICE_CODE="clang", HEDDLE_PTXAS="0")
    subprocess.run([heddle, "run", source, "--quiet", "--report", page, *flags], stdout=subprocess.DEVNULL, env=environment, check=True)
    return page


def main():
    heddle, built = (pathlib.Path(word).absolute() for word in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        walk = report_of(heddle, HERE / "walk.cu", folder, "--record-warps", "1")
        frames = browse("frames.mjs", walk)
        many = folder / "many.cu"
        many.write_text(subprocess.run([HERE / "program.py", "50", "20000"], stdout=subprocess.PIPE, text=True, check=True).stdout)
        lines = many.read_text().count("\n")
        large = report_of(heddle, many, folder)
        opened = browse("open.mjs", large)
        print(json.dumps({
            "browser": frames["browser"],
            "instructions": frames["instructions"],
            "frames": middle_and_ends(frames["frames"]),
            "drawn": middle_and_ends(frames["drawn"]),
            "drawnProcessor": middle_and_ends(frames["drawnProcessor"]),
            "walkOpened": frames["opened"],
            "count": len(frames["frames"]),
            "walkBytes": walk.stat().st_size,
            "lines": lines,
            "largeBytes": large.stat().st_size,
            "opened": middle_and_ends(opened["opened"]),
            "openedProcessor": middle_and_ends(opened["processor"]),
            "pageBytes": built.stat().st_size,
        }))


main()
