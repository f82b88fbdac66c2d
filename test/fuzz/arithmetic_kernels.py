#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Random arithmetic: CUDA programs of straight kernels whose results are compared bit by bit with those of a GPU.

usage: arithmetic_kernels.py write FOLDER [--count N] [--seed S] [--per-file K]
       arithmetic_kernels.py run FOLDER HEDDLE [--answers FILE] [--jobs J]
       arithmetic_kernels.py compare ANSWERS ANSWERS

`write` makes N kernels (5000) of 10 to 200 operations: floats, doubles, halves, bfloat16 and integers, conversions,
minima and maxima, divisions, roots, the functions with a rounding mode, and now and then an if or a loop. A program has
K of them (100), and is compiled in one of three ways, which its name says: plain, fast (--use_fast_math), apart
(-fmad=false). A program prints a line for each kernel: its number and a hash of all it wrote; with numbers as
arguments, all that these kernels wrote.

`run` runs them all by `heddle run` with nvcc's device code, and compares what they print with ANSWERS: the same lines,
of a GPU. Every NaN counts as the same one. What is approximate (`__sinf`, division in fast math) is left out.
"""

import argparse
import concurrent.futures
import lzma
import os
import pathlib
import random
import re
import subprocess
import sys

LANES, SLOTS = 64, 24
WAYS = {"plain": [], "fast": ["--use_fast_math"], "apart": ["-fmad=false"]}
TYPES = {"f": "float", "d": "double", "h": "__half", "b": "__nv_bfloat16", "H": "__half2", "B": "__nv_bfloat162",
         "i": "int", "u": "unsigned", "l": "long long", "w": "unsigned long long"}
MODES = ["rn", "rz", "ru", "rd"]
SMALL = {"h": "half", "b": "bfloat16"}

HEAD = """// SPDX-License-Identifier: Apache-2.0
// Made by test/fuzz/arithmetic_kernels.py.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
typedef unsigned long long Word;
enum { lanes = %d, slots = %d, most = %d };
// Every NaN is one.
__device__ Word bits(float v) { return v != v ? 0x7fffffffu : __float_as_uint(v); }
__device__ Word bits(double v) { return v != v ? 0x7fffffffffffffffull : Word(__double_as_longlong(v)); }
__device__ Word bits(__half v) { unsigned short u = __half_as_ushort(v); return (u & 0x7fff) > 0x7c00 ? 0x7fff : u; }
__device__ Word bits(__nv_bfloat16 v) { unsigned short u = __bfloat16_as_ushort(v); return (u & 0x7fff) > 0x7f80 ? 0x7fff : u; }
__device__ Word bits(__half2 v) { return bits(__low2half(v)) << 16 | bits(__high2half(v)); }
__device__ Word bits(__nv_bfloat162 v) { return bits(__low2bfloat16(v)) << 16 | bits(__high2bfloat16(v)); }
__device__ Word bits(int v) { return unsigned(v); }
__device__ Word bits(unsigned v) { return v; }
__device__ Word bits(long long v) { return Word(v); }
__device__ Word bits(Word v) { return v; }
#define IN(slot) in[(slot) * lanes + threadIdx.x]
#define F(slot) __uint_as_float(unsigned(IN(slot)))
#define D(slot) __longlong_as_double((long long)IN(slot))
#define H(slot) __ushort_as_half((unsigned short)IN(slot))
#define B(slot) __ushort_as_bfloat16((unsigned short)IN(slot))
#define OUT(number, value) out[(number) * lanes + threadIdx.x] = bits(value)
"""

# Slots: 0 to 5 floats of moderate size, 6 and 7 any; 8 to 12 doubles, 13 any; 14 to 16 halves, 17 any; 18 to 20
# bfloat16, 21 any; 22 and 23 whole numbers.
TAIL = """
static unsigned state = 1;
static unsigned draw() { state = state * 1664525u + 1013904223u; return state >> 8; }
static Word drawWide() { Word high = draw(), middle = draw(); return high << 40 ^ middle << 20 ^ draw(); }
static Word moderate(int exponentBits, int mantissaBits) {
  Word sign = draw() & 1, exponent = (Word(1) << (exponentBits - 1)) - 1 - draw() %% 3 + draw() %% 2;
  Word mantissa = drawWide() & ((Word(1) << mantissaBits) - 1);
  if (draw() %% 8 == 0) mantissa &= ~((Word(1) << (mantissaBits - mantissaBits / 4)) - 1);
  return (sign << exponentBits | exponent) << mantissaBits | mantissa;
}
static Word any(int exponentBits, int mantissaBits) {
  Word sign = draw() & 1, all = (Word(1) << exponentBits) - 1, full = (Word(1) << mantissaBits) - 1;
  Word exponents[] = {0, 0, all, all, all - 1, 1, all / 2}, mantissas[] = {0, 1, full, full / 2 + 1, drawWide() & full};
  Word exponent = draw() %% 3 ? exponents[draw() %% 7] : drawWide() & all, mantissa = mantissas[draw() %% 5];
  if (exponent == all) mantissa = draw() %% 2 ? 0 : full / 2 + 1;  // no signalling NaN
  return (sign << exponentBits | exponent) << mantissaBits | mantissa;
}
static Word whole() {
  const Word chosen[] = {0, 1, ~Word(0), 0x80000000u, 0x7fffffffu, Word(1) << 63, ~Word(0) >> 1, 10, 255, 65536};
  return draw() %% 3 ? drawWide() >> draw() %% 64 : chosen[draw() %% 10];
}
static Word input(int slot) {
  return slot < 6 ? moderate(8, 23) : slot < 8 ? any(8, 23) : slot < 13 ? moderate(11, 52) : slot < 14 ? any(11, 52)
       : slot < 17 ? moderate(5, 10) : slot < 18 ? any(5, 10) : slot < 21 ? moderate(8, 7) : slot < 22 ? any(8, 7) : whole();
}
int main(int count, char** names) {
  static Word given[slots * lanes], made[most * lanes];
  for (int i = 0; i < slots * lanes; ++i) given[i] = input(i / lanes);
  Word *in, *out;
  cudaMalloc(&in, sizeof given); cudaMalloc(&out, sizeof made);
  cudaMemcpy(in, given, sizeof given, cudaMemcpyHostToDevice);
  for (const Entry& entry : entries) {
    bool isAsked = count == 1;
    for (int i = 1; i < count; ++i) isAsked |= atoi(names[i]) == entry.number;
    if (!isAsked) continue;
    cudaMemset(out, 0, sizeof made);
    entry.kernel<<<1, lanes>>>(in, out);
    cudaError_t error = cudaMemcpy(made, out, sizeof made, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) { printf("%%d %%s\\n", entry.number, cudaGetErrorString(error)); return 1; }
    Word hash = 0xcbf29ce484222325ull;
    for (Word word : made) hash = (hash ^ word) * 0x100000001b3ull, hash ^= hash >> 29;
    printf("%%d %%016llx\\n", entry.number, hash);
    for (int i = 0; count > 1 && i < entry.outputs * lanes; ++i) printf("  %%d.%%d.%%d %%016llx\\n", entry.number, i / lanes, i %% lanes, made[i]);
  }
}
"""


class Kernel:
    """One kernel. Values are variables that are written once, but for those of loops."""

    def __init__(self, number, seed, way):
        self.pick = random.Random(f"arithmetic {seed} {number}")
        self.number, self.way = number, way
        self.lines, self.values, self.changed = [], {}, set()
        self.names = 0
        kinds = self.pick.choice(["f", "f", "f", "fu", "d", "d", "fd", "fdiu", "h", "H", "hf", "b", "B", "bf", "hHf", "bBf",
                                  "iulw", "iulwfd", "fdhbHBiulw"])
        self.kinds = list(kinds)
        for kind in kinds:
            self.values[kind] = [self.declare(kind, text) for text in self.inputs(kind)]
        size = self.pick.choice([self.pick.randint(10, 40), self.pick.randint(10, 200)])
        for _ in range(size):
            self.step()
        self.store()

    def inputs(self, kind):
        pick = self.pick
        slots = {"f": [0, 1, 2, 3, 4, 5, pick.choice([6, 7])], "d": [8, 9, 10, 11, 12, 13], "h": [14, 15, 16, 17],
                 "b": [18, 19, 20, 21]}
        letter = {"f": "F", "d": "D", "h": "H", "b": "B"}
        if kind in slots:
            chosen = pick.sample(slots[kind], pick.randint(3, len(slots[kind])))
            return [f"{letter[kind]}({slot})" for slot in chosen]
        if kind == "H":
            return [f"__halves2half2(H({a}), H({b}))" for a, b in [(14, 15), (16, 14), (15, 17)]]
        if kind == "B":
            return [f"__halves2bfloat162(B({a}), B({b}))" for a, b in [(18, 19), (20, 18), (19, 21)]]
        return [f"({TYPES[kind]})IN({slot})" for slot in (22, 23)] + [f"({TYPES[kind]})IN({pick.randrange(22)})"]

    def name(self):
        self.names += 1
        return f"v{self.names}"

    def declare(self, kind, text):
        name = self.name()
        self.lines.append(f"const {TYPES[kind]} {name} = {text};")
        return name

    def value(self, kind):
        """One of the last ones, or of all."""
        values = self.values[kind]
        return self.pick.choice(values[-6:] if self.pick.random() < 0.6 else values)

    def small_value(self, kind):
        """One of the first ones, which are of moderate size."""
        return self.pick.choice(self.values[kind][:4])

    def step(self):
        kind = self.pick.choice(self.kinds)
        chance = self.pick.random()
        if chance < 0.03 and kind in "fd":
            return self.loop(kind)
        if chance < 0.07 and kind in "fd":
            return self.branch(kind)
        self.values[kind].append(self.declare(kind, self.expression(kind)))

    def loop(self, kind):
        pick, type_ = self.pick, TYPES[kind]
        x, y = self.name(), self.name()
        a, b, c = (self.small_value(kind) for _ in range(3))
        self.lines.append(f"{type_} {x} = {self.value(kind)}, {y} = {self.value(kind)};")
        count = pick.choice(["2", "3", "4", "8", "int(threadIdx.x & 3)", "int(threadIdx.x & 7) + 1"])
        once = pick.choice(["", "#pragma unroll 1\n  ", "#pragma unroll 2\n  "])
        body = pick.choice([f"{x} = {x} * {a} + {b} * {c};", f"{x} = {x} * {a} - {y} * {b}; {y} = {y} * {c} + {x};",
                            f"{y} = {x} * {a}; {x} = {y} - {b};", f"{x} += {a} * {b}; {y} = {x} * {c};",
                            f"{x} = {x} * {a}; {y} += {x};", f"{y} = {y} + {x}; {x} = {a} * {b} * {y};",
                            f"const {type_} t = {x} * {a}; {x} = t - {y}; {y} = t;"])
        self.lines.append(f"{once}for (int k = 0; k < {count}; ++k) {{ {body} }}")
        self.values[kind] += [x, y]
        self.changed |= {x, y}

    def branch(self, kind):
        x = self.name()
        self.lines.append(f"{TYPES[kind]} {x} = {self.value(kind)};")
        otherwise = self.pick.choice(["", f" else {{ {x} = {self.expression(kind)}; }}"])
        self.lines.append(f"if ({self.value(kind)} < {self.value(kind)}) {{ {x} = {self.expression(kind)}; }}{otherwise}")
        self.values[kind].append(x)
        self.changed.add(x)

    def expression(self, kind):
        others = [other for other in self.kinds if other != kind]
        if others and self.pick.random() < 0.15:
            text = self.conversion(kind, self.pick.choice(others))
            if text:
                return text
        return {"f": self.float_text, "d": self.double_text, "h": self.small_text, "b": self.small_text, "H": self.pair_text,
                "B": self.pair_text}.get(kind, self.whole_text)(kind)

    def products(self, kind):
        """What may be fused."""
        a, b, c, d = self.value(kind), self.small_value(kind), self.value(kind), self.small_value(kind)
        return self.pick.choice([f"{a} + {c}", f"{a} - {c}", f"{a} * {b}", f"{a} * {b}", f"{a} * {b} + {c}", f"{a} * {b} - {c}",
                                 f"{c} - {a} * {b}", f"{a} * {b} + {c} * {d}", f"{a} * {b} - {c} * {d}", f"-({a} * {b}) - {c}",
                                 f"({a} + {c}) * {b}", f"-{a} * {b}"])

    def float_text(self, kind):
        pick = self.pick
        a, b, c = self.value(kind), self.value(kind), self.value(kind)
        chance = pick.random()
        if chance < 0.6:
            return self.products(kind)
        number = pick.choice(["0.5f", "2.0f", "0.25f", "4.0f", "8.0f", "0.125f", "0.1f", "3.0f", "-2.0f", "-1.0f", "1.0f", "0.0f",
                              "1e-20f", "16.0f"])
        if chance < 0.72:
            return pick.choice([f"{a} * {number}", f"{a} * {number} + {b}", f"{a} * {b} * {number}", f"{a} + {number}", f"{number} - {a} * {b}",
                                f"fmaf({a}, {number}, {b})", f"{a} + {a}"])
        if chance < 0.8:
            return pick.choice([f"fminf({a}, {b})", f"fmaxf({a}, {b})", f"fabsf({a})", f"-{a}", f"{a} < {b} ? {c} : {a}",
                                f"fmaf({a}, {b}, {c})", f"copysignf({a}, {b})", f"__saturatef({a})", f"fmaxf({a}, {b}) * {c}"])
        mode = pick.choice(MODES)
        if chance < 0.92:
            return pick.choice([f"__fadd_{mode}({a}, {b})", f"__fmul_{mode}({a}, {b})", f"__fsub_{mode}({a}, {b})", f"__fmaf_{mode}({a}, {b}, {c})",
                                f"__fadd_rn(__fmul_rn({a}, {b}), {c})", f"__fmul_rn({a}, {b}) + {c}", f"__fadd_rn({a} * {b}, {c})"])
        choices = [f"rintf({a})", f"floorf({a})", f"ceilf({a})", f"truncf({a})", f"__fdiv_{mode}({a}, {b})", f"__fsqrt_{mode}(fabsf({a}))",
                   f"__frcp_{mode}({a})"]
        if self.way != "fast":
            choices += [f"{a} / {b}", f"{a} / {b}", f"sqrtf(fabsf({a}))", f"1.0f / {a}", f"{a} * {b} / {c}"]
        return pick.choice(choices)

    def double_text(self, kind):
        pick = self.pick
        a, b, c = self.value(kind), self.value(kind), self.value(kind)
        chance = pick.random()
        if chance < 0.6:
            return self.products(kind)
        number = pick.choice(["0.5", "2.0", "0.1", "3.0", "-1.0", "1.0", "1e-200", "16.0"])
        if chance < 0.72:
            return pick.choice([f"{a} * {number}", f"{a} * {number} + {b}", f"{a} * {b} * {number}", f"{number} - {a} * {b}"])
        if chance < 0.8:
            return pick.choice([f"fmin({a}, {b})", f"fmax({a}, {b})", f"fabs({a})", f"-{a}", f"{a} < {b} ? {c} : {a}", f"fma({a}, {b}, {c})",
                                f"copysign({a}, {b})"])
        mode = pick.choice(MODES)
        if chance < 0.93:
            return pick.choice([f"__dadd_{mode}({a}, {b})", f"__dmul_{mode}({a}, {b})", f"__dsub_{mode}({a}, {b})", f"__fma_{mode}({a}, {b}, {c})",
                                f"__dmul_rn({a}, {b}) + {c}"])
        return pick.choice([f"rint({a})", f"floor({a})", f"trunc({a})", f"{a} / {b}", f"sqrt(fabs({a}))", f"1.0 / {a}", f"__ddiv_{mode}({a}, {b})",
                            f"__dsqrt_{mode}(fabs({a}))", f"__drcp_{mode}({a})"])

    def small_text(self, kind):
        pick = self.pick
        a, b, c, d = self.value(kind), self.value(kind), self.value(kind), self.small_value(kind)
        sat = [f"__hadd_sat({a}, {b})", f"__hmul_sat({a}, {b})", f"__hfma_sat({a}, {b}, {c})", f"__hsub_sat({a}, {b})"]
        if pick.random() < 0.65:
            return pick.choice([f"__hadd({a}, {b})", f"__hsub({a}, {b})", f"__hmul({a}, {d})", f"__hmul({a}, {b})", f"__hfma({a}, {d}, {c})",
                                f"__hadd(__hmul({a}, {d}), {c})", f"__hsub({c}, __hmul({a}, {d}))", f"__hsub(__hmul({a}, {b}), __hmul({c}, {d}))",
                                f"{a} * {d} + {c}", f"{a} * {b} - {c} * {d}"])
        return pick.choice(sat + [f"__hadd_rn({a}, {b})", f"__hmul_rn({a}, {b})", f"__hadd_rn(__hmul_rn({a}, {b}), {c})", f"__hmin({a}, {b})",
                                  f"__hmax({a}, {b})", f"__hmin_nan({a}, {b})", f"__hmax_nan({a}, {b})", f"__hneg({a})", f"__habs({a})",
                                  f"__hlt({a}, {b}) ? {c} : {a}", f"__hfma_relu({a}, {b}, {c})"])

    def pair_text(self, kind):
        pick = self.pick
        a, b, c, d = self.value(kind), self.value(kind), self.value(kind), self.small_value(kind)
        if pick.random() < 0.65:
            return pick.choice([f"__hadd2({a}, {b})", f"__hsub2({a}, {b})", f"__hmul2({a}, {d})", f"__hfma2({a}, {d}, {c})",
                                f"__hadd2(__hmul2({a}, {d}), {c})", f"__hsub2({c}, __hmul2({a}, {d}))", f"__hsub2(__hmul2({a}, {b}), __hmul2({c}, {d}))"])
        return pick.choice([f"__hadd2_rn({a}, {b})", f"__hmul2_rn({a}, {b})", f"__hadd2_sat({a}, {b})", f"__hmin2({a}, {b})", f"__hmax2({a}, {b})",
                            f"__hmin2_nan({a}, {b})", f"__hneg2({a})", f"__habs2({a})", f"__hfma2_relu({a}, {b}, {c})",
                            f"__lowhigh2highlow({a})", f"__lows2{'half2' if kind == 'H' else 'bfloat162'}({a}, {b})"])

    def whole_text(self, kind):
        pick = self.pick
        wide = kind in "lw"
        a, b, c = self.value(kind), self.value(kind), self.value(kind)
        cast = f"({TYPES[kind]})"
        amount = f"({b} & {63 if wide else 31})"
        choices = [f"{a} + {b}", f"{a} - {b}", f"{a} * {b}", f"{a} & {b}", f"{a} | {b}", f"{a} ^ {b}", f"{a} << {amount}", f"{a} >> {amount}",
                   f"{a} * {b} + {c}", f"{a} < {b} ? {c} : {a}", f"~{a}", f"{a} / ({b} | 1)", f"{a} % ({b} | 1)", f"{a} / 7", f"{a} % 10"]
        if kind == "i":
            choices += [f"min({a}, {b})", f"max({a}, {b})", f"abs({a})", f"__mulhi({a}, {b})", f"__mul24({a}, {b})", f"__hadd({a}, {b})",
                        f"__rhadd({a}, {b})", f"__clz({a})", f"__popc({a})", f"__ffs({a})", f"__dp4a({a}, {b}, {c})", f"__sad({a}, {b}, 3)"]
        elif kind == "u":
            choices += [f"min({a}, {b})", f"max({a}, {b})", f"__umulhi({a}, {b})", f"__umul24({a}, {b})", f"__brev({a})", f"__byte_perm({a}, {b}, {c})",
                        f"__funnelshift_l({a}, {b}, {c})", f"__funnelshift_r({a}, {b}, {c})", f"__uhadd({a}, {b})", f"__usad({a}, {b}, {c})",
                        f"__vadd4({a}, {b})", f"__vabsdiffu4({a}, {b})", f"__vmaxs2({a}, {b})"]
        elif kind == "l":
            choices += [f"min({a}, {b})", f"__mul64hi({a}, {b})", f"llabs({a})"]
        else:
            choices += [f"max({a}, {b})", f"__umul64hi({a}, {b})", f"{cast}__popcll({a})", f"{cast}__clzll({a})", f"__brevll({a})", f"{cast}__ffsll({a})"]
        return pick.choice(choices)

    def conversion(self, to, from_):
        """Nothing where there is none."""
        mode, a = self.pick.choice(MODES), self.value(from_)
        whole = {"i": "int", "u": "uint", "l": "ll", "w": "ull"}
        if to in "HB":
            small = {"H": "h", "B": "b"}[to]
            if from_ == small:
                return f"__halves2{'half2' if to == 'H' else 'bfloat162'}({a}, {self.value(from_)})"
            if from_ == "f":
                return f"__floats2half2_rn({a}, {self.value(from_)})" if to == "H" else f"__floats2bfloat162_rn({a}, {self.value(from_)})"
            return None
        if from_ in "HB":
            if to == {"H": "h", "B": "b"}[from_]:
                return self.pick.choice([f"__low2{SMALL[to]}({a})", f"__high2{SMALL[to]}({a})"])
            return f"__low2float({a})" if to == "f" else None
        if to in whole and from_ in whole:
            return f"({TYPES[to]}){a}"
        number = {"f": "float", "d": "double", "h": "half", "b": "bfloat16"}
        if to in whole:
            return f"__{number[from_]}2{whole[to]}_{mode}({a})"
        if from_ in whole:
            if to == "d" and from_ in "iu":
                return f"__{whole[from_]}2double_rn({a})"
            return f"__{whole[from_]}2{number[to]}_{mode}({a})"
        if to == "f":
            return f"__double2float_{mode}({a})" if from_ == "d" else f"__{SMALL[from_]}2float({a})"
        if to == "d":
            return f"(double){a}" if from_ == "f" else f"(double)__{SMALL[from_]}2float({a})"
        if from_ == "f":
            return f"__float2{SMALL[to]}_{mode}({a})"
        return f"__double2{SMALL[to]}({a})" if from_ == "d" else None

    def store(self):
        """What nobody used, and some of the others."""
        number, names = 0, re.findall(r"\bv\d+", "\n".join(self.lines))
        for kind in self.kinds:
            for name in self.values[kind]:
                if number < MOST and (names.count(name) == 1 or name in self.changed or self.pick.random() < 0.06):
                    self.lines.append(f"OUT({number}, {name});")
                    number += 1
        self.outputs = number

    def text(self):
        return f"__global__ void k{self.number}(const Word* in, Word* out) {{\n  " + "\n  ".join(self.lines) + "\n}\n"


MOST = 96


def program(numbers, seed, way):
    kernels = [Kernel(number, seed, way) for number in numbers]
    table = "".join(f"  {{{kernel.number}, {kernel.outputs}, k{kernel.number}}},\n" for kernel in kernels)
    return HEAD % (LANES, SLOTS, MOST) + "".join(kernel.text() for kernel in kernels) + host_code(table)


def host_code(table):
    return ("struct Entry { int number, outputs; void (*kernel)(const Word*, Word*); };\n"
            f"static const Entry entries[] = {{\n{table}}};" + TAIL.replace("%%", "%"))


def program_without_device_code(numbers):
    """Runs kernels whose PTX comes from elsewhere."""
    kernels = "".join(f"__global__ void k{number}(const Word*, Word*) {{}}\n" for number in numbers)
    head = ("#include <cstdio>\n#include <cstdlib>\ntypedef unsigned long long Word;\n"
            f"enum {{ lanes = {LANES}, slots = {SLOTS}, most = {MOST} }};\n")
    return head + kernels + host_code("".join(f"  {{{number}, 0, k{number}}},\n" for number in numbers))


def way_of(part):
    """Half of all plain, a third in fast math."""
    return ["plain", "fast", "plain", "fast", "plain", "apart"][part % 6]


def write(options):
    options.folder.mkdir(parents=True, exist_ok=True)
    for part, first in enumerate(range(0, options.count, options.per_file)):
        way = way_of(part)
        numbers = range(first, min(first + options.per_file, options.count))
        (options.folder / f"part{part:03}.{way}.cu").write_text(program(numbers, options.seed, way))
    return 0


def read_answers(path):
    text = lzma.open(path, "rt").read() if path.suffix == ".xz" else path.read_text()
    return dict(re.findall(r"^(\d+) (\S.*)$", text, re.MULTILINE))


def run_part(options, path):
    """What a program prints, and what became of it."""
    way = path.name.split(".")[1]
    command = [str(options.heddle.resolve()), "run", "--quiet", "--no-advice", "--device-code", "nvcc", "-arch=sm_90", *WAYS[way], str(path)]
    run = subprocess.run(command, capture_output=True, text=True, env={"HEDDLE_CODE": "lanes", **os.environ}, check=False)
    return path, run


def differences(expected, found):
    missing = sorted((set(expected) ^ set(found)), key=int)
    wrong = sorted((number for number in set(expected) & set(found) if expected[number] != found[number]), key=int)
    return missing, wrong


def run(options):
    found, expected = {}, read_answers(options.answers) if options.answers else {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, done in pool.map(lambda path: run_part(options, path), sorted(options.folder.glob("part*.cu"))):
            lines = dict(re.findall(r"^(\d+) (\S.*)$", done.stdout, re.MULTILINE))
            found.update(lines)
            asked = {number: expected[number] for number in lines if number in expected}
            _, wrong = differences(asked, {number: lines[number] for number in asked})
            print(f"{path.name}: {len(lines)} kernels, {len(asked)} with an answer, {len(wrong)} differ {' '.join(wrong)}", flush=True)
            if done.returncode != 0:
                print(done.stderr[-1000:])
                return 1
    if options.found:
        options.found.write_text("".join(f"{number} {found[number]}\n" for number in sorted(found, key=int)))
    _, wrong = differences(expected, found)
    print(f"{len(found)} kernels, {len(wrong)} differ")
    return 1 if wrong else 0


def compare(options):
    missing, wrong = differences(read_answers(options.first), read_answers(options.second))
    print(f"{len(missing)} are in one of them, {len(wrong)} differ: {' '.join(wrong)}")
    return 1 if wrong or missing else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("write")
    command.add_argument("folder", type=pathlib.Path)
    command.add_argument("--count", type=int, default=5000)
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--per-file", type=int, default=100)
    command.set_defaults(function=write)
    command = commands.add_parser("run")
    command.add_argument("folder", type=pathlib.Path)
    command.add_argument("heddle", type=pathlib.Path)
    command.add_argument("--answers", type=pathlib.Path)
    command.add_argument("--found", type=pathlib.Path, help="where to write what was found")
    command.add_argument("--jobs", type=int, default=1)
    command.set_defaults(function=run)
    command = commands.add_parser("compare")
    command.add_argument("first", type=pathlib.Path)
    command.add_argument("second", type=pathlib.Path)
    command.set_defaults(function=compare)
    options = parser.parse_args()
    return options.function(options)


if __name__ == "__main__":
    sys.exit(main())
