# SPDX-License-Identifier: Apache-2.0
"""heddle fix with an nvcc that is a shell script: what is asked of it, and what its answer does."""

import json
import os
import pathlib
import tempfile
import unittest

import jsonschema

from heddle_run import SOURCE, run

PROGRAM = str(SOURCE / "examples/09-thread-id/parity.cu")

# Refuses what REFUSES says: rewritten or all. A file that heddle has rewritten says where it comes from.
NVCC = """#!/bin/bash
case "$*" in
--version) echo "Cuda compilation tools, release 13.0, V13.0.88"; exit;;
--help) echo "'sm_75','sm_80','sm_90','sm_90a','sm_100'"; exit;;
esac
echo "$*" >>"$LOG"
while [ "$1" != -c ]; do shift; done
grep -q '^#line 1 ' "$2" && is=rewritten || is=original
if [ "$REFUSES" = all ] || [ "$REFUSES" = $is ]; then
  echo "warning: nothing that matters"
  echo "parity.cu(15): error: nvcc does not like it"
  echo "1 error detected"
  exit 2
fi
echo object >"$4"
"""


class FixCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        self.log = self.path / "log"
        self.put("nvcc", NVCC)

    def tearDown(self):
        self.folder.cleanup()

    def put(self, name, text):
        path = self.path / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def fix(self, *arguments, **settings):
        environment = {**os.environ, "PATH": f"{self.path}/bin:/usr/bin:/bin", "LOG": str(self.log), **settings}
        if "HEDDLE_NVCC" not in settings:
            del environment["HEDDLE_NVCC"]
        return run("fix", "--only", "align-to-warp", *arguments, "--", "300", env=environment)

    def document(self, *arguments, **settings):
        done = self.fix(PROGRAM, "--json", *arguments, **settings)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        document = json.loads(done.stdout)
        jsonschema.validate(document, json.loads((SOURCE / "docs/schema/fix.schema.json").read_text()))
        return document

    def calls(self):
        return self.log.read_text().splitlines() if self.log.exists() else []


class Nvcc(FixCase):
    def test_it_compiles_the_rewritten_file_once(self):
        done = self.fix(PROGRAM)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("printed the same\n  nvcc 13.0 compiles it\n", done.stdout)
        self.assertEqual(len(self.calls()), 1)

    def test_it_gets_the_flags_of_the_program(self):
        flags = ("-I", "include", "-DSIZE=3", "-Xcompiler", "-Wall,-Wextra", "--extended-lambda", "-fmad=false", "-O2", "-std=c++20")
        self.assertEqual(self.document(*flags)["proof"]["nvcc"], "compiles")
        command, = self.calls()
        self.assertRegex(command, "^--extended-lambda -std=c\\+\\+20 -fmad=false -I include -D SIZE=3 -Xcompiler -Wall "
                         f"-Xcompiler -Wextra -I {SOURCE}/examples/09-thread-id -I \\S+ -arch=sm_90 -c \\S+/parity.cu -o \\S+$")
        library, = (word for word in command.split() if "headers" in word)
        self.assertTrue(pathlib.Path(library, "heddle/schedule.cuh").exists())

    def test_the_architecture_is_that_of_the_user_or_of_the_device(self):
        for flags, expected in ((["-arch=sm_80"], "-arch=sm_80 "), (["--device", "v100"], "-arch=sm_75 "),
                                (["-gencode", "arch=compute_80,code=sm_80"], "-gencode arch=compute_80,code=sm_80 ")):
            with self.subTest(flags=flags):
                self.document(*flags)
                command = self.calls()[-1]
                self.assertIn(expected, command)
                self.assertEqual(command.count("-arch") + command.count("-gencode"), 1)

    def test_what_it_refuses_is_withdrawn(self):
        program = self.path / "parity.cu"
        text = pathlib.Path(PROGRAM).read_text().replace("../common.h", str(SOURCE / "examples/common.h"))
        program.write_text(text)
        done = self.fix(str(program), "--in-place", REFUSES="rewritten")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"align-to-warp  \d\.\d\dx  refuse \[nvcc-refuses\]\n +parity.cu\(15\): error: nvcc does not like it\n")
        self.assertNotIn("+++", done.stdout)
        self.assertNotIn("proof", done.stdout)
        self.assertEqual(program.read_text(), text)
        self.assertEqual(len(self.calls()), 2)

    def test_the_document_says_so_too(self):
        document = self.document(REFUSES="rewritten")
        self.assertEqual((document["proof"]["nvcc"], document["proof"]["nvccVersion"], document["proof"]["equal"]),
                         ("refuses", "13.0", False))
        self.assertEqual((document["applied"], document["before"], document["after"], document["diff"]), ([], None, None, ""))
        self.assertEqual([each["id"] for each in document["candidates"]], ["nvcc-refuses"])

    def test_a_program_it_never_took_is_no_reason(self):
        self.assertEqual(self.document(REFUSES="all")["proof"]["nvcc"], "original does not compile")
        done = self.fix(PROGRAM, REFUSES="all")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("nvcc 13.0 does not compile the program as it was, either\n", done.stdout)

    def test_it_is_not_asked_where_it_is_off_or_nothing_pays(self):
        self.assertEqual(self.document(HEDDLE_NVCC="0")["proof"]["nvcc"], "off")
        self.assertEqual(self.document("--line", "1")["proof"]["nvcc"], "not asked")
        self.assertNotRegex(self.fix(PROGRAM, HEDDLE_NVCC="0").stdout, "(?m)^  (no )?nvcc ")
        self.assertEqual(self.calls(), [])

    def test_one_can_be_named(self):
        self.put("other-nvcc", NVCC.replace("13.0", "12.8"))
        named = str(self.path / "bin/other-nvcc")
        self.assertEqual(self.document(HEDDLE_NVCC=named)["proof"]["nvccVersion"], "12.8")
        done = self.fix(PROGRAM, HEDDLE_NVCC="/nowhere/nvcc")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("HEDDLE_NVCC: '/nowhere/nvcc' is no program", done.stderr)

    def test_one_that_does_not_run_is_as_none(self):
        self.put("nvcc", "#!/bin/sh\nexit 1\n")
        self.assertEqual(self.document()["proof"]["nvcc"], "not found")
        self.assertIn("no nvcc was found to compile it\n", self.fix(PROGRAM).stdout)


unittest.main()
