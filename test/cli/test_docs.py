# SPDX-License-Identifier: Apache-2.0
"""What the documents say is what the program prints."""

import json
import pathlib
import re
import shlex
import tempfile
import unittest

from heddle_run import SOURCE, run


def without_times(text):
    return re.sub(r"in [\d.e-]+ s on this CPU$", "in N s", text, flags=re.MULTILINE)


class Docs(unittest.TestCase):
    def test_the_reference_is_the_help(self):
        self.assertEqual((SOURCE / "docs" / "cli.md").read_text(), run("help", "--markdown").stdout,
                         "run scripts/update_golden")

    def test_every_example_of_the_help_runs(self):
        reference = (SOURCE / "docs" / "cli.md").read_text()
        examples = re.findall(r"^heddle [a-z].*--?[a-z].*$", reference, re.MULTILINE)
        examples = [line for line in examples if not re.search(r"[A-Z]{2}|\[flags\]|--all|mine|curves|^heddle cc ", line)]
        self.assertGreater(len(examples), 6)
        for line in examples:
            with self.subTest(example=line):
                done = run(*shlex.split(line)[1:], cwd=SOURCE)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_sessions_are_real(self):
        pages = [SOURCE / "README.md", *sorted((SOURCE / "docs" / "guide").glob("*.md"))]
        sessions = [(page.name, *session) for page in pages
                    for session in re.findall(r"```console\n\$ heddle (.*?)\n(.*?)```", page.read_text(), re.DOTALL)]
        self.assertGreater(len(sessions), 10)
        for page, command, shown in sessions:
            with self.subTest(page=page, command=command):
                found = run(*shlex.split(command), cwd=SOURCE).stdout
                self.assertEqual(without_times(shown), without_times(found))

    def test_the_first_program_prints_what_is_shown(self):
        page = (SOURCE / "README.md").read_text()
        source, shown = re.search(r"\$ cat first.cu\n(.*?)\$ heddle run first.cu\n(.*?)```", page, re.DOTALL).groups()
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "first.cu").write_text(source)
            found = run("run", "first.cu", cwd=folder).stdout
        self.assertEqual(without_times(shown), without_times(found))

    def test_numbers_of_the_timing_are_in_the_device_file(self):
        page = (SOURCE / "docs" / "design" / "timing.md").read_text()
        device = json.loads((SOURCE / "devices" / "h200.json").read_text())
        groups = [group for group, value in device.items() if isinstance(value, dict)]
        names = re.findall(rf"`((?:{'|'.join(groups)})\.\w+)`", page)
        self.assertGreater(len(names), 20)
        for group, name in (each.split(".") for each in names):
            self.assertIn(name, device[group])


unittest.main()
