# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C while a kernel runs: the partial report, the profile, and an end."""

import json
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

from heddle_run import HEDDLE, SOURCE


class Interrupt(unittest.TestCase):
    def test_ctrl_c_keeps_what_ran(self):
        program = SOURCE / "test" / "programs" / "checks" / "endless-loop.cu"
        subprocess.run([HEDDLE, "run", program, "--quiet", "--max-instructions", "1000"], capture_output=True, check=False)
        with tempfile.TemporaryDirectory() as folder:
            profile = pathlib.Path(folder) / "p.json"
            with subprocess.Popen([HEDDLE, "run", program, "--profile", profile], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
                time.sleep(3)
                process.send_signal(signal.SIGINT)
                for child in pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
                    subprocess.run(["kill", "-INT", child], check=False)
                out, _ = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130)
            self.assertIn("partial", out)
            self.assertIn("kernel orbit", out)
            document = json.loads(profile.read_text())
            self.assertEqual(document["ending"], "interrupted")
            self.assertGreater(document["kernels"][0]["warpInstructions"], 1000)


unittest.main()
