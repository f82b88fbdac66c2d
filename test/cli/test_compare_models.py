# SPDX-License-Identifier: Apache-2.0
"""scripts/compare models joins measured and modelled speedups, and finds what is off."""

import json
import pathlib
import subprocess
import tempfile
import unittest

from heddle_run import SOURCE


def record(threads, speedup, **more):
    return {"name": "branch-size", "params": {"threads": threads} | more, "medianMs": 1, "spread": 0.01,
            "baseline": "undivided warp", "baselineMs": 1, "speedup": speedup}


class CompareModels(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def compare(self, measured, predicted, *arguments):
        """Runs it with an engine that predicts this."""
        (self.folder / "branch-size.json").write_text(json.dumps(measured))
        engine = self.folder / "heddle"
        lines = "".join(json.dumps(record) + "\n" for record in predicted)
        engine.write_text(f"#!/bin/sh\necho \"$@\" >'{self.folder}/command'\necho a row\ncat <<'END'\n{lines}END\n")
        engine.chmod(0o755)
        return subprocess.run([SOURCE / "scripts/compare", "models", self.folder, "--heddle", engine, *arguments],
                              capture_output=True, text=True, check=False)

    def models(self):
        return json.loads((self.folder / "models.json").read_text())

    def test_joins_by_parameters_and_writes_the_errors(self):
        done = self.compare([record(1, 0.5), record(8, 2.0)], [record(8, 2.2), record(1, 0.5), record(16, 9.0)])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([(row["params"], row["measured"], row["predicted"], row["error"], row["spread"])
                          for row in self.models()],
                         [({"threads": 1}, 0.5, 0.5, 0.0, 0.01), ({"threads": 8}, 2.0, 2.2, 0.1, 0.01)])

    def test_runs_the_program_once_on_the_engine(self):
        self.compare([record(1, 0.5)], [record(1, 0.5)])
        command = (self.folder / "command").read_text().split()
        self.assertEqual(command[:4], ["run", "--quiet", "--device", "h200"])
        self.assertEqual(command[command.index("--"):], ["--", "--records", "1", "--repeats", "1"])

    def test_a_result_among_the_parameters_identifies_nothing(self):
        done = self.compare([record(1, 0.5, bytesPerSecond=3)], [record(1, 0.5, bytesPerSecond=4)])
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_large_error_misses_the_bar(self):
        done = self.compare([record(threads, 2.0) for threads in range(9)],
                            [record(threads, 2.0) for threads in range(8)] + [record(8, 2.6)])
        self.assertEqual(done.returncode, 1)
        self.assertIn("+30.0%  branch-size (threads 8) over undivided warp", done.stdout)

    def test_a_wrong_sign_misses_the_bar(self):
        done = self.compare([record(1, 0.94)], [record(1, 1.01)])
        self.assertEqual(done.returncode, 1)
        self.assertIn("wrong sign", done.stdout)

    def test_a_speedup_of_about_one_has_no_sign(self):
        self.assertEqual(self.compare([record(1, 0.97)], [record(1, 1.03)]).returncode, 0)

    def test_a_point_the_engine_lacks_is_counted(self):
        done = self.compare([record(1, 0.5), record(8, 0.5)], [record(1, 0.5)])
        self.assertRegex(done.stdout, r"branch-size +1 +1 ")

    def test_no_common_point_is_an_error(self):
        done = self.compare([record(1, 0.5)], [record(8, 0.5)])
        self.assertEqual(done.returncode, 2)
        self.assertIn("no point of branch-size", done.stderr)

    def test_two_records_of_a_point_are_an_error(self):
        done = self.compare([record(1, 0.5), record(1, 0.6)], [record(1, 0.5)])
        self.assertEqual(done.returncode, 2)
        self.assertIn("two records", done.stderr)


unittest.main()
