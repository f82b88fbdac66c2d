# SPDX-License-Identifier: Apache-2.0
"""PTX of nvcc 13 and clang 19, stored, so that the front end is tested without a CUDA toolkit.

test/ptx/stored.tar.xz has nvcc/NAME.ptx and clang/NAME.ptx of the programs that scripts/store_ptx lists. All of them
are read; some are run, by an nvcc that is a script and hands out the stored file. HEDDLE_STORED=all runs them all.
"""

import os
import pathlib
import re
import tarfile
import tempfile
import unittest

from heddle_run import SOURCE, run

MAKERS = ("nvcc", "clang")
# Few of them, since each is compiled and run three times.
RUN = """test.programs.apps.histogram test.programs.apps.scan test.programs.features.atomics-float""".split()
# LLVM 19 rounds whole numbers to the nearest float where the program says towards zero.
WRONG = {("test.programs.features.conversions-float", "clang")}
# Studies print times of the model, which are those of the code.
TIMES = re.compile(r'"(microseconds|milliseconds|cycles|cyclesPerRound|breakEven|relative|cumulativeSpeedup|stepSpeedup|savingShare|gigabytesPerSecond)": '
                   r"[-+.e\d]+")
NVCC = """#!/bin/sh
# Stands for nvcc: what it makes was stored.
while [ $# -gt 0 ]; do case $1 in -o) to=$2; shift ;; -MF) echo made: > "$2"; shift ;; esac; shift; done
cp {ptx} "$to"
"""


def programs(folder):
    return sorted(file.stem for file in (folder / "nvcc").glob("*.ptx"))


def source_of(name):
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        file = SOURCE / "/".join(parts[:cut]) / (".".join(parts[cut:]) or "-")
        if file.with_name(file.name + ".cu").exists():
            return file.with_name(file.name + ".cu")
    raise AssertionError(f"no source of {name}")


class StoredPtx(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        with tarfile.open(SOURCE / "test" / "ptx" / "stored.tar.xz") as archive:
            archive.extractall(cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_there_are_many_of_both_compilers(self):
        stored = {maker: {file.stem for file in (self.folder / maker).glob("*.ptx")} for maker in MAKERS}
        self.assertGreaterEqual(len(stored["nvcc"]), 60)
        self.assertEqual(stored["clang"], stored["nvcc"])

    def test_each_is_read(self):
        """Into a module that LLVM takes; an instruction that is not known would be named."""
        for maker in MAKERS:
            files = [str(file) for file in sorted((self.folder / maker).glob("*.ptx"))]
            done = run("check", *files)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            for file in files:
                text = pathlib.Path(file).read_text()
                kernels = re.findall(r"\.entry\s+(\w+)", text)
                self.assertTrue(kernels, file)

    def launched(self, name, maker):
        """What a program prints with the stored device code."""
        if maker == "none":
            settings = {"HEDDLE_NVCC": "0", "HEDDLE_DEVICE_CODE": "clang"}
        else:
            fake = self.folder / f"{maker}-{name}"
            fake.write_text(NVCC.format(ptx=self.folder / maker / f"{name}.ptx"))
            fake.chmod(0o755)
            settings = {"HEDDLE_NVCC": str(fake), "HEDDLE_DEVICE_CODE": "nvcc"}
        done = run("run", str(source_of(name)), "--quiet", "--no-advice", "--no-cache", env=os.environ | settings)
        self.assertEqual(done.returncode, 0, f"{name} of {maker}: {done.stdout[-500:]}{done.stderr}")
        return TIMES.sub("", done.stdout)

    def test_results_are_those_of_clangs_door(self):
        names = programs(self.folder) if os.environ.get("HEDDLE_STORED") == "all" else RUN
        for name in names:
            with self.subTest(name):
                wanted = self.launched(name, "none")
                for maker in MAKERS:
                    if (name, maker) not in WRONG:
                        self.assertEqual(self.launched(name, maker), wanted, maker)


unittest.main()
