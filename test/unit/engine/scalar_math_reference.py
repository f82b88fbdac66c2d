#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes ScalarMathReference.def: exact values of the functions of ScalarMath, by mpmath.

usage: scalar_math_reference.py > ScalarMathReference.def

One line a function and operands, HEDDLE_VALUE("name", value, operands...): numbers as hexadecimal
doubles, the value rounded to double. Operands are exact in float, so that the float version of a
function must come near the same value. HEDDLE_ROUNDED are double operations in a rounding mode.
"""

import fractions
import math
import random

import mpmath as mp

mp.mp.prec = 400
SMALL = [2.0 ** -60, 0.0009765625, 0.125]
MIDDLE = [0.3125, 0.75, 1.0, 1.40625, 2.0, 3.28125, 5.5, 9.75]
LARGE = [20.25, 87.0625, 1000.5, 123456.0]


def both(numbers):
    return [x for number in numbers for x in (number, -number)]


def rounded(value):
    if mp.isnan(value):
        return math.nan
    return float(mp.mpf(value))


def normal_inverse(p):
    return mp.sqrt(2) * mp.erfinv(2 * p - 1)


REALS = both(SMALL + MIDDLE + LARGE)
UNIT = both(SMALL + [0.3125, 0.5, 0.75, 0.96875])
POSITIVE = SMALL + MIDDLE + LARGE
MODEST = both(SMALL + MIDDLE + [20.25, 33.5])

ONE = {
    "acos": (mp.acos, UNIT),
    "acosh": (mp.acosh, [x for x in POSITIVE if x >= 1]),
    "asin": (mp.asin, UNIT),
    "asinh": (mp.asinh, REALS),
    "atan": (mp.atan, REALS),
    "atanh": (mp.atanh, UNIT),
    "cbrt": (lambda x: mp.sign(x) * mp.cbrt(abs(x)), REALS),
    "cos": (mp.cos, REALS),
    "cosh": (mp.cosh, MODEST),
    "cospi": (lambda x: mp.cospi(x), both(SMALL + MIDDLE + [20.25, 87.0625, 1000.5])),
    "cyl_bessel_i0": (lambda x: mp.besseli(0, x), MODEST),
    "cyl_bessel_i1": (lambda x: mp.besseli(1, x), MODEST),
    "erf": (mp.erf, MODEST),
    "erfc": (mp.erfc, both(SMALL + MIDDLE[:-1])),
    "erfcinv": (lambda z: mp.erfinv(1 - mp.mpf(z)), SMALL + [0.3125, 0.5, 0.75, 1.0, 1.40625, 1.875]),
    "erfcx": (lambda x: mp.exp(mp.mpf(x) ** 2) * mp.erfc(x), SMALL + MIDDLE + LARGE + [-0.3125, -2.0, -5.5]),
    "erfinv": (mp.erfinv, UNIT + [0.9999847412109375, -0.9999847412109375]),
    "exp": (mp.exp, MODEST),
    "exp10": (lambda x: mp.mpf(10) ** x, both(SMALL + MIDDLE) + [20.25, -20.25]),
    "exp2": (lambda x: mp.mpf(2) ** x, MODEST),
    "expm1": (mp.expm1, MODEST),
    "j0": (lambda x: mp.besselj(0, x), both(SMALL + MIDDLE) + [20.25]),
    "j1": (lambda x: mp.besselj(1, x), both(SMALL + MIDDLE) + [20.25]),
    "lgamma": (lambda x: mp.log(abs(mp.gamma(x))), [0.125, 0.3125, 0.75, 1.40625, 3.28125, 20.25, 1000.5, -0.75, -5.5]),
    "log": (mp.log, POSITIVE),
    "log10": (mp.log10, POSITIVE),
    "log1p": (mp.log1p, POSITIVE + [-0.125, -0.75]),
    "log2": (lambda x: mp.log(x) / mp.log(2), POSITIVE),
    "logb": (lambda x: mp.mpf(math.frexp(x)[1] - 1), REALS),
    "normcdf": (mp.ncdf, both(SMALL + MIDDLE)),
    "normcdfinv": (normal_inverse, SMALL + [0.3125, 0.75, 0.96875]),
    "rcbrt": (lambda x: mp.sign(x) / mp.cbrt(abs(x)), REALS),
    "sin": (mp.sin, REALS),
    "sinh": (mp.sinh, MODEST),
    "sinpi": (lambda x: mp.sinpi(x), both(SMALL + MIDDLE + [20.25, 87.0625, 1000.5])),
    "tan": (mp.tan, REALS),
    "tanh": (mp.tanh, MODEST),
    "tgamma": (mp.gamma, [0.125, 0.3125, 0.75, 1.40625, 3.28125, 9.75, 20.25, -0.75, -5.5]),
    "y0": (lambda x: mp.bessely(0, x), SMALL + MIDDLE + [20.25]),
    "y1": (lambda x: mp.bessely(1, x), SMALL + MIDDLE + [20.25]),
}


def remainder(a, b):
    a, b = fractions.Fraction(a), fractions.Fraction(b)
    return float(a - b * round(a / b))


def norm(*numbers):
    return mp.sqrt(sum(mp.mpf(x) ** 2 for x in numbers))


PAIRS = [(3.0, 4.0), (-3.5, 1.25), (0.125, -9.75), (1000.5, 0.3125), (-20.25, -2.0), (0.75, 5.5), (9.75, 2.0 ** -60)]
MORE = {
    "atan2": (mp.atan2, PAIRS),
    "fmod": (lambda a, b: math.fmod(a, b), PAIRS),
    "hypot": (norm, PAIRS),
    "remainder": (remainder, PAIRS + [(2.5, 1.0), (3.5, 1.0)]),
    "pow": (lambda a, b: mp.power(a, b), [(abs(a), b) for a, b in PAIRS] + [(-2.0, 3.0), (-0.5, -7.0)]),
    "powi": (lambda a, n: mp.power(a, int(n)), [(1.40625, 17), (-1.5, 31), (0.75, -40), (-9.75, 0)]),
    "rhypot": (lambda a, b: 1 / norm(a, b), PAIRS),
    "norm3d": (norm, [(a, b, 1.5) for a, b in PAIRS]),
    "norm4d": (norm, [(a, b, 1.5, -0.75) for a, b in PAIRS]),
    "rnorm3d": (lambda *x: 1 / norm(*x), [(a, b, 1.5) for a, b in PAIRS]),
    "rnorm4d": (lambda *x: 1 / norm(*x), [(a, b, 1.5, -0.75) for a, b in PAIRS]),
    "jn": (lambda n, x: mp.besselj(int(n), x), [(0, 2.0), (2, 3.28125), (5, 9.75), (7, 0.75)]),
    "yn": (lambda n, x: mp.bessely(int(n), x), [(0, 2.0), (2, 3.28125), (5, 9.75), (7, 0.75)]),
    "ldexp": (lambda x, n: mp.ldexp(x, int(n)), [(0.75, 10), (-1.40625, -20), (3.0, 100)]),
    "scalbn": (lambda x, n: mp.ldexp(x, int(n)), [(0.75, 10), (-1.40625, -20), (3.0, 100)]),
    "ilogb": (lambda x: mp.mpf(math.frexp(x)[1] - 1), [(x,) for x in REALS]),
}


def directed(exact, mode):
    """The double next to a fraction or mpf in the direction of the mode."""
    near = mp.mpf(exact.numerator) / exact.denominator if isinstance(exact, fractions.Fraction) else exact
    guess = float(near)
    lower = guess if mp.mpf(guess) <= near else math.nextafter(guess, -math.inf)
    upper = guess if mp.mpf(guess) >= near else math.nextafter(guess, math.inf)
    toward_zero = lower if near > 0 else upper
    return {"rz": toward_zero, "rd": lower, "ru": upper}[mode]


def operations():
    draw = random.Random(5)
    mp.mp.prec = 4000
    for _ in range(6):
        a, b, c = (draw.uniform(-9, 9) * 2.0 ** draw.randint(-40, 40) for _ in range(3))
        exact = [mp.mpf(x) for x in (a, b, c)]
        yield "dadd", (a, b), exact[0] + exact[1]
        yield "dsub", (a, b), exact[0] - exact[1]
        yield "dmul", (a, b), exact[0] * exact[1]
        yield "ddiv", (a, b), exact[0] / exact[1]
        yield "drcp", (a,), 1 / exact[0]
        yield "dsqrt", (abs(a),), mp.sqrt(abs(exact[0]))
        yield "fma", (a, b, c), exact[0] * exact[1] + exact[2]


def literal(value):
    return "NAN" if math.isnan(value) else float(value).hex()


def line(macro, name, operands, value):
    print(f'{macro}("{name}", {literal(value)}, {", ".join(literal(x) for x in operands)})')


print("// Written by scalar_math_reference.py; do not edit.")
for key, (function, inputs) in sorted(ONE.items()):
    for number in inputs:
        line("HEDDLE_VALUE", key, (number,), rounded(function(mp.mpf(number) if key != "logb" else number)))
for key, (function, inputs) in sorted(MORE.items()):
    for numbers in inputs:
        line("HEDDLE_VALUE", key, numbers, rounded(function(*numbers)))
for key, numbers, exact_value in operations():
    for direction in ("rz", "rd", "ru"):
        line("HEDDLE_ROUNDED", f"{key}_{direction}", numbers, directed(exact_value, direction))
