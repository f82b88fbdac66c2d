# SPDX-License-Identifier: Apache-2.0
"""What `heddle fix` makes of the native forms by itself: the flattened and the scheduled one, and for photons the first is proven."""

import os
import re
import subprocess
import unittest

from transport_run import EXAMPLES, TransportTest

PHOTON = [str(EXAMPLES / "photon" / name) for name in ("photon.cu", "main.cpp", "input.cpp")]


def line_of(source, text):
    """Of the first line that holds it."""
    lines = (EXAMPLES / source).read_text().splitlines()
    return 1 + next(number for number, line in enumerate(lines) if text in line)


def fix(*words):
    return subprocess.run([os.environ["HEDDLE"], "fix", *map(str, words)], capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL)


def unproven(source, rewrite, text):
    return fix(EXAMPLES / source, "--unproven", "--only", rewrite, "--line", line_of(source, text)).stdout


class Fix(TransportTest):
    def test_photon_is_flattened(self):
        diff = unproven("photon/photon.cu", "flatten", "while (photon.weight > 0.0f) {")
        self.assertIn("+  while (inside || id < job.photons) {", diff)

    def test_photon_is_scheduled(self):
        diff = unproven("photon/photon.cu", "schedule-iterations", "if (step.hits)")
        self.assertIn("+    heddle::scheduled_loop<heddle::aging, 2>(", diff)

    def test_xray_is_flattened(self):
        diff = unproven("xray/xray.cu", "flatten", "while (xray.state != State::New) {")
        self.assertIn("+  while (inside || id < job.count) {", diff)

    def test_xray_is_scheduled(self):
        diff = unproven("xray/xray.cu", "schedule-iterations", "if (xray.state == State::Compton)")
        self.assertIn("+    heddle::scheduled_loop<heddle::aging, 3>(", diff)
        diff = unproven("xray/xray.cu", "schedule-iterations", "switch (xray.state) {")
        self.assertIn("+  heddle::scheduled_loop<heddle::aging, 4>(", diff)

    def test_flattening_is_proven_and_pays(self):
        text = re.sub(r"photons \d+", "photons 20000", (EXAMPLES / "photon/skin4.txt").read_text())
        done = fix(*PHOTON, "--only", "flatten", "--", self.file(text))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"flatten  1\.[2-9]\dx .*apply")
        self.assertRegex(done.stdout, r"proof: a run of the rewritten program left the same \d+ bytes")


unittest.main()
