# SPDX-License-Identifier: Apache-2.0
"""scripts/measure examples, with an nvcc and a GPU that are made up."""

import json
import pathlib
import subprocess
import tempfile
import unittest

from measuring_scripts import put_scripts

# Makes programs that take the milliseconds their sources hold, and print what those print.
NVCC = """#!/bin/sh
case "$1" in --version) echo "Cuda compilation tools, release 13.0, V13.0.88"; exit;; esac
for argument; do
  case "$argument" in */examples/*.cu) [ -n "$source" ] || source=$argument;; esac
  program=$argument
done
{ echo '#!/bin/sh'; cat "$source"; } >"$program"
chmod +x "$program"
"""


def source(milliseconds, prints="same"):
    return f'echo {prints}; printf "{milliseconds / 2}\\n{milliseconds / 2}\\n" >"$HEDDLE_KERNEL_TIMES"\n'


class MeasureExamples(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        put_scripts(self.root)
        self.put("tools/nvcc", NVCC)
        self.put("tools/nvidia-smi", '#!/bin/sh\necho "NVIDIA H200, 570.1"\n')
        self.put("test/examples/expected/01-loop.h200.json", json.dumps({"applied": ["regroup"], "speedup": 1.5}))
        self.put("examples/01-loop/loop.cu", source(3))

    def tearDown(self):
        self.folder.cleanup()

    def put(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def measure(self, *arguments):
        settings = {"PATH": f"{self.root}/tools:/usr/bin:/bin", "HEDDLE_COMMIT": "abc"}
        return subprocess.run([self.root / "scripts/measure", "examples", "--samples", "3", *arguments], check=False,
                              capture_output=True, text=True, env=settings)

    def record(self):
        return json.loads((self.root / "results/nvidia-h200/examples.json").read_text())[0]

    def test_a_prediction_that_holds(self):
        self.put("examples/fixed/01-loop.cu", source(2.2))
        done = self.measure()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual({**self.record(), "date": ""}, {
            "name": "01-loop", "params": {"applied": "regroup", "predictedSpeedup": 1.5, "equalOutput": True},
            "medianMs": 2.2, "spread": 0, "baseline": "as it was", "baselineMs": 3, "speedup": 1.3636, "bar": None,
            "holds": True, "gpu": "NVIDIA H200", "driver": "570.1", "toolkit": "13.0", "date": "", "commit": "abc"})

    def test_a_prediction_that_is_missed(self):
        self.put("examples/fixed/01-loop.cu", source(2.5))
        self.assertEqual(self.measure().returncode, 1)
        self.assertFalse(self.record()["holds"])

    def test_another_output_is_a_failure(self):
        self.put("examples/fixed/01-loop.cu", source(2, "other"))
        done = self.measure()
        self.assertEqual(done.returncode, 1)
        self.assertIn("DIFFERENT OUTPUT", done.stdout)

    def test_a_program_that_fails_is_an_error(self):
        self.put("examples/fixed/01-loop.cu", "echo broken >&2; exit 3\n")
        done = self.measure()
        self.assertEqual(done.returncode, 2)
        self.assertIn("broken", done.stderr)

    def test_unknown_lessons_are_named(self):
        self.put("examples/fixed/01-loop.cu", source(2))
        done = self.measure("02-loop")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there are: 01-loop", done.stderr)


unittest.main()
