# SPDX-License-Identifier: Apache-2.0
"""heddle fix on a program as people write it: the kernel is in a header, a time is printed, and somebody answers."""

import json
import os
import pathlib
import pty
import shutil
import signal
import subprocess
import tempfile
import unittest

import jsonschema

from heddle_run import HEDDLE, SOURCE, run

PROGRAM = SOURCE / "test" / "cli" / "data" / "project"


class Conversation:
    """heddle with a terminal as its input and output."""

    def __init__(self, *arguments, folder):
        self.controller, terminal = pty.openpty()
        settings = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
        self.process = subprocess.Popen([HEDDLE, *arguments], stdin=terminal, stdout=terminal, stderr=terminal, env=settings, cwd=folder)
        os.close(terminal)
        self.shown = ""

    def read_until(self, text):
        """What was shown up to a text that came now; all up to the end where it does not come."""
        begin = len(self.shown)
        while text not in self.shown[begin:]:
            try:
                part = os.read(self.controller, 65536)
            except OSError:  # the other side is closed
                break
            if not part:
                break
            self.shown += part.decode(errors="replace")
        return self.shown[begin:]

    def say(self, text):
        os.write(self.controller, text.encode())

    def end(self):
        self.read_until("\0 never comes")
        os.close(self.controller)
        return self.process.wait()


class Projects(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name) / "project"
        shutil.copytree(PROGRAM, self.folder)
        self.kernel = self.folder / "kernels" / "roles.cuh"
        self.before = self.kernel.read_text()

    def test_a_kernel_in_a_header_is_rewritten_there(self):
        done = run("fix", "main.cu", "--only", "align-to-warp", "--json", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        fix = json.loads(done.stdout)
        jsonschema.validate(fix, json.loads((SOURCE / "docs/schema/fix.schema.json").read_text()))
        self.assertIn("+++ b/kernels/roles.cuh", fix["diff"])
        self.assertNotIn("main.cu", fix["diff"])
        self.assertTrue(any("line 2" in words for words in fix["setAside"]), fix["setAside"])
        self.assertFalse(any("line 3" in words for words in fix["setAside"]), fix["setAside"])
        self.assertEqual(self.before, self.kernel.read_text())
        patched = subprocess.run(["patch", "-s", "-p1"], input=fix["diff"], text=True, cwd=self.folder, check=False)
        self.assertEqual(patched.returncode, 0)
        again = run("run", "main.cu", "--quiet", "-I", str(SOURCE / "cuda" / "include"), cwd=self.folder)
        self.assertIn("sum ", again.stdout, again.stderr)

    def test_a_person_chooses(self):
        talk = Conversation("fix", "main.cu", "--only", "align-to-warp", "--in-place", folder=self.folder)
        self.assertIn("kernels/roles.cuh:11 align-to-warp gains", talk.read_until("[y,n,s,a,q,?] "))
        talk.say("?\n")
        self.assertIn("s - show what it changes", talk.read_until("[y,n,s,a,q,?] "))
        talk.say("s\n")
        self.assertIn("+++ b/kernels/roles.cuh", talk.read_until("[y,n,s,a,q,?] "))
        talk.say("n\n")
        self.assertEqual(talk.end(), 1, talk.shown)
        self.assertIn("[declined]", talk.shown)
        self.assertEqual(self.before, self.kernel.read_text())
        talk = Conversation("fix", "main.cu", "--only", "align-to-warp", "--in-place", folder=self.folder)
        talk.read_until("[y,n,s,a,q,?] ")
        talk.say("y\n")
        self.assertEqual(talk.end(), 0, talk.shown)
        self.assertNotEqual(self.before, self.kernel.read_text())

    def test_a_stop_keeps_files_as_they_are(self):
        talk = Conversation("fix", "main.cu", "--in-place", "--all", folder=self.folder)
        talk.read_until("trying 1 of")
        talk.process.send_signal(signal.SIGINT)
        self.assertEqual(talk.end(), 130, talk.shown)
        self.assertIn("no file was changed", " ".join(talk.shown.split()))
        self.assertEqual(self.before, self.kernel.read_text())

    def test_a_form_that_was_tried_can_be_asked_for_again(self):
        program = str(SOURCE / "test" / "rewrite" / "schedule_iterations" / "for.cu")
        for form in ("word<0, 1, 1>", "cost_aging<3, 1>"):
            done = run("fix", program, "--unproven", "--only", "schedule-iterations", "--line", "10", "--form", form)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn(f"heddle::scheduled_loop<heddle::{form}, 2>", done.stdout)
        done = run("fix", program, "--unproven", "--only", "schedule-iterations", "--line", "10", "--form", "word<0, 2>")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no such form; there are: aging", done.stderr)


unittest.main()
