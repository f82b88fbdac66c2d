# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C while a kernel runs: the partial report, the profile, and an end."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

from heddle_run import HEDDLE, SOURCE
from waiting import PATIENCE, processor_seconds_to_end, wait_until_in_kernel


class Interrupt(unittest.TestCase):
    def test_ctrl_c_keeps_what_ran(self):
        program = SOURCE / "test" / "programs" / "checks" / "endless-loop.cu"
        short_run = processor_seconds_to_end([HEDDLE, "run", program, "--quiet", "--max-instructions", "1000"])
        with tempfile.TemporaryDirectory() as folder:
            profile = pathlib.Path(folder) / "p.json"
            with subprocess.Popen([HEDDLE, "run", program, "--profile", profile], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
                wait_until_in_kernel(process, short_run)
                os.killpg(process.pid, signal.SIGINT)  # to the whole group, as a terminal does
                out, _ = process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, 130)
            self.assertIn("partial", out)
            self.assertIn("kernel orbit", out)
            document = json.loads(profile.read_text())
            self.assertEqual(document["ending"], "interrupted")
            self.assertGreater(document["kernels"][0]["warpInstructions"], 1000)


unittest.main()
