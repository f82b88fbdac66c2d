# SPDX-License-Identifier: Apache-2.0
"""Programs whose results are an H200's bit by bit, by PTX of nvcc that was stored: test/ptx/bits.

An nvcc that is a script hands it out. Each is run by the rule for fused products, and where there is a ptxas by what that made.
The random kernels are of test/fuzz/arithmetic_kernels.py: 150 of them plain, 100 in fast math, 50 with -fmad=false.
"""

import lzma
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

from heddle_run import SOURCE, run

sys.path.append(str(SOURCE / "test" / "fuzz"))
import arithmetic_kernels  # pylint: disable=wrong-import-position

FOLDER = SOURCE / "test" / "ptx" / "bits"
NVCC = """#!/bin/sh
# Stands for nvcc: what it makes was stored.
while [ $# -gt 0 ]; do case $1 in -o) to=$2; shift ;; -MF) echo made: > "$2"; shift ;; esac; shift; done
cp {ptx} "$to"
"""


def has_ptxas():
    return shutil.which("ptxas") or any(os.access(pathlib.Path(root) / "bin" / "ptxas", os.X_OK)
                                        for root in (os.environ.get("CUDA_HOME", ""), "/usr/local/cuda"))


class Bits(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def printed(self, name, source=None, flags=(), **settings):
        """What a program prints with the stored device code."""
        (self.path / "stored.ptx").write_bytes(lzma.decompress((FOLDER / f"{name}.ptx.xz").read_bytes()))
        fake = self.path / "nvcc"
        fake.write_text(NVCC.format(ptx=self.path / "stored.ptx"))
        fake.chmod(0o755)
        settings = {"HEDDLE_NVCC": str(fake), "HEDDLE_DEVICE_CODE": "nvcc", "HEDDLE_CODE": "lanes"} | settings
        done = run("run", str(source or FOLDER / f"{name}.cu"), "--quiet", "--no-advice", "--no-cache", *flags, env=os.environ | settings)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def each_way(self):
        """Settings: by the rule, and by machine code."""
        return [{"HEDDLE_PTXAS": "0"}] + ([{"HEDDLE_PTXAS": "1"}] if has_ptxas() else [])

    def test_products_are_fused_as_by_ptxas(self):
        for settings in self.each_way():
            with self.subTest(settings):
                self.assertEqual(self.printed("fused", **settings), "bits 1d435c784e821883 669a7bef00df215e\n")

    def test_random_kernels(self):
        answers = arithmetic_kernels.read_answers(FOLDER / "arithmetic.answers")
        self.assertEqual(len(answers), 300)
        found = {"rule": {}, "machine code": {}}
        for name, flags in (("arithmetic", []), ("arithmetic-apart", ["-fmad=false"])):
            ptx = lzma.decompress((FOLDER / f"{name}.ptx.xz").read_bytes()).decode()
            numbers = re.findall(r"entry _Z\d+k(\d+)P", ptx)
            source = self.path / "kernels.cu"
            source.write_text(arithmetic_kernels.program_without_device_code(numbers))
            for way, settings in zip(found, self.each_way()):
                lines = self.printed(name, source, ["-arch=sm_90", *flags], **settings).splitlines()
                found[way].update(line.split() for line in lines)
        for way, lines in found.items():
            if lines:
                missing, wrong = arithmetic_kernels.differences(answers, lines)
                self.assertEqual((missing, wrong), ([], []), way)


unittest.main()
