# SPDX-License-Identifier: Apache-2.0
"""Half, bfloat16, tf32 and fp8: cases as in instruction_cases.py, computed with exact fractions.

Operands and results are bits: h16 and h32 are taken from numbers that are edges of these formats. NaN is what a GPU writes.
"""

import math
import struct
from fractions import Fraction

# width, bits of the mantissa that are stored, bias, has infinities
FORMATS = {"f16": (16, 10, 15, True), "bf16": (16, 7, 127, True), "tf32": (32, 10, 127, True), "f32": (32, 23, 127, True),
           "e4m3": (8, 3, 7, False), "e5m2": (8, 2, 15, True)}
NAN = {"f16": 0x7FFF, "bf16": 0x7FFF, "tf32": 0x7FFFFFFF, "f32": 0x7FFFFFFF, "e4m3": 0x7F, "e5m2": 0x7F}
HALVES = [0, 0x8000, 1, 0x8001, 0x3FF, 0x400, 0x401, 0x8400, 0x3C00, 0xBC00, 0x3C01, 0x3BFF, 0x3800, 0x4000, 0x4200, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00,
          0x7E00, 0x7FFF, 0xFE01, 0x1400, 0x3555, 0x6400, 0x7F, 0x80, 0x3F80, 0xBF80, 0x3F81, 0x3F7F, 0x7F7F, 0xFF7F, 0x7F80, 0xFF80, 0x4049, 0x0080]


def decode(bits, format_):
    """(negative, value): a Fraction, or a float that is infinite or NaN."""
    width, stored, bias, infinite = FORMATS[format_]
    shift = 13 if format_ == "tf32" else 0
    bits >>= shift
    width -= shift
    negative = bool(bits >> (width - 1) & 1)
    size = bits & ((1 << (width - 1)) - 1)
    exponent, fraction = size >> stored, size & ((1 << stored) - 1)
    last = (1 << (width - 1 - stored)) - 1
    if exponent == last and infinite:
        return negative, math.inf if fraction == 0 else math.nan
    if not infinite and size == (1 << (width - 1)) - 1:
        return negative, math.nan
    if exponent == 0:
        return negative, Fraction(fraction) * Fraction(2) ** (1 - bias - stored)
    return negative, Fraction((1 << stored) + fraction) * Fraction(2) ** (exponent - bias - stored)


def largest(format_):
    width, stored, bias, infinite = FORMATS[format_]
    if format_ == "e4m3":
        return 0x7E
    if format_ == "tf32":
        return 0x7F7FE000
    return (((1 << (width - 1 - stored)) - 1) << stored) - 1


def encode(negative, value, format_, mode="rn", finite=False):
    """The bits of a value, rounded; value is not negative."""
    width, stored, bias, infinite = FORMATS[format_]
    if isinstance(value, float) and math.isnan(value):
        return NAN[format_]
    sign = int(negative) << (width - 1)
    shift = 13 if format_ == "tf32" else 0
    infinity = largest(format_) + (1 << shift)
    if isinstance(value, float):
        return sign | (largest(format_) if finite or not infinite else infinity)
    if value == 0:
        return sign
    exponent = max(math.floor(math.log2(value)) if value.denominator < 2 ** 900 else -1000, 1 - bias)
    while Fraction(2) ** exponent > value and exponent > 1 - bias:
        exponent -= 1
    while Fraction(2) ** (exponent + 1) <= value:
        exponent += 1
    scaled = value / Fraction(2) ** (exponent - stored)
    whole, rest = scaled.numerator // scaled.denominator, scaled - scaled.numerator // scaled.denominator
    up = {"rn": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole & 1), "rz": False, "rna": rest >= Fraction(1, 2),
          "rm": negative and rest > 0, "rp": not negative and rest > 0}[mode]
    whole += int(up)
    bits = ((exponent + bias - 1) << stored) + whole
    bits <<= shift
    if bits > largest(format_):
        inward = mode == "rz" or mode == ("rp" if negative else "rm")
        bits = largest(format_) if finite or not infinite or inward else infinity
    return sign | bits


def number(bits, format_, flags=()):
    """A signed value: Fraction or float; zeros as floats, so that they have a sign."""
    negative, value = decode(bits, format_)
    if "ftz" in flags and value < Fraction(2) ** (1 - FORMATS[format_][2]):
        value = Fraction(0)
    if value == 0:
        return -0.0 if negative else 0.0
    return -value if negative else value


def finish(value, format_, flags=(), mode="rn"):
    if isinstance(value, float) and math.isnan(value):
        return 0 if "sat" in flags else NAN[format_]
    negative = math.copysign(1, value) < 0 if isinstance(value, float) else value < 0
    if ("relu" in flags or "sat" in flags) and value <= 0:
        return 0
    if "sat" in flags and value > 1:
        value = Fraction(1)
    size = abs(value)
    least = Fraction(2) ** (1 - FORMATS[format_][2])
    if "ftz" in flags and size < least:  # after rounding to as many bits as normal numbers have: of twice the size
        reaches = size != 0 and decode(encode(False, 2 * size, format_, mode), format_)[1] == 2 * least
        return encode(negative, least if reaches else Fraction(0), format_)
    return encode(negative, Fraction(0) if size == 0 else size, format_, mode, "satfinite" in flags)


def special(*values):
    return any(isinstance(value, float) for value in values)


def add(a, b):
    if not special(a, b):
        return a + b if a + b != 0 else 0.0
    if a == 0 and not (special(b) and b == 0):
        return b
    if b == 0 and not (special(a) and a == 0):
        return a
    if not (isinstance(a, float) and isinstance(b, float)): # one is infinite or NaN
        return a if isinstance(a, float) else b
    return a + b


def multiply(a, b):
    if not special(a, b):
        return a * b
    return float(a if special(a) else (1 if a > 0 else -1)) * float(b if special(b) else (1 if b > 0 else -1))


def fma(a, b, c):
    return add(multiply(a, b), c)


def least(a, b, flip=1):
    if a != a or b != b:
        return b if a != a else a
    key = [(flip * value, flip * math.copysign(1, value)) for value in (a, b)]
    return a if key[0] <= key[1] else b


def most(a, b):
    return least(a, b, -1)


def small(format_, flags, function):
    """Of bits, for one number."""
    def compute(*operands):
        return finish(function(*[number(bits, format_, flags) for bits in operands]), format_, flags)
    return compute


def choose(format_, flags, function):
    def compute(a, b):
        x, y = number(a, format_, flags), number(b, format_, flags)
        if "NaN" in flags and (x != x or y != y):
            return NAN[format_]
        if "xorsign" in flags:
            sign = (a ^ b) & 0x8000
            result = finish(function(abs(x), abs(y)), format_)
            return None if x != x or y != y else result | sign
        return finish(function(x, y), format_)
    return compute


def packed(one):
    def compute(*operands):
        parts = [one(*[bits >> 16 * i & 0xFFFF for bits in operands]) for i in (0, 1)]
        return None if None in parts else parts[1] << 16 | parts[0]
    return compute


COMPARISONS = {"eq": lambda a, b: a == b, "ne": lambda a, b: a == a and b == b and a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
               "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b, "equ": lambda a, b: not (a < b or a > b), "neu": lambda a, b: a != b,
               "ltu": lambda a, b: not a >= b, "leu": lambda a, b: not a > b, "gtu": lambda a, b: not a <= b, "geu": lambda a, b: not a < b,
               "num": lambda a, b: a == a and b == b, "nan": lambda a, b: a != a or b != b}


def compare(format_, name):
    return lambda a, b: COMPARISONS[name](number(a, format_), number(b, format_))


def sign_changed(format_, flags, operation):
    def compute(a):
        value = number(a, format_, flags)
        return None if value != value else finish(operation(value), format_)
    return compute


def bits_of_float(value):
    try:
        return struct.unpack("<I", struct.pack("<f", value))[0]
    except OverflowError:
        return 0x7F800000 | (0x80000000 if value < 0 else 0)


def convert(to, mode, flags=(), source="f32"):
    """From bits of a source format."""
    return lambda a: finish(number(a, source), to, flags, mode)


def exact_integer(to):
    def compute(a):
        return finish(Fraction(a) if a else 0.0, to)
    return compute


def to_whole(source, low, high, rounding):
    def compute(a):
        value = number(a, source)
        if value != value:
            return 0
        if isinstance(value, float) and math.isinf(value):
            return high if value > 0 else low
        return min(max(rounding(value), low), high)
    return compute


def two(to, width, mode="rn", flags=(), source="f32"):
    one = convert(to, mode, flags, source)
    return lambda a, b: one(a) << width | one(b)


def two_packed(to, width, source, source_width, flags=()):
    one = convert(to, "rn", flags, source)
    return lambda a: one(a >> source_width & ((1 << source_width) - 1)) << width | one(a & ((1 << source_width) - 1))


def arithmetic():
    plain = {"add": (add, 2), "sub": (lambda a, b: add(a, -b), 2), "mul": (multiply, 2)}
    names = ["%a", "%b", "%c"]
    for format_ in ("f16", "bf16"):
        flag_sets = [(), ("ftz",), ("sat",), ("ftz", "sat")] if format_ == "f16" else [()]
        fma_sets = [(), ("ftz",), ("sat",), ("relu",), ("ftz", "relu")] if format_ == "f16" else [(), ("relu",)]
        for wide in ("", "x2"):
            for name, (function, count) in plain.items():
                for flags in flag_sets:
                    words = ".rn" + "".join("." + flag for flag in flags)
                    yield (f"{name}{words}.{format_}{wide} %d, {', '.join(names[:count])};", "h32 " * 3 if wide else "h16 " * 3,
                           packed(small(format_, flags, function)) if wide else small(format_, flags, function))
            for flags in fma_sets:
                words = ".rn" + "".join("." + flag for flag in flags)
                one = small(format_, flags, fma)
                yield f"fma{words}.{format_}{wide} %d, %a, %b, %c;", "h32 " * 4 if wide else "h16 " * 4, packed(one) if wide else one
            for name, function in (("min", least), ("max", most)):
                for flags in [(), ("NaN",), ("NaN", "xorsign")] + ([("ftz",)] if format_ == "f16" else []):
                    words = "".join(".xorsign.abs" if flag == "xorsign" else "." + flag for flag in flags)
                    one = choose(format_, flags, function)
                    yield f"{name}{words}.{format_}{wide} %d, %a, %b;", "h32 " * 3 if wide else "h16 " * 3, packed(one) if wide else one
            for name, function in (("neg", lambda a: -a), ("abs", abs)):
                for flags in [(), ("ftz",)] if format_ == "f16" else [()]:
                    one = sign_changed(format_, flags, function)
                    yield (f"{name}{''.join('.' + flag for flag in flags)}.{format_}{wide} %d, %a;", "h32 h32" if wide else "h16 h16",
                           packed(one) if wide else one)


def comparisons():
    for format_ in ("f16", "bf16"):
        one = {"f16": 0x3C00, "bf16": 0x3F80}[format_]
        for name in COMPARISONS:
            test = compare(format_, name)
            yield f"setp.{name}.{format_} %d, %a, %b;", "pred h16 h16", test
            yield (f"set.{name}.{format_}x2.{format_}x2 %d, %a, %b;", "b32 h32 h32",
                   packed(lambda a, b, test=test, one=one: one if test(a, b) else 0))
        test = compare(format_, "lt")
        yield (f"{{ .reg .pred %q; setp.lt.{format_}x2 %q|%d, %a, %b; }}", "pred h32 h32", lambda a, b, test=test: test(a >> 16, b >> 16))
        yield (f"{{ .reg .pred %q; setp.lt.{format_}x2 %d|%q, %a, %b; }}", "pred h32 h32", lambda a, b, test=test: test(a & 0xFFFF, b & 0xFFFF))
        yield (f"set.lt.u32.{format_}x2 %d, %a, %b;", "b32 h32 h32", packed(lambda a, b, test=test: 0xFFFF if test(a, b) else 0))
        yield (f"set.lt.{format_}.{format_} %d, %a, %b;", "b16 h16 h16", lambda a, b, test=test, one=one: one if test(a, b) else 0)


def conversions():
    for mode in ("rn", "rz"):
        yield f"cvt.{mode}.f16.f32 %d, %a;", "b16 w32", convert("f16", mode)
        yield f"cvt.{mode}.bf16.f32 %d, %a;", "b16 w32", convert("bf16", mode)
        yield f"cvt.{mode}.f16x2.f32 %d, %a, %b;", "b32 w32 w32", two("f16", 16, mode)
        yield f"cvt.{mode}.bf16x2.f32 %d, %a, %b;", "b32 w32 w32", two("bf16", 16, mode)
        yield f"cvt.{mode}.relu.bf16x2.f32 %d, %a, %b;", "b32 w32 w32", two("bf16", 16, mode, ("relu",))
    for mode in ("rm", "rp"):
        yield f"cvt.{mode}.f16.f32 %d, %a;", "b16 w32", convert("f16", mode)
    yield "cvt.rn.sat.f16.f32 %d, %a;", "b16 w32", convert("f16", "rn", ("sat",))
    yield "cvt.rn.relu.f16.f32 %d, %a;", "b16 w32", convert("f16", "rn", ("relu",))
    yield "cvt.rna.tf32.f32 %d, %a;", "b32 w32", lambda a: None if number(a, "f32") != number(a, "f32") else convert("tf32", "rna")(a)
    yield "cvt.f32.f16 %d, %a;", "b32 h16", lambda a: None if number(a, "f16") != number(a, "f16") else convert("f32", "rn", (), "f16")(a)
    yield "cvt.f32.bf16 %d, %a;", "b32 h16", lambda a: None if number(a, "bf16") != number(a, "bf16") else convert("f32", "rn", (), "bf16")(a)
    for source, bits in (("s16", 16), ("s32", 32), ("u32", 32), ("s64", 64), ("u64", 64)):
        yield f"cvt.rn.f16.{source} %d, %a;", f"b16 {source}", exact_integer("f16")
        yield f"cvt.rn.bf16.{source} %d, %a;", f"b16 {source}", exact_integer("bf16")
    for mode, rounding in (("rzi", math.trunc), ("rni", round), ("rmi", math.floor), ("rpi", math.ceil)):
        yield f"cvt.{mode}.s32.f16 %d, %a;", "s32 h16", to_whole("f16", -2 ** 31, 2 ** 31 - 1, rounding)
        yield f"cvt.{mode}.u16.f16 %d, %a;", "u16 h16", to_whole("f16", 0, 65535, rounding)
    for format_ in ("e4m3", "e5m2"):
        yield f"cvt.rn.satfinite.{format_}x2.f32 %d, %a, %b;", "b16 w32 w32", two(format_, 8, "rn", ("satfinite",))
        yield f"cvt.rn.satfinite.relu.{format_}x2.f32 %d, %a, %b;", "b16 w32 w32", two(format_, 8, "rn", ("satfinite", "relu"))
        yield f"cvt.rn.satfinite.{format_}x2.f16x2 %d, %a;", "b16 h32", two_packed(format_, 8, "f16", 16, ("satfinite",))
        yield f"cvt.rn.f16x2.{format_}x2 %d, %a;", "b32 u16", two_packed("f16", 16, format_, 8)


GROUPS = {"small": [*arithmetic()], "small-compare": [*comparisons()], "small-convert": [*conversions()]}
