# SPDX-License-Identifier: Apache-2.0
"""PTX files: every instruction for edge cases, files as compilers write them, and what is refused."""

import json
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

from heddle_run import SOURCE, run

sys.path.insert(0, str(SOURCE / "test" / "ptx"))
import instruction_cases as cases
from operands import as_number, is_right, kind, operand, register

THREADS = 64
HEAD = ".version 8.7\n.target sm_90\n.address_size 64\n"


def load(name, type_, place):
    bits = kind(type_)[1]
    if register(type_) != "pred":
        return f"ld.global.b{bits} {name}, [%in+{place}];"
    return f"{{ .reg .b32 %t; ld.global.b32 %t, [%in+{place}]; setp.ne.s32 {name}, %t, 0; }}"


def store(type_, place):
    bits = kind(type_)[1]
    if register(type_) != "pred":
        return f"st.global.b{bits} [%out+{place}], %d;"
    return f"{{ .reg .b32 %t; selp.u32 %t, 1, 0, %d; st.global.u32 [%out+{place}], %t; }}"


def body(number, case):
    """One instruction: operands from a thread's row of the input, the result to its row of the output."""
    text, types, _ = case
    result, *operands = types.split()
    lines = ["{", f".reg .{register(result)} %d;"]
    for index, (name, type_) in enumerate(zip(["%a", "%b", "%c", "%e"], operands)):
        lines += [f".reg .{register(type_)} {name};", load(name, type_, (number * 4 + index) * 8)]
    return "\n".join([*lines, text, store(result, number * 8), "}"])


def kernel(group):
    rows = "\n".join(body(number, case) for number, case in enumerate(group))
    return f"""{HEAD}
.visible .entry all(.param .u64 p0, .param .u64 p1) {{
.reg .b64 %in, %out, %x; .reg .b32 %tid;
ld.param.u64 %in, [p0]; ld.param.u64 %out, [p1];
mov.u32 %tid, %tid.x;
mul.wide.u32 %x, %tid, {len(group) * 32}; add.s64 %in, %in, %x;
mul.wide.u32 %x, %tid, {len(group) * 8}; add.s64 %out, %out, %x;
{rows}
ret;
}}
"""


class Instructions(unittest.TestCase):
    def check_group(self, name):
        group = cases.GROUPS[name]
        generator = random.Random(name)
        rows = [[[operand(generator, type_) for type_ in types.split()[1:]] for _, types, _ in group] for _ in range(THREADS)]
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "all.ptx").write_text(kernel(group))
            (folder / "in").write_bytes(b"".join(struct.pack("<4Q", *(row + [0] * 4)[:4]) for thread in rows for row in thread))
            done = run("profile", str(folder / "all.ptx"), "--kernel", "all", "--block", str(THREADS), "--no-cache",
                       "--arg", f"u64[{THREADS * len(group) * 4}]:file:{folder}/in", "--arg", f"u64[{THREADS * len(group)}]:zeros",
                       "--dump", f"1={folder}/out")
            self.assertEqual(done.returncode, 0, done.stderr)
            found = struct.unpack(f"<{THREADS * len(group)}Q", (folder / "out").read_bytes())
        for thread, row in enumerate(rows):
            for number, (text, types, function) in enumerate(group):
                result, *operands = types.split()
                values = [as_number(bits, type_) for bits, type_ in zip(row[number], operands)]
                expected = function(*values)
                if expected is not None:
                    got = as_number(found[thread * len(group) + number], result)
                    self.assertTrue(is_right(got, expected, result), f"{text} of {values}: {got}, expected {expected}")

    def test_integers(self):
        self.check_group("integer")

    def test_bits(self):
        self.check_group("bits")

    def test_comparisons(self):
        self.check_group("compare")

    def test_floats(self):
        self.check_group("float")

    def test_conversions(self):
        self.check_group("convert")

    def test_pairs(self):
        self.check_group("pairs")

    def test_modes(self):
        self.check_group("modes")

    def test_video_of_words(self):
        self.check_group("video")

    def test_halves(self):
        self.check_group("small")

    def test_comparisons_of_halves(self):
        self.check_group("small-compare")

    def test_conversions_of_halves(self):
        self.check_group("small-convert")


class Gpu(unittest.TestCase):
    """The numbers that the instructions are held against are a GPU's own."""

    def test_functions_of_the_cases_give_what_an_h200_gave(self):
        done = subprocess.run([sys.executable, SOURCE / "test" / "ptx" / "gpu_cases.py", "compare",
                               SOURCE / "results" / "nvidia-h200" / "instructions.txt.xz"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr)


class Files(unittest.TestCase):
    """test/ptx/*.ptx say in their first lines how to run them and what is left in which buffer."""

    def test_stored_files(self):
        files = sorted((SOURCE / "test" / "ptx").glob("*.ptx"))
        self.assertGreater(len(files), 4)
        for file in files:
            text = file.read_text()
            for arguments, number, type_, values in re.findall(r"^// run: (.*)\n// buffer (\d+): (\w) (.*)$", text, re.MULTILINE):
                with self.subTest(file=file.name, arguments=arguments), tempfile.TemporaryDirectory() as folder:
                    done = run("profile", str(file), *arguments.split(), "--dump", f"{number}={folder}/out", cwd=SOURCE)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    wanted = [float(value) if type_ in "fd" else int(value, 0) for value in values.split()]
                    data = (pathlib.Path(folder) / "out").read_bytes()
                    found = list(struct.unpack_from(f"<{len(wanted)}{type_}", data))
                    self.assertEqual(found, wanted)

    def test_every_row_is_run(self):
        page = (SOURCE / "docs" / "ptx.md").read_text().split("<!-- begin rows -->")[1].split("<!-- end rows -->")[0]
        opcodes = {line.split("`")[1].split(".")[0] for line in page.splitlines() if line.startswith("| `")}
        self.assertGreater(len(opcodes), 60)
        texts = [text for group in cases.GROUPS.values() for text, _, _ in group]
        texts += [file.read_text() for file in (SOURCE / "test" / "ptx").glob("*.ptx")]
        texts += (SOURCE / "test" / "programs" / "features" / "texture-ptx.cu").read_text().split('"')  # PTX has none by itself
        texts += (SOURCE / "test" / "programs" / "coverage" / "lang-cluster-ptx.cu").read_text().split('"')  # for several blocks
        run_ = set(re.findall(r"(?:^|[\s{;])([a-z]\w*)(?=[.\s;])", "\n".join(texts), re.MULTILINE))
        self.assertEqual(sorted(opcodes - run_ - {"discard", "pmevent", "prefetchu", "brkpt", "trap"}), [])


class Refusals(unittest.TestCase):
    def profile(self, text, name="k"):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "mine.ptx"
            file.write_bytes(text.encode())
            return run("profile", str(file), "--kernel", name, "--block", "32", "--arg", "u32[32]:zeros")

    def test_an_unknown_instruction_is_named_with_its_line(self):
        text = HEAD + (".visible .entry k(.param .u64 p) {\n.reg .b32 %r<4>;\nwgmma.fence.sync.aligned;\nret;\n}\n"
                       ".visible .entry good(.param .u64 p) {\nret;\n}\n")
        done = self.profile(text)
        self.assertEqual(done.returncode, 2)
        self.assertIn("mine.ptx:6: the engine does not run PTX's 'wgmma.fence.sync.aligned' (line 6 of the PTX) yet", done.stderr)
        self.assertEqual(self.profile(text, "good").returncode, 0)

    def test_modifiers_that_are_not_known_are_no_known_instruction(self):
        done = self.profile(HEAD + ".visible .entry k(.param .u64 p) {\n.reg .b32 %r<4>;\nadd.wrong.s32 %r1, %r2, %r3;\nret;\n}\n")
        self.assertIn("PTX's 'add.wrong.s32'", done.stderr)

    def test_text_that_is_no_ptx_is_refused_with_its_line(self):
        done = self.profile(HEAD + ".visible .entry k(.param .u64 p) {\n.reg .b32 %r<4;\n}\n")
        self.assertEqual(done.returncode, 2)
        self.assertIn("PTX line 5: ';' where '>' is expected", done.stderr)

    def test_files_that_are_broken(self):
        """One message each, with the file and, where there is one, the line."""
        entry = ".visible .entry k(.param .u64 p)\n{\n"
        for text, wanted in [
            ("", "mine.ptx: PTX has a '.version', and this has none"),
            ("// nothing\n", "mine.ptx: PTX has a '.version', and this has none"),
            ("\x7fELF\x02\x01\x01", "mine.ptx: PTX line 1: a character that is no PTX (code 127)"),
            ("__global__ void k() {}\n", "mine.ptx: PTX line 1: the directive '__global__' is not known"),
            (HEAD + ".mystery\n2;\n", "mine.ptx: PTX line 4: the directive '.mystery' is not known"),
            (HEAD + entry + ".mystery\n2;\nret;\n}\n", "mine.ptx: PTX line 6: the directive '.mystery' is not known"),
            (HEAD + entry + ".reg .b32 %r<4>;\nadd.s32 %r1, %r2,", "mine.ptx: PTX line 7: the end where '}' is expected"),
            (HEAD + entry + ".reg .b9 %r<4>;\nret;\n}\n", "mine.ptx: PTX line 6: variables of kind '.b9' are not known"),
            (HEAD + entry + "L:\nret;\nL:\nret;\n}\n", "mine.ptx: PTX line 8: the label 'L' is there twice"),
            (HEAD + 2 * (entry + "ret;\n}\n"), "mine.ptx: PTX line 8: 'k' is defined twice"),
            (HEAD.replace("64", "32"), "mine.ptx: PTX line 3: addresses of 32 bits; only 64 are known"),
            (HEAD + ".global .b8 big[1099511627776] = {1};\n", "mine.ptx: PTX line 4: 'big' is too large"),
            (HEAD + ".func (.param .align 8 .b8 r[40000000]) f();\n", "mine.ptx: PTX line 4: 'r' is too large"),
            (HEAD + "/* no end", "mine.ptx: PTX line 4: a comment that does not end"),
        ]:
            with self.subTest(wanted):
                done = self.profile(text)
                self.assertEqual(done.returncode, 2)
                self.assertTrue(done.stderr.startswith("heddle: error: ") and done.stderr.endswith(wanted + "\n"), done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)

    def test_wrong_types_are_named_with_their_line(self):
        for code, wanted in [
            ("add.q32 %r1, %r2, %r3;", "mine.ptx:6: the engine does not run PTX's 'add.q32' (line 6 of the PTX) yet"),
            ("add.s32 %r1, %p1, %r3;", "mine.ptx:6: the engine does not run PTX's '%p1' (line 6 of the PTX: no operand of this kind is known) yet"),
            ("ld.param.u32 %r1, [p+536870912];", "mine.ptx:6: the engine does not run PTX's 'ld.param.u32' (line 6 of the PTX: it reads beyond the parameter) yet"),
            ("bra NOWHERE;", "mine.ptx:6: the engine does not run PTX's 'bra' (line 6 of the PTX: there is no such label) yet"),
        ]:
            with self.subTest(code):
                done = self.profile(HEAD + f".visible .entry k(.param .u64 p) {{\n.reg .b32 %r<4>; .reg .pred %p<3>;\n{code}\nret;\n}}\n")
                self.assertEqual(done.returncode, 2)
                self.assertIn(wanted, done.stderr)

    def test_line_ends_and_a_mark_change_nothing(self):
        text = HEAD + ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<4>;\nadd.wrong.s32 %r1, %r2, %r3;\nret;\n}\n"
        for other in (text.replace("\n", "\r\n"), "\ufeff" + text):
            with self.subTest(other[:3]):
                self.assertIn("(line 7 of the PTX)", self.profile(other).stderr)
                self.assertEqual(self.profile(other.replace("add.wrong", "add")).returncode, 0)

    def test_textures_that_nobody_reads_are_no_error(self):
        text = HEAD + ".global .texref image;\n.visible .entry k(.param .u64 p)\n{\nret;\n}\n"
        self.assertEqual(self.profile(text).returncode, 0, self.profile(text).stderr)

    def test_registers_that_nobody_declared_are_refused(self):
        done = self.profile(HEAD + ".visible .entry k(.param .u64 p) {\n.reg .b32 %r<4>;\nadd.s32 %r1, %x, 1;\nret;\n}\n")
        self.assertEqual(done.returncode, 2)
        self.assertIn("%x", done.stderr)


# What PTX ISA 9.0 has, by its first word.
OPCODES = """abs activemask add addc alloca and applypriority atom bar barrier bfe bfi bfind bmsk bra brev brkpt brx call clusterlaunchcontrol
clz cnot copysign cos cp createpolicy cvt cvta discard div dp2a dp4a elect ex2 exit fence fma fns getctarank griddepcontrol isspacep istypep ld
ldmatrix ldu lg2 lop3 mad mad24 madc mapa match max mbarrier membar min mma mov movmatrix mul mul24 multimem nanosleep neg not or pmevent popc
prefetch prefetchu prmt rcp red redux rem ret rsqrt sad selp set setmaxnreg setp shf shfl shl shr sin slct sqrt st stackrestore stacksave
stmatrix sub subc suld suq sured sust szext tanh tcgen05 tensormap testp tex tld4 trap txq vabsdiff vabsdiff2 vabsdiff4 vadd vadd2 vadd4 vavrg2
vavrg4 vmad vmax vmax2 vmax4 vmin vmin2 vmin4 vote vset vset2 vset4 vshl vshr vsub vsub2 vsub4 wgmma wmma xor""".split()


class RefusedList(unittest.TestCase):
    """The list in docs/ptx.md against the tool: all of it is refused, by name and line, and nothing else of PTX is."""

    def page(self, what):
        return (SOURCE / "docs" / "ptx.md").read_text().split(f"<!-- begin {what} -->")[1].split(f"<!-- end {what} -->")[0]

    def test_what_is_listed_is_refused_where_it_is_reached(self):
        listed = re.findall(r"`([^`]+)`", self.page("refused"))
        self.assertGreater(len(listed), 40)
        kernels = [f".visible .entry k{number}(.param .u64 p) {{\n.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>; .reg .f32 %f<9>;\n"
                   f"{text if ' ' in text else text + ' %r1'};\nret;\n}}\n" for number, text in enumerate(listed)]
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "mine.ptx"
            file.write_text(HEAD + "".join(kernels) + ".visible .entry fine(.param .u64 p) {\nret;\n}\n")
            for number, text in enumerate(listed):
                with self.subTest(text):
                    done = run("profile", str(file), "--kernel", f"k{number}", "--arg", "u64[1]:zeros")
                    line = 6 + 5 * number
                    self.assertEqual(done.returncode, 2)
                    self.assertIn(f"mine.ptx:{line}: the engine does not run PTX's '{text.split()[0]}' (line {line} of the PTX", done.stderr)
            self.assertEqual(run("profile", str(file), "--kernel", "fine", "--arg", "u64[1]:zeros").returncode, 0)

    def test_all_of_ptx_is_known_or_listed(self):
        known = set(re.findall(r"^\| `(\w+)", self.page("rows"), re.MULTILINE))
        refused = {text.split(".")[0].split()[0] for text in re.findall(r"`([^`]+)`", self.page("refused"))}
        self.assertEqual(sorted(set(OPCODES) - known - refused), [])
        self.assertEqual(sorted((known | refused) - set(OPCODES)), [])


class Barriers(unittest.TestCase):
    """Barriers with numbers that can never be met."""

    def fault(self, body, block):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "mine.ptx"
            file.write_text(HEAD + ".visible .entry k() {\n.reg .b32 %r<4>; .reg .pred %p<3>;\nmov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32;\n"
                            + body + "\nret;\n}\n")
            done = run("profile", str(file), "--kernel", "k", "--block", str(block))
        self.assertEqual(done.returncode, 2, done.stdout)
        return done.stderr

    def test_too_few_threads_come(self):
        self.assertIn("mine.ptx:7: kernel 'k': thread (0,0,0) of block (0,0,0) waits for ever at barrier 1: 32 of 64 threads have come, and no others "
                      "can", self.fault("@%p1 bar.sync 1, 64;", 64))

    def test_warps_wait_at_different_barriers(self):
        self.assertIn("waits for ever at barrier 2: other threads of the block wait at barrier 1",
                      self.fault("@%p1 bar.sync 1; @!%p1 bar.sync 2;", 64))

    def test_a_count_is_of_whole_warps(self):
        self.assertIn("comes to barrier 1 of 48 threads: a count is a multiple of 32", self.fault("bar.sync 1, 48;", 64))

    def test_a_count_is_at_most_the_block(self):
        self.assertIn("comes to barrier 1 of 128 threads: the block has only 64", self.fault("bar.arrive 1, 128;", 64))

    def test_there_are_16(self):
        self.assertIn("comes to barrier 16: a block has barriers 0 to 15", self.fault("bar.sync 16, 64;", 64))

    def test_counts_must_be_the_same(self):
        self.assertIn("comes to barrier 1 of 64 threads, where others wait for 96", self.fault("@%p1 bar.arrive 1, 96; @!%p1 bar.sync 1, 64;", 96))

    def test_lanes_of_a_warp_go_together(self):
        self.assertIn("lanes of a warp come to different barriers", self.fault("bar.sync %r1, 32;", 32))


PROGRAM = r"""
#include <cstdio>
#include <cmath>
__global__ void walk(float* out) {
  float x = out[threadIdx.x];
  for (int i = 0; i < threadIdx.x; ++i)
    if (x > 1) x = sinf(x) * sqrtf(x) / (x + i);
    else x += 0.75f;
  out[threadIdx.x] = x;
}
int main() {
  float *out, mine[64] = {};
  cudaMalloc(&out, sizeof mine);
  cudaMemcpy(out, mine, sizeof mine, cudaMemcpyHostToDevice);
  walk<<<1, 64>>>(out);
  cudaMemcpy(mine, out, sizeof mine, cudaMemcpyDeviceToHost);
  for (float each : mine) printf("%a\n", each);
}
"""


INLINE = r"""
#include <cstdio>
__global__ void mixed(unsigned* out, const unsigned* in) {
  unsigned lane, other, bytes, logic, field, dot = 3, low, high, loaded, sum;
  float fused;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(other) : "r"(lane));
  asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(bytes) : "r"(lane), "r"(other));
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(logic) : "r"(lane), "r"(other), "r"(7u), "n"(0x96));
  asm("bfe.u32 %0, %1, 4, 8;" : "=r"(field) : "r"(lane * 16));
  asm("dp4a.u32.u32 %0, %1, %2, %0;" : "+r"(dot) : "r"(0x01010101u), "r"(0x04030201u));
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(fused) : "f"(float(lane)), "f"(2.0f), "f"(0.5f));
  asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(0x500000009ull));
  asm volatile("ld.global.nc.L1::no_allocate.u32 %0, [%1];" : "=r"(loaded) : "l"(in + lane) : "memory");
  asm volatile("{ .reg .pred p; .reg .u32 i; mov.u32 i, 0; mov.u32 %0, 0;\n\tmore: add.u32 %0, %0, i; add.u32 i, i, 1;\n\t"
               "setp.le.u32 p, i, %1; @p bra more; }" : "=r"(sum) : "r"(lane));
  asm volatile("" ::: "memory");
  const unsigned all[] = {lane, other, bytes, logic, field, dot, __float_as_uint(fused), low, high, loaded, sum};
  for (int i = 0; i < 11; ++i)
    asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(out + lane * 11 + i), "r"(all[i]) : "memory");
}
int main() {
  unsigned *out, *in, values[32], mine[32 * 11];
  for (int i = 0; i < 32; ++i) values[i] = 100 + i;
  cudaMalloc(&out, sizeof mine);
  cudaMalloc(&in, sizeof values);
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  mixed<<<1, 32>>>(out, in);
  cudaMemcpy(mine, out, sizeof mine, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < 11; ++j) printf("%u%c", mine[i * 11 + j], j == 10 ? '\n' : ' ');
}
"""


class InlinePtx(unittest.TestCase):
    """asm in a .cu that clang compiles goes through the same table."""

    def program(self, text):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "mine.cu"
            file.write_text(text)
            return run("run", str(file), "--device-code", "clang", "--quiet", "--no-advice")

    def test_common_forms(self):
        done = self.program(INLINE)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [[int(word) for word in line.split()] for line in done.stdout.splitlines()]
        self.assertEqual(len(rows), 32)
        for lane, row in enumerate(rows):
            fused = struct.unpack("<I", struct.pack("<f", lane * 2 + 0.5))[0]
            self.assertEqual(row, [lane, lane ^ 1, lane | (lane ^ 1) << 16, lane ^ (lane ^ 1) ^ 7, lane, 13, fused, 9, 5, 100 + lane,
                                   lane * (lane + 1) // 2])

    def test_what_is_not_known_is_named(self):
        done = self.program("__global__ void k() { asm volatile(\"wgmma.fence.sync.aligned;\"); }\nint main() { k<<<1, 32>>>(); "
                            "return cudaDeviceSynchronize(); }\n")
        self.assertIn("wgmma.fence.sync.aligned", done.stderr)


def find_tool(name):
    """As heddle looks for it."""
    places = [os.environ[each] + "/bin" for each in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(each)]
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join([*places, "/usr/local/cuda/bin"]))


ONLY_CLANG = r"""
#include <cstdio>
__global__ void all(int* out) { *out = 1; }
#ifdef __clang__
__global__ void some(int* out) { *out += 41; }
#define SOME some<<<1, 1>>>(out)
#else
#define SOME
#endif
int main() {
  int *out, mine;
  cudaMalloc(&out, sizeof mine);
  all<<<1, 1>>>(out);
  SOME;
  cudaMemcpy(&mine, out, sizeof mine, cudaMemcpyDeviceToHost);
  printf("%d\n", mine);
}
"""

NOT_FOR_NVCC = r"""
#include <cstdio>
__global__ void all(int* out) { *out = 42; }
#ifndef __clang__
__device__ int more = undeclared;
#endif
int main() {
  int *out, mine;
  cudaMalloc(&out, sizeof mine);
  all<<<1, 1>>>(out);
  cudaMemcpy(&mine, out, sizeof mine, cudaMemcpyDeviceToHost);
  printf("%d\n", mine);
}
"""

ARCHITECTURE = r"""
#include <cstdio>
__global__ void which(int* out) {
#ifdef __CUDA_ARCH__
  *out = __CUDA_ARCH__;
#endif
}
int main() {
  int *out, mine;
  cudaMalloc(&out, sizeof mine);
  which<<<1, 1>>>(out);
  cudaMemcpy(&mine, out, sizeof mine, cudaMemcpyDeviceToHost);
  printf("%d\n", mine);
}
"""


@unittest.skipUnless(find_tool("nvcc"), "no nvcc was found")
class NvccDoor(unittest.TestCase):
    def program(self, text, *flags):
        environment = {key: value for key, value in os.environ.items() if key != "HEDDLE_NVCC"}
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "mine.cu"
            file.write_text(text)
            done = run("run", str(file), *flags, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_headers_of_the_toolkit(self):
        for name, printed in (("half", "2.5 4 1072 2080\n"), ("mma", "PASS\n"), ("groups", "6 63\n")):
            with self.subTest(name):
                text = (SOURCE / "test" / "ptx" / "programs" / f"{name}.cu").read_text()
                self.assertEqual(self.program(text, "--device-code", "nvcc", "--quiet"), printed)

    def test_a_kernel_that_nvcc_does_not_see_takes_clangs_code(self):
        shown = self.program(ONLY_CLANG, "--device-code", "auto", "--no-advice")
        self.assertTrue(shown.startswith("42\n"), shown)
        self.assertIn("device code by clang: nvcc's has no kernel 'some'\n", shown)

    def test_what_nvcc_has_against_a_program_is_told(self):
        shown = self.program(NOT_FOR_NVCC, "--device-code", "auto", "--no-advice")
        self.assertTrue(shown.startswith("42\n"), shown)
        self.assertRegex(shown, r'device code by clang: nvcc does not take it: .*mine\.cu\(5\): error: identifier "undeclared" is undefined\n')

    def test_code_is_for_the_modelled_device(self):
        for flags, printed in ((("--device", "a100"), "800\n"), (("--device", "h200"), "900\n"),
                               (("--device", "a100", "-arch=sm_90"), "900\n")):
            with self.subTest(flags):
                self.assertEqual(self.program(ARCHITECTURE, "--device-code", "nvcc", "--quiet", *flags), printed)


@unittest.skipUnless(find_tool("nvcc") and find_tool("ptxas"), "no nvcc with a ptxas was found")
class MachineCode(unittest.TestCase):
    """What ptxas made of PTX changes the account, and nothing else."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        (self.path / "mine.cu").write_text(PROGRAM)

    def run_on(self, device, architecture, **settings):
        """What the program prints, and the length of its kernel."""
        environment = {key: value for key, value in os.environ.items() if key not in ("HEDDLE_PTXAS", "HEDDLE_NVCC")} | settings
        done = run("run", str(self.path / "mine.cu"), "--device-code", "nvcc", "--device", device, f"-arch={architecture}", "--quiet", "--no-advice",
                   "--profile", str(self.path / "mine.json"), env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        (kernel,) = json.loads((self.path / "mine.json").read_text())["kernels"]
        return done.stdout, kernel["warpInstructions"]

    def test_lengths_are_those_of_ptxas(self):
        for device, architecture in (("h200", "sm_90"), ("a100", "sm_80")):
            with self.subTest(device):
                printed, known = self.run_on(device, architecture)
                printed_without, modelled = self.run_on(device, architecture, HEDDLE_PTXAS="0")
                self.assertEqual(len(printed.splitlines()), 64)
                self.assertEqual(printed, printed_without)
                self.assertNotEqual(known, modelled)
                self.assertEqual((printed, known), self.run_on(device, architecture), "it is kept")


unittest.main()
