# SPDX-License-Identifier: Apache-2.0
"""The completion scripts, in real shells."""

import pathlib
import subprocess
import tempfile
import unittest

from heddle_run import run

ASK = """
source {script}
COMP_WORDS=({words})
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_heddle
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


class Completions(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.scripts = {}
        for shell in ("bash", "zsh"):
            done = run("completions", shell)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.scripts[shell] = pathlib.Path(self.folder.name) / f"_heddle.{shell}"
            self.scripts[shell].write_text(done.stdout)

    def tearDown(self):
        self.folder.cleanup()

    def offered(self, words):
        script = ASK.format(script=self.scripts["bash"], words=words)
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
        return done.stdout.split()

    def test_bash_offers_commands_flags_and_choices(self):
        self.assertIn("occupancy", self.offered("heddle ''"))
        self.assertEqual(self.offered("heddle occ"), ["occupancy"])
        self.assertEqual(self.offered("heddle export x.json --format c"), ["csv", "callgrind"])
        self.assertEqual(self.offered("heddle schedule b"), ["best"])
        self.assertEqual(self.offered("heddle schedule simulate --it"), ["--iterations"])
        self.assertEqual(self.offered("heddle schedule simulate --policy ag"), ["aging"])
        self.assertIn("h200", self.offered("heddle occupancy --device h"))
        self.assertIn("gtx280", self.offered("heddle devices gtx"))
        self.assertEqual(self.offered("heddle study --on g"), ["gpu"])
        self.assertIn("list", self.offered("heddle study l"))

    def test_bash_script_is_clean(self):
        done = subprocess.run(["shellcheck", str(self.scripts["bash"])], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.stdout, "")

    def test_zsh_accepts_the_script_and_knows_every_command(self):
        script = self.scripts["zsh"]
        subprocess.run(["zsh", "-n", str(script)], check=True)
        loaded = subprocess.run(
            ["zsh", "-fc", f"autoload -U compinit && compinit -u -D; eval \"$(sed '$d' {script})\"; "
                           "whence -w _heddle_schedule_simulate _heddle_occupancy"],
            capture_output=True, text=True, check=True)
        self.assertEqual(loaded.stdout.count("function"), 2, loaded.stdout + loaded.stderr)


unittest.main()
