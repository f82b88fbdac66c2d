# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C while a kernel runs: the partial report, the profile, and an end."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

from heddle_run import HEDDLE, SOURCE


COMPUTING = 2  # seconds of a processor: far more than a cached program needs to come to its kernel


def children_of(pid):
    return pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def processor_seconds(pid):
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):  # it has ended
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_until_computing(process, patience=120):
    """Until its child has used so much time of a processor that it must be in its endless kernel."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if any(processor_seconds(child) > COMPUTING for child in children_of(process.pid)):
            return
        time.sleep(.1)
    raise TimeoutError(f"no kernel ran within {patience} s")


class Interrupt(unittest.TestCase):
    def test_ctrl_c_keeps_what_ran(self):
        program = SOURCE / "test" / "programs" / "checks" / "endless-loop.cu"
        subprocess.run([HEDDLE, "run", program, "--quiet", "--max-instructions", "1000"], capture_output=True, check=False)
        with tempfile.TemporaryDirectory() as folder:
            profile = pathlib.Path(folder) / "p.json"
            with subprocess.Popen([HEDDLE, "run", program, "--profile", profile], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
                wait_until_computing(process)
                children = children_of(process.pid)
                process.send_signal(signal.SIGINT)
                for child in children:
                    os.kill(int(child), signal.SIGINT)
                out, _ = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130)
            self.assertIn("partial", out)
            self.assertIn("kernel orbit", out)
            document = json.loads(profile.read_text())
            self.assertEqual(document["ending"], "interrupted")
            self.assertGreater(document["kernels"][0]["warpInstructions"], 1000)


unittest.main()
