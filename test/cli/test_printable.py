# SPDX-License-Identifier: Apache-2.0
"""What a source, a #line name, a path or a device file says never reaches a terminal or a picture raw."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

from heddle_run import SOURCE, run, run_on_terminal

EVIL = "\x1b]0;gone\x07\x1b[2J\x9b5A\u202e"
SOURCE_TEXT = f"""#include <cstdio>
__global__ void k(int* a) {{
#line 7 "in\x1b[31mked.cu"
  if (threadIdx.x % 2 == 0) /* {EVIL} µ */ a[threadIdx.x] += 7 * a[threadIdx.x];
}}
int main() {{ int* p; cudaMalloc(&p, 256); cudaMemset(p, 0, 256); k<<<1, 64>>>(p); cudaFree(p); }}
"""


def raw(text):
    """Control characters that are neither line ends, tabs nor colours of ours."""
    return re.findall(r"[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\x1b(?!\[\d*m)", text)


class Printable(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        self.source = self.path / "a\x1b[1mb.cu"
        self.source.write_text(SOURCE_TEXT)

    def device(self):
        device = json.loads((SOURCE / "devices" / "h200.json").read_text())
        device["name"] = "H\x1b[2J200 <b>\x01"
        file = self.path / "device.json"
        file.write_text(json.dumps(device))
        return str(file)

    def test_reports(self):
        for command in (["run", str(self.source)], ["check", str(self.source)], ["check", str(self.path / "no\x1bne.cu")],
                        ["run", str(self.source), "--device", self.device()], ["devices", self.device()],
                        ["run", str(self.source), "--device", "h\x1b[2J"]):
            done = run(*command, stdin=subprocess.DEVNULL)
            self.assertEqual(raw(done.stdout + done.stderr), [], command)
            shown = run_on_terminal(*command, environment={"HOME": os.environ.get("HOME", "/")})
            shown = shown.replace("\r\n", "\n").replace("\r\x1b[K", "")
            self.assertEqual(raw(shown), [], command)
        self.assertIn("\\x1b[31mked.cu:7", run("check", str(self.source)).stdout)

    def test_lines_of_source(self):
        self.source.write_text(re.sub("#line.*\n", "", SOURCE_TEXT))
        self.assertEqual(raw(run("run", str(self.source), "--no-advice").stdout), [])
        done = run("check", str(self.source))
        self.assertEqual(raw(done.stdout + done.stderr), [])
        self.assertIn("/* \\x1b]0;gone\\x07\\x1b[2J", done.stdout)
        self.assertIn(" µ */", done.stdout)

    def test_a_diff_keeps_its_bytes_in_a_pipe_only(self):
        diff = ["fix", str(self.source), "--unproven", "--only", "schedule-iterations"]
        self.assertEqual(raw(run_on_terminal(*diff).replace("\r\n", "\n")), [])

    def test_pictures(self):
        done = run("study", "tiny", "--studies", str(SOURCE / "test" / "studies"), "--quick", "--device", self.device(),
                   "-o", str(self.path / "out"))
        self.assertIn(done.returncode, (0, 1), done.stderr)
        pictures = list((self.path / "out").glob("*.svg"))
        self.assertNotEqual(pictures, [])
        for picture in pictures:
            self.assertEqual(raw(picture.read_text()), [])
            xml.etree.ElementTree.parse(picture)

    def test_a_path_that_is_no_utf8(self):
        name = os.fsencode(self.path) + b"/b\xff.cu"
        os.rename(self.source, name)
        for flags in ([], ["--json"]):
            done = subprocess.run([os.environ["HEDDLE"], "check", name, *flags], capture_output=True, check=False)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            done.stdout.decode()
            done.stderr.decode()


unittest.main()
