#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cases of instruction_cases.py as one CUDA program that prints what a GPU makes of them, and the comparison of its answers.

    test/ptx/gpu_cases.py write cases.cu              # here
    nvcc -arch=sm_90 -o cases cases.cu && ./cases > h200.txt   # on a machine with a GPU
    test/ptx/gpu_cases.py compare h200.txt            # here: what differs from the functions of the cases

The answers of an H200 are stored, packed by xz, as results/nvidia-h200/instructions.txt.xz.

A line of the answers is: group, number of the case, thread, result in hexadecimal. The operands are those that test_ptx.py uses.
"""

import argparse
import lzma
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import instruction_cases as cases
import operands

THREADS = 64
# ptxas has no instruction for these forms on sm_90.
SKIPPED = re.compile(r"^$")


def group_rows(name):
    """For each thread, for each case, the bits of its operands."""
    generator = random.Random(name)
    return [[[operands.operand(generator, type_) for type_ in types.split()[1:]] for _, types, _ in cases.GROUPS[name]] for _ in range(THREADS)]


def constraint(type_):
    letter, bits = operands.kind(type_)
    return "r" if letter == "p" else {16: "h", 32: "r", 64: "l"}[bits]


def c_type(type_):
    letter, bits = operands.kind(type_)
    return "unsigned" if letter == "p" else {16: "unsigned short", 32: "unsigned", 64: "unsigned long long"}[bits]


def asm_text(text, types):
    """The case inside braces, with its names as registers of its own and values moved in and out."""
    result, *rest = types.split()
    lines = ["{"]
    for name, type_ in zip(["%d", "%a", "%b", "%c", "%e"], [result, *rest]):
        lines.append(f".reg .{operands.register(type_)} {name};")
    for index, (name, type_) in enumerate(zip(["%a", "%b", "%c", "%e"], rest), 1):
        lines.append(f"setp.ne.u32 {name}, @{index}, 0;" if type_ == "pred" else f"mov.b{operands.kind(type_)[1]} {name}, @{index};")
    lines.append(text)
    lines.append("selp.u32 @0, 1, 0, %d;" if result == "pred" else f"mov.b{operands.kind(result)[1]} @0, %d;")
    text = " ".join([*lines, "}"])
    return re.sub(r"@(\d)", r"%\1", text.replace("%", "%%"))


def device_case(number, case):
    text, types, _ = case
    result, *rest = types.split()
    inputs = ", ".join(f'"{constraint(type_)}"(({c_type(type_)})in[{number * 4 + i}])' for i, type_ in enumerate(rest))
    return (f'  {{ {c_type(result)} d; asm volatile("{asm_text(text, types)}" : "={constraint(result)}"(d) : {inputs}); '
            f"out[{number}] = d; }}")


def write(path):
    parts = ["// SPDX-License-Identifier: Apache-2.0", "// Made by test/ptx/gpu_cases.py.", "#include <cstdio>", "#include <vector>",
             "typedef unsigned long long Bits;"]
    calls = []
    for name, group in cases.GROUPS.items():
        plain = name.replace("-", "_")
        rows = group_rows(name)
        chosen = [(number, case) for number, case in enumerate(group) if not SKIPPED.match(case[0])]
        size = len(group)
        parts.append(f"__global__ void group_{plain}(const Bits* in, Bits* out) {{")
        parts.append(f"  in += threadIdx.x * {size * 4}; out += threadIdx.x * {size};")
        parts += [device_case(number, case) for number, case in chosen]
        parts.append("}")
        words = ",".join(f"{value:#x}ull" for thread in rows for row in thread for value in (row + [0] * 4)[:4])
        parts.append(f"static const Bits input_{plain}[] = {{{words}}};")
        calls.append(f'  run("{name}", group_{plain}, input_{plain}, {size});')
    parts.append(f"""
static void run(const char* name, void (*kernel)(const Bits*, Bits*), const Bits* input, int cases) {{
  Bits *in, *out;
  cudaMalloc(&in, sizeof(Bits) * {THREADS} * 4 * cases);
  cudaMalloc(&out, sizeof(Bits) * {THREADS} * cases);
  cudaMemcpy(in, input, sizeof(Bits) * {THREADS} * 4 * cases, cudaMemcpyHostToDevice);
  kernel<<<1, {THREADS}>>>(in, out);
  std::vector<Bits> found({THREADS} * cases);
  const cudaError_t error = cudaMemcpy(found.data(), out, sizeof(Bits) * found.size(), cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) std::fprintf(stderr, "%s: %s\\n", name, cudaGetErrorString(error));
  for (int thread = 0; thread < {THREADS}; ++thread)
    for (int i = 0; i < cases; ++i) std::printf("%s %d %d %llx\\n", name, i, thread, found[thread * cases + i]);
}}
int main() {{""")
    pathlib.Path(path).write_text("\n".join([*parts, *calls, "}"]) + "\n")


def answers(path):
    path = pathlib.Path(path)
    return lzma.open(path, "rt").read() if path.suffix == ".xz" else path.read_text()


def compare(path):
    rows = {name: group_rows(name) for name in cases.GROUPS}
    wrong = {}
    seen = 0
    for line in answers(path).splitlines():
        name, number, thread, bits = line.split()
        text, types, function = cases.GROUPS[name][int(number)]
        result, *rest = types.split()
        values = [operands.as_number(value, type_) for value, type_ in zip(rows[name][int(thread)][int(number)], rest)]
        expected = function(*values)
        seen += 1
        if expected is None:
            continue
        found = operands.as_number(int(bits, 16), result)
        if not operands.is_right(found, expected, result):
            wrong.setdefault(text, []).append((values, found, expected))
    for text, each in wrong.items():
        values, found, expected = each[0]
        print(f"{text}: {len(each)} differ; of {values}: the GPU gives {found}, expected {expected}")
    print(f"{seen} results, {sum(map(len, wrong.values()))} differ in {len(wrong)} cases")
    return 1 if wrong or not seen else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["write", "compare"])
    parser.add_argument("file")
    options = parser.parse_args()
    sys.exit(write(options.file) if options.action == "write" else compare(options.file))
