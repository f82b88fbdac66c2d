# SPDX-License-Identifier: Apache-2.0
"""heddle fix with an nvcc and a GPU that are shell scripts: what is asked of them, and what their answers do."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import jsonschema

from heddle_run import SOURCE, run

PROGRAM = str(SOURCE / "examples/09-thread-id/parity.cu")

# Refuses what REFUSES says: rewritten, all or linking. A file that heddle has rewritten says where it comes from.
# Programs note each run in LOG, take the milliseconds that ORIGINAL or REWRITTEN list by turn, and then do ENDS.
NVCC = """#!/bin/bash
case "$*" in
--version) echo "Cuda compilation tools, release 13.0, V13.0.88"; exit;;
--help) echo "'sm_75','sm_80','sm_90','sm_90a','sm_100'"; exit;;
esac
echo "$*" >>"$LOG"
all=$*
is=original
linking=linking
while [ $# -gt 0 ]; do
  case "$1" in
  */forms/[1-9]*.cu) is=rewritten;;
  *.cu) grep -q '^#line 1 ' "$1" && is=rewritten;;
  -c) linking=;;
  *.o) grep -q "run rewritten" "$1" && is=rewritten;;
  -o) to=$2; shift;;
  esac
  shift
done
if [ "$REFUSES" = all ] || [ "$REFUSES" = $is ] || [ -n "$linking" -a "$REFUSES" = linking ]; then
  echo "warning: nothing that matters"
  echo "parity.cu(15): error: nvcc does not like it"
  echo "1 error detected"
  exit 2
fi
cat >"$to" <<END
#!/bin/bash
echo "run $is \\$* on \\$CUDA_VISIBLE_DEVICES" >>"$LOG"
read -ra times <<<"\\$${is^^}"
turn=\\$(grep -c "^run $is" "$LOG")
[ -n "\\$times" ] && printf '%s\\n' 0.25 "\\${times[turn - 1]}" >"\\$HEDDLE_KERNEL_TIMES"
eval "\\$ENDS"
END
chmod +x "$to"
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
        self.assertRegex(command, "^--extended-lambda -std=c\\+\\+20 -fmad=false -I include -D SIZE=3 "
                         f"(-I {SOURCE}/examples/09-thread-id )+-Xcompiler -Wall -Xcompiler -Wextra -I \\S+ -arch=sm_90 -c \\S+/parity.cu -o \\S+$")
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


class Gpu(FixCase):
    TIMES = {"ORIGINAL": "4 1 2.75 3 90", "REWRITTEN": "1.75 1.75 7 1 90"}  # medians of 3 + 0.25 and 1.75 + 0.25

    def setUp(self):
        super().setUp()
        self.put("nvidia-smi", '#!/bin/sh\necho "NVIDIA H200, 9.0"\n')

    def test_both_run_in_turns_and_their_medians_count(self):
        done = self.fix(PROGRAM, **self.TIMES)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^  measured, all kernels +3\.25 ms +2 ms  1\.62x$")
        self.assertRegex(done.stdout, r"(?m)^  measured on NVIDIA H200, medians of 5 runs: 1\.62x; predicted for H200 SXM: \d\.\d\dx$")
        runs = [call for call in self.calls() if call.startswith("run")]
        self.assertEqual(runs, ["run original 300 on 0", "run rewritten 300 on 0"] * 5)

    def test_the_document_has_the_numbers(self):
        document = self.document(**self.TIMES)
        self.assertAlmostEqual(document["before"]["measuredSeconds"], 3.25e-3)
        self.assertAlmostEqual(document["after"]["measuredSeconds"], 2e-3)
        found = document["measurement"]
        self.assertAlmostEqual(found.pop("speedup"), 1.625)
        self.assertAlmostEqual(found.pop("predictedSpeedup"), document["before"]["seconds"] / document["after"]["seconds"])
        self.assertEqual(found, {"gpu": "NVIDIA H200", "runs": 5, "note": ""})

    def test_both_are_built_with_a_clock_for_this_gpu(self):
        self.put("nvidia-smi", '#!/bin/sh\necho "NVIDIA GeForce RTX 4090, 8.9"\n')
        self.document("-lm", "-Xlinker", "--as-needed", "-pthread", **self.TIMES)
        links = [call for call in self.calls() if call.endswith("/program")]
        self.assertEqual(len(links), 2)
        for link in links:
            self.assertRegex(link, r" -arch=sm_89 -O3 \S+/0\.o \S+/1\.o -Xlinker --wrap=__cudaLaunchKernel "
                             r"-lm -Xlinker --as-needed -Xcompiler -pthread -o \S+/program$")

    def test_what_is_slower_there_is_withdrawn(self):
        settings = {**self.TIMES, "REWRITTEN": "4 4 4 4 1"}
        done = self.fix(PROGRAM, **settings)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("refuse [measured-slower]", done.stdout)
        self.assertRegex(" ".join(done.stdout.split()), r"on this GPU it is slower: 3250 us before, 4250 us after, 0\.76x on NVIDIA H200; "
                         r"predicted were \d\.\d\dx")
        self.assertNotIn("+++", done.stdout)
        self.log.unlink()
        document = self.document(**settings)
        self.assertEqual((document["applied"], document["diff"]), ([], ""))
        self.assertAlmostEqual(document["measurement"]["speedup"], 3.25 / 4.25)

    def test_another_gpu_than_the_modelled_one_decides_nothing(self):
        done = self.fix(PROGRAM, "--device", "v100", **{**self.TIMES, "REWRITTEN": "4 4 4 4 1"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"measured on NVIDIA H200, medians of 5 runs: 0\.76x, slower; predicted for Tesla V100")

    def test_what_cannot_be_measured_is_only_noted(self):
        for settings, note in (({"REFUSES": "linking"}, "nvcc does not build the program: parity.cu(15): error: nvcc does not like it"),
                               ({"ENDS": "echo first; echo out of memory; exit 3"}, "the program ended with status 3: out of memory"),
                               ({"ORIGINAL": ""}, "no kernel was launched by <<<>>>"),
                               ({"ORIGINAL": "x"}, "'x'")):
            with self.subTest(note=note):
                self.log.unlink(missing_ok=True)
                done = self.fix(PROGRAM, **{**self.TIMES, **settings})
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stdout, r"(?m)^  nvcc 13\.0 compiles it\n  not measured on NVIDIA H200: ")
                self.assertIn(note, done.stdout)
                self.assertNotIn("measured, all kernels", done.stdout)
        self.assertEqual(self.document(REFUSES="linking")["measurement"]["speedup"], None)

    def test_without_a_gpu_nothing_is_said(self):
        self.put("nvidia-smi", "#!/bin/sh\necho 'No devices were found'\nexit 6\n")
        self.assertNotIn("measured", self.fix(PROGRAM, **self.TIMES).stdout)
        self.assertIsNone(self.document(**self.TIMES)["measurement"])




class Bundle(FixCase):
    """A program and its forms, measured on another machine."""

    @classmethod
    def setUpClass(cls):
        cls.made = tempfile.TemporaryDirectory()
        cls.home = pathlib.Path(cls.made.name)
        cls.program = cls.home / "parity.cu"
        cls.text = pathlib.Path(PROGRAM).read_text().replace("../common.h", str(SOURCE / "examples/common.h"))
        cls.program.write_text(cls.text)
        made = run("fix", str(cls.program), "--only", "align-to-warp", "--bundle", str(cls.home / "forms.tar"), "--", "300",
                   env={**os.environ, "HEDDLE_NVCC": "0"})
        assert made.returncode == 0, made.stderr

    @classmethod
    def tearDownClass(cls):
        cls.made.cleanup()

    def setUp(self):
        super().setUp()
        self.program.write_text(self.text)
        subprocess.run(["tar", "-xf", self.home / "forms.tar"], cwd=self.path, check=True)

    def measure(self, **settings):
        environment = {**os.environ, "LOG": str(self.log), "ORIGINAL": "4.25 4.25 4.25", "REWRITTEN": "2 2 2", **settings}
        return subprocess.run(["bundle/measure", "--nvcc", str(self.path / "bin/nvcc"), "--arch", "sm_89", "--runs", "3"],
                              cwd=self.path, env=environment, capture_output=True, text=True, check=False)

    def test_what_won_is_applied(self):
        done = self.measure()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"align-to-warp .*parity.cu:\d+  2.00x  \n")
        self.assertEqual([call for call in self.calls() if call.startswith("run ")], ["run original 300 on ", "run rewritten 300 on "] * 3)
        compiled = [call for call in self.calls() if " -c " in call]
        self.assertEqual(len(compiled), 4)
        for call in compiled:
            self.assertEqual(call.count("-arch=sm_89"), 1)
        shown = run("fix", "--measured", "table.json", cwd=self.path)
        self.assertEqual((shown.returncode, self.program.read_text()), (0, self.text), shown.stderr)
        self.assertIn("\n+", shown.stdout)
        self.assertRegex(shown.stdout, r"measured on .*: 2.00x, align-to-warp in line \d+ of .*parity.cu\n")
        self.assertEqual(run("fix", "--measured", "table.json", "--in-place", cwd=self.path).returncode, 0)
        self.assertNotEqual(self.program.read_text(), self.text)
        again = run("fix", "--measured", "table.json", cwd=self.path)
        self.assertEqual((again.returncode, again.stdout), (2, ""))
        self.assertIn("parity.cu is another file than the one that was measured; make the bundle again", again.stderr)

    def test_what_loses_or_prints_something_else_is_not(self):
        for settings in ({"REWRITTEN": "9 9 9"}, {"ENDS": "[[ $0 == */forms/1/* ]] && echo other"}):
            with self.subTest(settings=settings):
                self.log.unlink(missing_ok=True)
                self.assertEqual(self.measure(**settings).returncode, 0)
                done = run("fix", "--measured", "table.json", "--in-place", cwd=self.path)
                self.assertEqual((done.returncode, self.program.read_text()), (1, self.text), done.stderr)
                self.assertIn("nothing won on ", done.stdout)

    def test_what_nvcc_refuses_is_said(self):
        self.assertEqual(self.measure(REFUSES="rewritten").returncode, 0)
        row, = json.loads((self.path / "table.json").read_text())["rows"]
        self.assertEqual((row["note"], row["speedup"]), ("parity.cu(15): error: nvcc does not like it", None))
        done = self.measure(REFUSES="linking")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("nvcc does not build the program as it is: parity.cu(15): error: nvcc does not like it", done.stderr)


unittest.main()
