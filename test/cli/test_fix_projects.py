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
        self.before = "\ufeff" + self.before  # as some editors begin a file
        self.kernel.write_text(self.before)
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

    def parted(self):
        """The project as a build has it: the kernel's file is compiled with flags of its own, main.cpp by another compiler."""
        text = (self.folder / "main.cu").read_text()
        (self.folder / "src").mkdir()
        (self.folder / "main.cu").unlink()
        text = text.replace('"kernels/roles.cuh"', '"roles.cuh"').replace("int main() {", "int run() {").replace("400", "STEPS")
        (self.folder / "src" / "run.cu").write_text(text.rstrip().removesuffix("}") + "  return 0;\n}\n")
        (self.folder / "src" / "main.cpp").write_text("int run();\nint main() { return run(); }\n")
        (self.folder / "src" / "other.cu").write_text("int main() {}\n")
        (self.folder / "CMakeLists.txt").write_text("")

    def fixed(self, *arguments, folder):
        """What `heddle fix` does to the kernel; nothing else changes."""
        files = {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file() and path != self.kernel}
        done = run("fix", "--only", "align-to-warp", "--in-place", "--all", *arguments, cwd=folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("kernels/roles.cuh", done.stdout)
        self.assertNotEqual(self.before, self.kernel.read_text())
        self.assertEqual(files, {path: path.read_bytes() for path in files})
        self.kernel.write_text(self.before)

    def test_what_a_build_tells(self):
        self.parted()
        build = self.folder / "build"
        commands = [{"directory": str(build), "file": str(self.folder / "src/run.cu"), "output": "CMakeFiles/parts.dir/src/run.cu.o",
                     "command": "nvcc -forward-unknown-to-host-compiler -DSTEPS=400 -I../kernels -arch=sm_90 -x cu -c "
                                f"{self.folder}/src/run.cu -o CMakeFiles/parts.dir/src/run.cu.o"},
                    {"directory": str(build), "file": "../src/main.cpp", "arguments": [
                        "g++", "-O2", "-o", "CMakeFiles/app.dir/src/main.cpp.o", "-c", "../src/main.cpp"]},
                    {"directory": str(build), "file": "../src/other.cu", "command": "nvcc -c ../src/other.cu -o CMakeFiles/other.dir/o.o"}]
        (build / "CMakeFiles" / "app.dir").mkdir(parents=True)
        (build / "compile_commands.json").write_text(json.dumps(commands))
        (build / "CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={self.folder}\n")
        link = build / "CMakeFiles" / "app.dir" / "link.txt"
        link.write_text("/usr/bin/g++ CMakeFiles/app.dir/src/main.cpp.o -o app libparts.a -L/usr/local/cuda/lib64 -lcudart_static -lrt\n")
        self.fixed("--project", ".", "--", "./app", folder=build)
        link.unlink()  # then the file with another main() is left out by its name
        mains = run("fix", "--project", "build", "--", "build/app", cwd=self.folder)
        self.assertEqual((mains.returncode, mains.stdout), (2, ""))
        self.assertIn("2 files of the project have a main() (src/main.cpp, src/other.cu), and nothing tells which is that of build/app",
                      mains.stderr)
        self.assertIn("sum ", run("run", "--project", "build", "--quiet", "--", "build/main", cwd=self.folder).stdout)

    def test_a_program_that_heddle_cc_built(self):
        self.parted()
        run("cc", "-Ikernels", "-DSTEPS=400", "-c", "src/run.cu", "-o", "run.o", cwd=self.folder)
        subprocess.run(["g++", "-c", "src/main.cpp", "-o", "main.o"], cwd=self.folder, check=True)
        linked = run("cc", "main.o", "run.o", "-o", "app", cwd=self.folder)
        self.assertEqual(linked.returncode, 0, linked.stderr)
        self.fixed("../app", folder=self.folder / "src")

    def test_what_tells_nothing(self):
        subprocess.run(["g++", "-x", "c++", "-", "-o", "app"], input="int main() {}", text=True, cwd=self.folder, check=True)
        for words, message in ((("app",), "app does not tell what it was built from: 'heddle cc' did not build it"),
                               ((), "no program: name its files"),
                               (("--project", "nowhere", "--", "app"), "there is no nowhere/compile_commands.json; CMake writes it with"),
                               (("--project", "."), "--project .: name the program behind --"),
                               (("main.cu", "--project", "."), "--project . knows the program's files; main.cu is one too many")):
            with self.subTest(words=words):
                done = run("fix", *words, cwd=self.folder)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(message, done.stderr)

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
