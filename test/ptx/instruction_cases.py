# SPDX-License-Identifier: Apache-2.0
"""Instructions of PTX and what they give, computed in Python: each is run for edge cases by test_ptx.py.

A case is (instruction, types, function): %d is the result, %a, %b, %c and %e are the operands, types are "result operand...". The
function takes and gives numbers: unsigned for b and u, signed for s, Python floats for f, truth values for pred. A result of None is
not compared. h is bits of halves or bfloat16s, w bits of floats near their edges (small_cases.py).
"""

import math
import struct

import small_cases

WORDS = [0, 1, 2, 5, 7, 31, 32, 33, 63, 64, 65, 200, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x12345678, 0x7FFFFFFF, 0x80000000,
         0x80000001, 0xDEADBEEF, 0xFFFFFFFE, 0xFFFFFFFF, 0x100000000, 0x123456789ABCDEF0, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000,
         0xFEDCBA9876543210, 0xFFFFFFFF00000000, 0xFFFFFFFFFFFFFFFF]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 3.75, 100.25, -100.75, 1e10, -1e10, 3e9, 5e9, 1e20, -1e20, 1e-3, -1e-3, 7.0,
          math.inf, -math.inf, math.nan, 2.0 ** -130, -(2.0 ** -130), 2.0 ** -126, 65504.0, 1e-30, 12345.678, 0.1, 4.0, 9.0]


def f32(value):
    """Rounded to single precision."""
    try:
        return struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def flush(value):
    return math.copysign(0.0, value) if value == value and abs(value) < 2.0 ** -126 else value


def wrap(value, bits):
    return value & ((1 << bits) - 1)


def signed(value, bits):
    value = wrap(value, bits)
    return value - (1 << bits) if value >> (bits - 1) else value


def div(a, b):
    """Of numbers that may be negative: towards zero."""
    return None if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def rem(a, b):
    return None if b == 0 else a - b * div(a, b)


def shl(bits):
    return lambda a, b: wrap(a << b, bits) if b < bits else 0


def shr(bits):
    return lambda a, b: a >> min(b, bits)


def bit_count(value, bits):
    """A place or a length: the lowest byte counts; in fields of 64 bits an H200 takes all of it."""
    return min(value, 0xFF) if bits == 64 else value & 0xFF


def bfe(bits, is_signed):
    def extract(a, b, c):
        position, length = bit_count(b, bits), bit_count(c, bits)
        value = wrap(a, bits)
        sign = (value >> min(position + length - 1, bits - 1)) & 1 if is_signed and length else 0
        return sum(((value >> (position + i)) & 1 if i < length and position + i < bits else sign) << i for i in range(bits))
    return extract


def bfi(bits):
    def insert(a, b, c, e):
        position, length = bit_count(c, bits), bit_count(e, bits)
        for i in range(length):
            if position + i < bits:
                b = b & ~(1 << (position + i)) | ((a >> i) & 1) << (position + i)
        return b
    return insert


def bfind(bits, shift):
    def find(a):
        value = ~a if a < 0 else a
        if value == 0:
            return 0xFFFFFFFF
        return bits - value.bit_length() if shift else value.bit_length() - 1
    return find


def lop3(table):
    def logic(a, b, c):
        return sum(((table >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1))) & 1) << i for i in range(32))
    return logic


def prmt(a, b, c):
    bytes_ = [(b << 32 | a) >> 8 * i & 0xFF for i in range(8)]
    result = 0
    for i in range(4):
        chosen = c >> 4 * i & 0xF
        byte = bytes_[chosen & 7]
        result |= (0xFF if byte & 0x80 else 0) << 8 * i if chosen & 8 else byte << 8 * i
    return result


def to_integer(rounding, low, high, nan):
    def convert(a):
        if math.isnan(a):
            return nan
        if math.isinf(a):
            return low if a < 0 else high
        return min(max(rounding(a), low), high)
    return convert


def nearest(a):
    return round(a)  # Python's goes to even


def safe(function):
    """None where Python has no answer."""
    def answer(*operands):
        try:
            return function(*operands)
        except (ValueError, OverflowError, ZeroDivisionError):
            return None
    return answer


def exact(function):
    """Single precision of a result that double precision holds, for finite operands."""
    return lambda *operands: f32(function(*operands)) if all(map(math.isfinite, operands)) else None


def minimum(a, b):
    return b if math.isnan(a) else a if math.isnan(b) else min(a, b, key=lambda x: (x, math.copysign(1, x)))


def maximum(a, b):
    return b if math.isnan(a) else a if math.isnan(b) else max(a, b, key=lambda x: (x, math.copysign(1, x)))


def high(bits):
    return lambda a, b: (a * b) >> bits


S32 = (-2 ** 31, 2 ** 31 - 1)
INTEGER = [
    *[(f"{op}.{t}{bits} %d, %a, %b;", f"{t}{bits} " * 3, function)
      for op, function in [("add", lambda a, b: a + b), ("sub", lambda a, b: a - b), ("mul.lo", lambda a, b: a * b), ("div", div),
                           ("rem", rem), ("min", min), ("max", max)]
      for t in "us" for bits in (16, 32, 64)],
    *[(f"mul.hi.{t}{bits} %d, %a, %b;", f"{t}{bits} " * 3, high(bits)) for t in "us" for bits in (16, 32, 64)],
    *[(f"mul.wide.{t}{bits} %d, %a, %b;", f"{t}{bits * 2} {t}{bits} {t}{bits}", lambda a, b: a * b) for t in "us" for bits in (16, 32)],
    *[(f"mad.lo.{t}{bits} %d, %a, %b, %c;", f"{t}{bits} " * 4, lambda a, b, c: a * b + c) for t in "us" for bits in (16, 32, 64)],
    ("mad.hi.s32 %d, %a, %b, %c;", "s32 s32 s32 s32", lambda a, b, c: ((a * b) >> 32) + c),
    ("mad.wide.u32 %d, %a, %b, %c;", "u64 u32 u32 u64", lambda a, b, c: a * b + c),
    ("mad.wide.s16 %d, %a, %b, %c;", "s32 s16 s16 s32", lambda a, b, c: a * b + c),
    ("mul24.lo.s32 %d, %a, %b;", "s32 s32 s32", lambda a, b: signed(a, 24) * signed(b, 24)),
    ("mul24.hi.u32 %d, %a, %b;", "u32 u32 u32", lambda a, b: wrap(a, 24) * wrap(b, 24) >> 16),
    ("mad24.lo.u32 %d, %a, %b, %c;", "u32 u32 u32 u32", lambda a, b, c: wrap(a, 24) * wrap(b, 24) + c),
    ("add.sat.s32 %d, %a, %b;", "s32 s32 s32", lambda a, b: min(max(a + b, S32[0]), S32[1])),
    ("sub.sat.s32 %d, %a, %b;", "s32 s32 s32", lambda a, b: min(max(a - b, S32[0]), S32[1])),
    ("sad.s32 %d, %a, %b, %c;", "s32 s32 s32 s32", lambda a, b, c: c + abs(a - b)),
    ("sad.u16 %d, %a, %b, %c;", "u16 u16 u16 u16", lambda a, b, c: c + abs(a - b)),
    *[(f"abs.s{bits} %d, %a;", f"s{bits} s{bits}", abs) for bits in (16, 32, 64)],
    *[(f"neg.s{bits} %d, %a;", f"s{bits} s{bits}", lambda a: -a) for bits in (16, 32, 64)],
    ("dp4a.s32.s32 %d, %a, %b, %c;", "s32 u32 u32 s32",
     lambda a, b, c: c + sum(signed(a >> 8 * i, 8) * signed(b >> 8 * i, 8) for i in range(4))),
    ("dp4a.u32.s32 %d, %a, %b, %c;", "s32 u32 u32 s32",
     lambda a, b, c: c + sum((a >> 8 * i & 255) * signed(b >> 8 * i, 8) for i in range(4))),
    ("dp2a.lo.s32.u32 %d, %a, %b, %c;", "s32 u32 u32 s32",
     lambda a, b, c: c + sum(signed(a >> 16 * i, 16) * (b >> 8 * i & 255) for i in range(2))),
    ("dp2a.hi.s32.u32 %d, %a, %b, %c;", "s32 u32 u32 s32",
     lambda a, b, c: c + sum(signed(a >> 16 * i, 16) * (b >> 16 + 8 * i & 255) for i in range(2))),
    ("{ .reg .b32 %l, %h, %x, %y; mov.b64 {%l, %h}, %a; mov.b64 {%x, %y}, %b; add.cc.u32 %l, %l, %x; addc.u32 %h, %h, %y; "
     "mov.b64 %d, {%l, %h}; }", "u64 u64 u64", lambda a, b: a + b),
    ("{ .reg .b32 %l, %h, %x, %y; mov.b64 {%l, %h}, %a; mov.b64 {%x, %y}, %b; sub.cc.u32 %l, %l, %x; subc.u32 %h, %h, %y; "
     "mov.b64 %d, {%l, %h}; }", "u64 u64 u64", lambda a, b: a - b),
    ("{ .reg .b64 %t; add.cc.u64 %t, %a, %b; addc.cc.u64 %t, %a, %b; addc.u64 %d, 0, 0; }", "u64 u64 u64",
     lambda a, b: (a + b + ((a + b) >> 64)) >> 64),
    ("{ .reg .b64 %t; sub.cc.u64 %t, %a, %b; subc.cc.u64 %t, %a, %b; subc.u64 %d, 0, 0; }", "u64 u64 u64",
     lambda a, b: -int(a - b - int(a < b) < 0)),
    ("{ .reg .b32 %t; sub.cc.u32 %t, %a, %b; addc.u32 %d, 0, 0; }", "u32 u32 u32", lambda a, b: int(a >= b)),  # 1: no borrow
    ("{ .reg .b32 %t; add.cc.u32 %t, %a, %b; subc.u32 %d, 0, 0; }", "u32 u32 u32", lambda a, b: 0 if a + b >> 32 else 0xffff_ffff),
    ("{ .reg .b32 %t; mad.lo.cc.u32 %t, %a, %b, %c; madc.hi.u32 %d, %a, %b, 0; }", "u32 u32 u32 u32",
     lambda a, b, c: (a * b + c) >> 32),
    ("{ .reg .pred %p; setp.lt.s32 %p, %a, %b; mov.u32 %d, 1; @%p add.s32 %d, %a, 5; @!%p sub.s32 %d, %b, 7; }", "s32 s32 s32",
     lambda a, b: a + 5 if a < b else b - 7),
]
BITS = [
    *[(f"{op}.b{bits} %d, %a, %b;", f"b{bits} " * 3, function)
      for op, function in [("and", lambda a, b: a & b), ("or", lambda a, b: a | b), ("xor", lambda a, b: a ^ b)]
      for bits in (16, 32, 64)],
    ("and.pred %d, %a, %b;", "pred pred pred", lambda a, b: a and b), ("or.pred %d, %a, %b;", "pred pred pred", lambda a, b: a or b),
    ("xor.pred %d, %a, %b;", "pred pred pred", lambda a, b: a != b), ("not.pred %d, %a;", "pred pred", lambda a: not a),
    *[(f"not.b{bits} %d, %a;", f"b{bits} b{bits}", lambda a: ~a) for bits in (16, 32, 64)],
    *[(f"cnot.b{bits} %d, %a;", f"b{bits} b{bits}", lambda a: int(a == 0)) for bits in (16, 32, 64)],
    *[(f"shl.b{bits} %d, %a, %b;", f"b{bits} b{bits} u32", shl(bits)) for bits in (16, 32, 64)],
    *[(f"shr.{t}{bits} %d, %a, %b;", f"{t}{bits} {t}{bits} u32", shr(bits)) for t in "usb" for bits in (16, 32, 64)],
    *[(f"shl.b32 %d, %a, {n};", "b32 b32", lambda a, n=n: wrap(a << n, 32) if n < 32 else 0) for n in (0, 5, 31, 32, 40)],
    *[(f"shr.s32 %d, %a, {n};", "s32 s32", lambda a, n=n: a >> min(n, 31)) for n in (0, 5, 31, 32, 40)],
    *[(f"shf.l.{mode}.b32 %d, %a, %b, %c;", "b32 b32 b32 b32",
       lambda a, b, c, limit=limit: (b << 32 | a) << limit(c) >> 32) for mode, limit in [("wrap", lambda c: c & 31), ("clamp", lambda c: min(c, 32))]],
    *[(f"shf.r.{mode}.b32 %d, %a, %b, %c;", "b32 b32 b32 b32",
       lambda a, b, c, limit=limit: (b << 32 | a) >> limit(c)) for mode, limit in [("wrap", lambda c: c & 31), ("clamp", lambda c: min(c, 32))]],
    *[(f"lop3.b32 %d, %a, %b, %c, {table};", "b32 b32 b32 b32", lop3(table)) for table in (0, 0x96, 0xE8, 0xCA, 0xFE, 0x80, 0xFF)],
    *[(f"popc.b{bits} %d, %a;", f"u32 b{bits}", lambda a: bin(a).count("1")) for bits in (32, 64)],
    *[(f"clz.b{bits} %d, %a;", f"u32 b{bits}", lambda a, bits=bits: bits - a.bit_length()) for bits in (32, 64)],
    *[(f"brev.b{bits} %d, %a;", f"b{bits} b{bits}", lambda a, bits=bits: int(f"{a:0{bits}b}"[::-1], 2)) for bits in (32, 64)],
    *[(f"bfe.{t}{bits} %d, %a, %b, %c;", f"b{bits} {t}{bits} u32 u32", bfe(bits, t == "s")) for t in "us" for bits in (32, 64)],
    *[(f"bfi.b{bits} %d, %a, %b, %c, %e;", f"b{bits} b{bits} b{bits} u32 u32", bfi(bits)) for bits in (32, 64)],
    *[(f"bfind{s}.{t}{bits} %d, %a;", f"u32 {t}{bits}", bfind(bits, s != "")) for s in ("", ".shiftamt") for t in "us" for bits in (32, 64)],
    ("prmt.b32 %d, %a, %b, %c;", "b32 b32 b32 b32", prmt),
    ("fns.b32 %d, %a, 0, 2;", "b32 b32", lambda a: ([i for i in range(32) if a >> i & 1] + [None, None])[1] if bin(a).count("1") > 1 else 0xFFFFFFFF),
    *[(f"bmsk.{mode}.b32 %d, %a, %b;", "b32 u32 u32", lambda a, b, limit=limit: wrap(((1 << limit(b)) - 1) << limit(a), 32))
      for mode, limit in [("wrap", lambda c: c & 31), ("clamp", lambda c: min(c, 32))]],
    *[(f"szext.{mode}.{t}32 %d, %a, %b;", f"{t}32 b32 u32",
       lambda a, b, limit=limit, t=t: 0 if limit(b) == 0 else signed(a, limit(b)) if t == "s" else wrap(a, limit(b)))
      for mode, limit in [("wrap", lambda c: c & 31), ("clamp", lambda c: min(c, 32))] for t in "us"],
    ("mov.b64 %d, {%a, %b};", "b64 b32 b32", lambda a, b: b << 32 | a), ("mov.b32 %d, {%a, %b};", "b32 b16 b16", lambda a, b: b << 16 | a),
    ("{ .reg .b16 %x<4>; mov.b64 {%x0, %x1, %x2, %x3}, %a; mov.b64 %d, {%x3, %x2, %x1, %x0}; }", "b64 b64",
     lambda a: sum((a >> 16 * i & 0xFFFF) << 16 * (3 - i) for i in range(4))),
    ("mov.u32 %d, WARP_SZ;", "u32 u32", lambda a: 32), ("mov.pred %d, %a;", "pred pred", lambda a: a),
]
COMPARE = [
    *[(f"setp.{op}.{t}{bits} %d, %a, %b;", f"pred {t}{bits} {t}{bits}", function)
      for op, function in [("eq", lambda a, b: a == b), ("ne", lambda a, b: a != b), ("lt", lambda a, b: a < b), ("le", lambda a, b: a <= b),
                           ("gt", lambda a, b: a > b), ("ge", lambda a, b: a >= b)]
      for t in "us" for bits in (16, 32, 64)],
    *[(f"setp.{op}.u32 %d, %a, %b;", "pred u32 u32", function)
      for op, function in [("lo", lambda a, b: a < b), ("ls", lambda a, b: a <= b), ("hi", lambda a, b: a > b), ("hs", lambda a, b: a >= b)]],
    *[(f"setp.{op}.f{bits} %d, %a, %b;", f"pred f{bits} f{bits}", function)
      for op, function in [("eq", lambda a, b: a == b), ("ne", lambda a, b: a == a and b == b and a != b), ("lt", lambda a, b: a < b),
                           ("le", lambda a, b: a <= b), ("gt", lambda a, b: a > b), ("ge", lambda a, b: a >= b),
                           ("equ", lambda a, b: not (a < b or a > b)), ("neu", lambda a, b: a != b), ("ltu", lambda a, b: not a >= b),
                           ("leu", lambda a, b: not a > b), ("gtu", lambda a, b: not a <= b), ("geu", lambda a, b: not a < b),
                           ("num", lambda a, b: a == a and b == b), ("nan", lambda a, b: a != a or b != b)]
      for bits in (32, 64)],
    ("setp.eq.ftz.f32 %d, %a, 0f00000000;", "pred f32", lambda a: flush(a) == 0),
    *[("{ .reg .pred %q; setp.lt." + op + ".s32 %d|%q, %a, %b, %c; }", "pred s32 s32 pred", function)
      for op, function in [("and", lambda a, b, c: a < b and c), ("or", lambda a, b, c: a < b or c), ("xor", lambda a, b, c: (a < b) != c)]],
    ("{ .reg .pred %q; setp.lt.and.s32 %q|%d, %a, %b, %c; }", "pred s32 s32 pred", lambda a, b, c: not a < b and c),
    ("set.lt.u32.s32 %d, %a, %b;", "u32 s32 s32", lambda a, b: 0xFFFFFFFF if a < b else 0),
    ("set.gt.f32.f32 %d, %a, %b;", "f32 f32 f32", lambda a, b: float(a > b)),
    ("set.lt.or.u32.s32 %d, %a, %b, %c;", "u32 s32 s32 pred", lambda a, b, c: 0xFFFFFFFF if a < b or c else 0),
    *[(f"selp.b{bits} %d, %a, %b, %c;", f"b{bits} b{bits} b{bits} pred", lambda a, b, c: a if c else b) for bits in (16, 32, 64)],
    ("selp.f32 %d, %a, %b, %c;", "f32 f32 f32 pred", lambda a, b, c: a if c else b),
    ("slct.s32.s32 %d, %a, %b, %c;", "s32 s32 s32 s32", lambda a, b, c: a if c >= 0 else b),
    ("slct.f32.f32 %d, %a, %b, %c;", "f32 f32 f32 f32", lambda a, b, c: a if c >= 0 else b),
    *[(f"testp.{op}.f{bits} %d, %a;", f"pred f{bits}", function)
      for op, function in [("finite", math.isfinite), ("infinite", math.isinf), ("number", lambda a: a == a), ("notanumber", math.isnan)]
      for bits in (32, 64)],
    ("testp.normal.f32 %d, %a;", "pred f32", lambda a: math.isfinite(a) and (a == 0 or abs(a) >= 2.0 ** -126)),
    ("testp.subnormal.f32 %d, %a;", "pred f32", lambda a: a != 0 and abs(a) < 2.0 ** -126),
]
FLOAT = [
    *[(f"{op}{mode}.f{bits} %d, %a, %b;", f"f{bits} f{bits} f{bits}", function)
      for op, function in [("add", lambda a, b: a + b), ("sub", lambda a, b: a - b), ("mul", lambda a, b: a * b)]
      for mode in ("", ".rn") for bits in (32, 64)],
    ("add.rz.f32 %d, %a, 0f33800000;", "f32 f32", lambda a: 1.0 if a == 1 else None), # 2^-24
    ("add.rp.f32 %d, %a, 0f33800000;", "f32 f32", lambda a: 1.0 + 2.0 ** -23 if a == 1 else None),
    ("sub.rm.f32 %d, %a, 0f33000000;", "f32 f32", lambda a: 1.0 - 2.0 ** -24 if a == 1 else None), # 2^-25
    ("mul.rz.f64 %d, %a, 0d3FB999999999999A;", "f64 f64", lambda a: 0.30000000000000004 if a == 3 else None),
    ("add.ftz.f32 %d, %a, %b;", "f32 f32 f32", lambda a, b: flush(f32(flush(a) + flush(b)))),
    ("mul.ftz.f32 %d, %a, %b;", "f32 f32 f32", lambda a, b: flush(f32(flush(a) * flush(b)))),
    ("add.sat.f32 %d, %a, %b;", "f32 f32 f32", lambda a, b: 0.0 if a + b != a + b else min(max(f32(a + b), 0.0), 1.0)),
    ("fma.rn.f32 %d, %a, 0f40400000, 0f3F800000;", "f32 f32", exact(lambda a: a * 3 + 1)),
    ("fma.rn.f64 %d, %a, 0d4000000000000000, 0dBFF0000000000000;", "f64 f64", lambda a: a * 2 - 1),
    ("fma.rz.f32 %d, %a, 0f3F800000, 0f33800000;", "f32 f32", lambda a: 1.0 if a == 1 else None),
    ("mad.rn.f32 %d, %a, 0f40000000, %b;", "f32 f32 f32", lambda a, b: f32(a * 2 + b) if abs(a) < 1e5 and abs(b) < 1e5 else None),
    *[(f"div.rn.f{bits} %d, %a, %b;", f"f{bits} f{bits} f{bits}", safe(lambda a, b: a / b)) for bits in (32, 64)],
    ("div.approx.f32 %d, %a, %b;", "~f32 f32 f32", safe(lambda a, b: a / b if abs(b) < 2.0 ** 126 else None)),
    ("div.full.f32 %d, %a, %b;", "~f32 f32 f32", safe(lambda a, b: a / b if abs(b) < 2.0 ** 126 else None)),
    ("div.rp.f64 %d, %a, 0d4008000000000000;", "f64 f64", lambda a: 0.33333333333333337 if a == 1 else None),
    *[(f"rcp.rn.f{bits} %d, %a;", f"f{bits} f{bits}", safe(lambda a: 1 / a)) for bits in (32, 64)],
    ("rcp.approx.ftz.f32 %d, %a;", "~f32 f32", safe(lambda a: 1 / a if abs(a) >= 2.0 ** -126 and abs(a) < 2.0 ** 126 else None)),
    *[(f"sqrt.rn.f{bits} %d, %a;", f"f{bits} f{bits}", safe(math.sqrt)) for bits in (32, 64)],
    ("sqrt.approx.f32 %d, %a;", "~f32 f32", safe(math.sqrt)), ("sqrt.rm.f32 %d, %a;", "f32 f32", lambda a: 3.0 if a == 9 else None),
    ("rsqrt.approx.f32 %d, %a;", "~f32 f32", safe(lambda a: 1 / math.sqrt(a))),
    ("rsqrt.approx.f64 %d, %a;", "~f64 f64", safe(lambda a: 1 / math.sqrt(a))),
    ("ex2.approx.f32 %d, %a;", "~f32 f32", safe(lambda a: 2.0 ** a if abs(a) < 120 else None)),
    ("ex2.approx.ftz.f32 %d, %a;", "~f32 f32", safe(lambda a: 2.0 ** a if abs(a) < 120 else None)),
    ("lg2.approx.f32 %d, %a;", "~f32 f32", safe(math.log2)), ("sin.approx.f32 %d, %a;", "~f32 f32", safe(lambda a: math.sin(a) if abs(a) < 8 else None)),
    ("cos.approx.f32 %d, %a;", "~f32 f32", safe(lambda a: math.cos(a) if abs(a) < 8 else None)), ("tanh.approx.f32 %d, %a;", "~f32 f32", math.tanh),
    *[(f"min.f{bits} %d, %a, %b;", f"f{bits} f{bits} f{bits}", minimum) for bits in (32, 64)],
    *[(f"max.f{bits} %d, %a, %b;", f"f{bits} f{bits} f{bits}", maximum) for bits in (32, 64)],
    ("min.NaN.f32 %d, %a, %b;", "f32 f32 f32", lambda a, b: math.nan if a != a or b != b else minimum(a, b)),
    ("max.ftz.f32 %d, %a, %b;", "f32 f32 f32", lambda a, b: maximum(flush(a), flush(b))),
    *[(f"abs.f{bits} %d, %a;", f"f{bits} f{bits}", abs) for bits in (32, 64)], ("abs.ftz.f32 %d, %a;", "f32 f32", lambda a: abs(flush(a))),
    *[(f"neg.f{bits} %d, %a;", f"f{bits} f{bits}", lambda a: -a) for bits in (32, 64)], ("neg.ftz.f32 %d, %a;", "f32 f32", lambda a: -flush(a)),
    *[(f"copysign.f{bits} %d, %a, %b;", f"f{bits} f{bits} f{bits}", lambda a, b: math.copysign(b, a) if a == a else None) for bits in (32, 64)],
]
CONVERT = [
    *[(f"cvt.{t}{to}.{s}{bits} %d, %a;", f"{t}{to} {s}{bits}", lambda a: a) for t in "us" for to in (16, 32, 64) for s in "us" for bits in (16, 32, 64)],
    ("cvt.u32.u8 %d, %a;", "u32 u16", lambda a: a & 255), ("cvt.s32.s8 %d, %a;", "s32 u16", lambda a: signed(a, 8)),
    ("cvt.sat.s16.s32 %d, %a;", "s16 s32", lambda a: min(max(a, -32768), 32767)), ("cvt.sat.u16.s32 %d, %a;", "u16 s32", lambda a: min(max(a, 0), 65535)),
    ("cvt.sat.u32.s32 %d, %a;", "u32 s32", lambda a: max(a, 0)), ("cvt.sat.s32.u32 %d, %a;", "s32 u32", lambda a: min(a, 2 ** 31 - 1)),
    ("cvt.sat.s32.s64 %d, %a;", "s32 s64", lambda a: min(max(a, S32[0]), S32[1])),
    *[(f"cvt.rn.f{to}.{s}{bits} %d, %a;", f"f{to} {s}{bits}", float) for to in (32, 64) for s in "us" for bits in (16, 32)],
    *[(f"cvt.rn.f64.{s}64 %d, %a;", f"f64 {s}64", float) for s in "us"],
    ("cvt.rz.f32.u32 %d, %a;", "f32 u32", lambda a: 2.0 ** 32 - 256 if a == 2 ** 32 - 1 else None),
    *[(f"cvt.{mode}.s32.f{bits} %d, %a;", f"s32 f{bits}", to_integer(rounding, *S32, 0 if bits == 32 else S32[0]))
      for mode, rounding in [("rni", nearest), ("rzi", math.trunc), ("rmi", math.floor), ("rpi", math.ceil)] for bits in (32, 64)],
    *[(f"cvt.{mode}.u32.f32 %d, %a;", "u32 f32", to_integer(rounding, 0, 2 ** 32 - 1, 0)) for mode, rounding in [("rni", nearest), ("rzi", math.trunc)]],
    *[(f"cvt.rzi.{t}64.f{bits} %d, %a;", f"{t}64 f{bits}", to_integer(math.trunc, *((0, 2 ** 64 - 1) if t == "u" else (-2 ** 63, 2 ** 63 - 1)), 1 << 63))
      for t in "us" for bits in (32, 64)],
    ("cvt.rzi.s16.f32 %d, %a;", "s16 f32", to_integer(math.trunc, -32768, 32767, 0)),
    ("cvt.f64.f32 %d, %a;", "f64 f32", lambda a: a), ("cvt.rn.f32.f64 %d, %a;", "f32 f64", lambda a: a),
    *[(f"cvt.{mode}.f{bits}.f{bits} %d, %a;", f"f{bits} f{bits}", lambda a, r=rounding: math.copysign(float(r(a)), a) if math.isfinite(a) else a)
      for mode, rounding in [("rni", nearest), ("rzi", math.trunc), ("rmi", math.floor), ("rpi", math.ceil)] for bits in (32, 64)],
    ("cvt.sat.f32.f32 %d, %a;", "f32 f32", lambda a: min(a, 1.0) if a > 0 else 0.0),
    ("cvt.ftz.f64.f32 %d, %a;", "f64 f32", flush),
    ("{ .reg .b16 %h; cvt.rn.f16.f32 %h, %a; cvt.f32.f16 %d, %h; }", "f32 f32", lambda a: a if a in (0, 1, -1, 0.5, 1.5, 2.5, 100.25, 65504) else None),
]


def pairs(function, is_signed):
    """Each half of a word for itself."""
    def whole(a, b):
        halves = [(signed(a >> i, 16), signed(b >> i, 16)) if is_signed else (wrap(a >> i, 16), wrap(b >> i, 16)) for i in (0, 16)]
        return sum(wrap(function(x, y), 16) << 16 * i for i, (x, y) in enumerate(halves))
    return whole


def pack(bits, is_signed):
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)
    return lambda a, b, c=0: wrap(c << 2 * bits | wrap(min(max(a, low), high), bits) << bits | wrap(min(max(b, low), high), bits), 32)


# For each mode the bytes of the result, the lowest first, by the lower two bits of c.
PERMUTED = {"f4e": ["0123", "1234", "2345", "3456"], "b4e": ["0765", "1076", "2107", "3210"], "rc8": ["0000", "1111", "2222", "3333"],
            "ecl": ["0123", "1123", "2223", "3333"], "ecr": ["0000", "0111", "0122", "0123"], "rc16": ["0101", "2323", "0101", "2323"]}


def permuted(mode):
    return lambda a, b, c: sum(((b << 32 | a) >> 8 * int(byte) & 255) << 8 * i for i, byte in enumerate(PERMUTED[mode][c & 3]))


def clamped(value):
    return min(max(value, S32[0]), S32[1])


# Groups of their own: the operands of a group depend on all its cases.
def distances(a, b, parts):
    """Of the parts of two words, the lowest first."""
    bits = 32 // parts
    mask = (1 << bits) - 1
    return [abs((a >> bits * i & mask) - (b >> bits * i & mask)) for i in range(parts)]


PAIRS = [
    *[(f"add.{t}16x2 %d, %a, %b;", "b32 b32 b32", pairs(lambda a, b: a + b, t == "s")) for t in "us"],
    *[(f"{op}.{t}16x2 %d, %a, %b;", "b32 b32 b32", pairs(function, t == "s")) for op, function in [("min", min), ("max", max)] for t in "us"],
    *[(f"{op}.relu.s16x2 %d, %a, %b;", "b32 b32 b32", pairs(lambda a, b, f=function: max(f(a, b), 0), True)) for op, function in [("min", min), ("max", max)]],
    *[(f"{op}.relu.s32 %d, %a, %b;", "s32 s32 s32", lambda a, b, f=function: max(f(a, b), 0)) for op, function in [("min", min), ("max", max)]],
    *[(f"cvt.pack.sat.{t}16.s32 %d, %a, %b;", "b32 s32 s32", pack(16, t == "s")) for t in "us"],
    *[(f"cvt.pack.sat.{t}8.s32.b32 %d, %a, %b, %c;", "b32 s32 s32 b32", pack(8, t == "s")) for t in "us"],
    *[(f"vabsdiff{n}.u32.u32.u32 %d, %a, %b, %c;", "b32 b32 b32 b32",
       lambda a, b, c, n=n: sum(apart << i * 32 // n for i, apart in enumerate(distances(a, b, n)))) for n in (2, 4)],
    *[(f"vabsdiff{n}.u32.u32.u32.add %d, %a, %b, %c;", "b32 b32 b32 b32",
       lambda a, b, c, n=n: c + sum(distances(a, b, n))) for n in (2, 4)],
]
MODES = [
    *[(f"prmt.b32.{mode} %d, %a, %b, %c;", "b32 b32 b32 b32", permuted(mode)) for mode in PERMUTED],
    ("mad.hi.sat.s32 %d, %a, %b, %c;", "s32 s32 s32 s32", lambda a, b, c: clamped((a * b >> 32) + c)),
    ("mad24.hi.sat.s32 %d, %a, %b, %c;", "s32 s32 s32 s32", lambda a, b, c: clamped(signed(signed(a, 24) * signed(b, 24) >> 16, 32) + c)),
    *[("{ .reg .pred %q; lop3." + op + ".b32 %d|%q, %a, %b, %c, 0x96, %e; }", "b32 b32 b32 b32 pred", lambda a, b, c, e: a ^ b ^ c) for op in ("and", "or")],
    ("lop3.and.b32 _|%d, %a, %b, %c, 0x80, %e;", "pred b32 b32 b32 pred", lambda a, b, c, e: a & b & c != 0 and e),
    ("lop3.or.b32 _|%d, %a, %b, %c, 0x80, %e;", "pred b32 b32 b32 pred", lambda a, b, c, e: a & b & c != 0 or e),
]


def video_shift(a, b, way, mode):
    by = b % 32 if mode == "wrap" else min(b, 32)
    return a << by if way == "l" else a >> by


ON_WORDS = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "absdiff": lambda a, b: abs(a - b), "min": min, "max": max}
VIDEO = [
    *[(f"v{name}.{t}32.{t}32.{t}32 %d, %a, %b;", f"{t}32 {t}32 {t}32", first) for name, first in ON_WORDS.items() for t in "us"],
    *[(f"v{name}.s32.u32.s32.sat %d, %a, %b;", "s32 u32 s32", lambda a, b, first=first: clamped(first(a, b))) for name, first in ON_WORDS.items()],
    *[(f"v{name}.u32.u32.u32.add %d, %a, %b, %c;", "u32 u32 u32 u32", lambda a, b, c, first=first: c + first(a, b))
      for name, first in ON_WORDS.items()],
    *[(f"v{name}.s32.s32.s32.{then} %d, %a, %b, %c;", "s32 s32 s32 s32",
       lambda a, b, c, name=name, first=first, then=then: (min if then == "min" else max)(first(a, b) if name == "absdiff" else signed(first(a, b), 32), c))
      for name, first in ON_WORDS.items() for then in ("min", "max")],
    *[(f"vsh{way}.u32.u32.u32.{mode}.add %d, %a, %b, %c;", "u32 u32 u32 u32",
       lambda a, b, c, way=way, mode=mode: c + video_shift(a, b, way, mode)) for way in "lr" for mode in ("clamp", "wrap")],
    *[(f"vsh{way}.s32.s32.u32.{mode} %d, %a, %b;", "s32 s32 u32",
       lambda a, b, way=way, mode=mode: video_shift(a, b, way, mode)) for way in "lr" for mode in ("clamp", "wrap")],
]
GROUPS = {"integer": INTEGER, "bits": BITS, "compare": COMPARE, "float": FLOAT, "convert": CONVERT, "pairs": PAIRS, "modes": MODES, "video": VIDEO,
          **small_cases.GROUPS}
