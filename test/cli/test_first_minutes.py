# SPDX-License-Identifier: Apache-2.0
"""docs/guide/first-ten-minutes.md works as it is written."""

import pathlib
import re
import shlex
import shutil
import tempfile
import unittest

from heddle_run import SOURCE, run


class FirstMinutes(unittest.TestCase):
    def test_every_command_does_what_is_said(self):
        text = (SOURCE / "docs/guide/first-ten-minutes.md").read_text()
        blocks = re.findall(r"```\n(.*?)```", text, re.DOTALL)
        commands = [line for block in blocks for line in block.splitlines() if line.startswith("heddle ")]
        shown = [line for block in blocks for line in block.splitlines() if line.startswith("wrote ")]
        self.assertEqual([line.split()[1] for line in commands], ["run", "fix", "run", "report", "serve"])
        printed = ""
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(SOURCE / "examples/09-thread-id", pathlib.Path(folder, "examples/09-thread-id"))
            shutil.copy(SOURCE / "examples/common.h", pathlib.Path(folder, "examples"))
            for line in commands[:-1]:
                done = run(*shlex.split(line)[1:], cwd=folder)
                self.assertEqual(done.returncode, 0, f"{line}\n{done.stderr}")
                printed += done.stdout
            for page in ("before.html", "after.html", "compare.html"):
                self.assertTrue(pathlib.Path(folder, page).stat().st_size > 50000)
        self.assertRegex(printed, r"wrote compare\.html \(\d+ kB\): after is \d\.\d\dx as fast as before\n")
        self.assertIn("proof: a run of the rewritten program left the same", printed)
        without_size = lambda line: re.sub(r"\(\d+ kB\)", "", line)
        self.assertEqual([without_size(line) for line in shown], [without_size(line) for line in printed.splitlines() if line.startswith("wrote before")])


if __name__ == "__main__":
    unittest.main()
