# SPDX-License-Identifier: Apache-2.0
"""The layer check finds what it is there to find."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

from heddle_run import SOURCE


class Layers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        for part in ("src", "tools", "scripts", "docs/design"):
            shutil.copytree(SOURCE / part, self.root / part)

    def tearDown(self):
        self.folder.cleanup()

    def check(self):
        return subprocess.run([SOURCE / "scripts" / "check_layers", self.root],
                              capture_output=True, text=True, check=False)

    def plant(self, name, line):
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text((path.read_text() if path.exists() else "") + line + "\n")

    def test_our_sources_pass(self):
        self.assertEqual(self.check().stdout, "")

    def test_an_upward_include_fails(self):
        self.plant("src/machine/Device.cpp", '#include "model/Word.h"')
        done = self.check()
        self.assertEqual(done.returncode, 1)
        self.assertIn("machine may not include model", done.stdout)

    def test_llvm_in_an_embeddable_folder_fails(self):
        self.plant("src/model/Word.cpp", "#include <llvm/IR/Function.h>")
        self.assertIn("model knows nothing of LLVM", self.check().stdout)

    def test_an_unknown_folder_fails(self):
        self.plant("src/extra/New.h", "#pragma once")
        self.assertIn("folder 'extra' is not in scripts/layers.txt", self.check().stdout)

    def test_another_room_fails(self):
        self.plant("src/rewrite/flatten/Flatten.cpp", '#include "rewrite/regroup/Regroup.h"')
        self.assertIn('includes "rewrite/regroup/Regroup.h" of another room', self.check().stdout)
        self.plant("src/rewrite/code/Flow.cpp", '#include "rewrite/ways/WayLoop.h"')
        self.assertIn('includes "rewrite/ways/WayLoop.h" of another room', self.check().stdout)

    def test_an_arrow_that_runs_back_fails(self):
        self.plant("scripts/layers.txt", "machine: support timing")
        self.assertIn("an arrow runs back to machine", self.check().stdout)

    def test_a_picture_that_lacks_a_folder_fails(self):
        picture = self.root / "docs/design/architecture.md"
        picture.write_text("".join(line for line in picture.read_text().splitlines(True) if "`src/curand/`" not in line))
        self.assertIn("architecture.md: curand may include 'cudart', and it says ''", self.check().stdout)

    def test_a_missing_file_fails(self):
        self.plant("src/model/Word.cpp", '#include "model/Wrod.h"')
        self.assertIn("no file under src/", self.check().stdout)


unittest.main()
