# SPDX-License-Identifier: Apache-2.0
"""Types of the cases: operands to choose, what bits mean, and when a result is right."""

import math
import struct

import instruction_cases as cases
import small_cases as small


def kind(type_):
    """Letter and bits of a type; a ~ in front means nearly."""
    type_ = type_.lstrip("~")
    return ("p", 32) if type_ == "pred" else (type_[0], int(type_[1:]))


def operand(generator, type_):
    letter, bits = kind(type_)
    if letter == "p":
        return generator.randrange(2)
    if letter == "f":
        value = generator.choice(cases.FLOATS)
        return struct.unpack("<I", struct.pack("<f", cases.f32(value)))[0] if bits == 32 else struct.unpack("<Q", struct.pack("<d", value))[0]
    if letter == "h":
        parts = [generator.choice(small.HALVES) if generator.random() < 0.6 else generator.getrandbits(16) for _ in range(bits // 16)]
        return sum(part << 16 * i for i, part in enumerate(parts))
    if letter == "w":
        return near_edge(generator)
    value = generator.choice(cases.WORDS) if generator.random() < 0.8 else generator.getrandbits(64)
    return cases.wrap(value, bits)


def near_edge(generator):
    """Bits of a float that is a number of a smaller format, halfway between two, or next to that."""
    format_ = generator.choice(["f16", "bf16", "e4m3", "e5m2"])
    width = small.FORMATS[format_][0]
    value = small.number(generator.getrandbits(width), format_)
    above = small.number(generator.getrandbits(width) & 0x7F, format_)
    if value != value or above != above or math.isinf(value) or math.isinf(above):
        return generator.choice([0x7F800000, 0xFF800000, 0x7FC00000, 0x7F7FFFFF, 1])
    bits = small.bits_of_float(float(value)) ^ generator.choice([0, 0, 0x1000, 0x8000, 0x80000, 0x100000])
    return cases.wrap(bits + generator.choice([0, 0, 1, -1]), 32)


def as_number(bits_, type_):
    letter, bits = kind(type_)
    if letter == "f":
        return struct.unpack("<f", struct.pack("<I", bits_ & 0xFFFFFFFF))[0] if bits == 32 else struct.unpack("<d", struct.pack("<Q", bits_))[0]
    return bool(bits_) if letter == "p" else cases.signed(bits_, bits) if letter == "s" else cases.wrap(bits_, bits)


def is_right(found, expected, type_):
    letter, bits = kind(type_)
    if letter != "f":
        return found == (as_number(expected, type_) if letter != "p" else bool(expected))
    if bits == 32:
        expected = cases.f32(expected)
    if math.isnan(expected):
        return math.isnan(found)
    if type_.startswith("~"):
        return math.isclose(found, expected, rel_tol=1e-5, abs_tol=1e-6)
    return found == expected and math.copysign(1, found) == math.copysign(1, expected)


def register(type_):
    letter, bits = kind(type_)
    return "pred" if letter == "p" else f"b{bits}"
