# SPDX-License-Identifier: Apache-2.0
"""Programs whose threads share work, wait for each other or race give the same answer every time: what they print, and their profile,
to the last byte but for the time that we take. On one core and on two, beside a process that keeps a core busy
(docs/design/engine.md, "One order"). HEDDLE_EVERY=1 takes all programs, examples and studies, else some."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from heddle_run import SOURCE, run

os.environ.update(HEDDLE_DEVICE_CODE="clang", HEDDLE_CODE="lanes")
EVERY = "HEDDLE_EVERY" in os.environ
SOME = ("03-resident-blocks", "atomics-float", "bellman-ford", "chained-scan", "grid-barrier", "hash-table", "last-block",
        "persistent-queue", "poll-with-clock", "printf", "spin-lock", "work-queue")
# What lets threads see who came first: an atomic, a lock, a poll, a barrier of the grid, the device's heap.
SHARES = re.compile(r"\batomic|volatile|this_grid|__nanosleep|__threadfence|printf\(|malloc\(|threads? take|\batom\.|\bred\.|"
                    r"fetch_add|compare_exchange")
# Threads of the host that launch at the same time.
LEFT_OUT = re.compile(r"host-threads|^openmp-")
FOLDERS = ("apps", "coverage", "features", "lessons", "traps")
XRAY = ("main.cpp", "angles.cpp", "image.cpp", "materials.cpp", "phantom.cpp", "xray.cu")
EXAMPLES = (
    (("examples/photon/main.cpp", "examples/photon/input.cpp", "examples/photon/photon.cu"), (),
     ("--form", "persistent", "{input}"), "run a\nphotons 3000\nlayer 1.0 10 90 0.75 0.02\n"),
    (tuple(f"examples/xray/{name}" for name in XRAY), ("-lpng",),
     ("--form", "persistent", "--phantom", "slab:water:5", "--energy", "50", "--pencil", "--xrays", "3000"), ""),
)


def programs():
    for folder in FOLDERS:
        for path in sorted((SOURCE / "test" / "programs" / folder).glob("*.cu")):
            code = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
            if path.stem in SOME or (EVERY and SHARES.search(code) and not LEFT_OUT.search(path.name)):
                yield path
    if EVERY:
        yield from sorted((SOURCE / "examples").glob("0*/*.cu"))


def without_our_time(part):
    """Of a profile: all but the time that the engine took."""
    if isinstance(part, list):
        return [without_our_time(each) for each in part]
    if not isinstance(part, dict):
        return part
    is_ours = "launches" in part or "estimatedSeconds" in part
    return {key: without_our_time(each) for key, each in part.items() if not (is_ours and key == "seconds")}


def answer(jobs, sources, flags=(), words=()):
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / "profile.json"
        done = run("run", *map(str, sources), *flags, "--jobs", str(jobs), "--profile", str(profile), "--no-advice", "--quiet",
                   "--", *words, cwd=SOURCE)
        found = json.loads(profile.read_text(encoding="utf-8")) if profile.exists() else {}
        return done.returncode, done.stdout, json.dumps(without_our_time(found), indent=1)


class SameAnswer(unittest.TestCase):
    maxDiff = None
    @classmethod
    def setUpClass(cls):
        cls.busy = subprocess.Popen([sys.executable, "-c", "import os\nparent = os.getppid()\nwhile os.getppid() == parent: pass"])

    @classmethod
    def tearDownClass(cls):
        cls.busy.kill()
        cls.busy.wait()

    def expect_the_same(self, *what):
        (code, text, profile), two = answer(1, *what), answer(2, *what)
        self.assertEqual((code, text), two[:2])
        self.assertMultiLineEqual(profile, two[2])

    def test_programs(self):
        found = list(programs())
        self.assertGreaterEqual({path.stem for path in found}, set(SOME))
        for path in found:
            with self.subTest(program=path.stem):
                self.expect_the_same((path,))

    def test_examples(self):
        for sources, flags, words, text in EXAMPLES if EVERY else EXAMPLES[:1]:
            with self.subTest(example=sources[0]), tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
                file.write(text)
                file.flush()
                self.expect_the_same(sources, flags, [word.format(input=file.name) for word in words])

    @unittest.skipUnless(EVERY, "studies take long")
    def test_studies(self):
        def rows(jobs):
            done = run("study", "all", "--quick", "--json", "--jobs", str(jobs))
            return json.dumps([[on["rows"] for on in study["devices"]] for study in json.loads(done.stdout)["studies"]], indent=1)
        self.assertMultiLineEqual(rows(1), rows(2))


unittest.main()
