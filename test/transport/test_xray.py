# SPDX-License-Identifier: Apache-2.0
"""examples/xray: attenuation, angles, the energy balance, equal bits in every form, files, and what is refused."""

import math
import re
import struct
import unittest

from transport_run import TransportTest, asked_forms, run

SOURCES = tuple(f"xray/{name}" for name in ("main.cpp", "angles.cpp", "image.cpp", "materials.cpp", "phantom.cpp", "xray.cu"))
# The engine takes some seconds to compile each form: the others are compared by the studies and at night.
FORMS = "native,flattened,persistent,fixed NDDDCR,cost-aging,rounds of 5,split"
# NIST's tables of compounds (NISTIR 5632), cm^2/g: what the elements put together must give.
NIST = {("water", 5): 42.58, ("water", 20): 0.8096, ("water", 50): 0.2269, ("water", 80): 0.1837, ("air", 10): 5.120,
        ("air", 60): 0.1875, ("bone", 10): 28.51, ("bone", 30): 1.331, ("bone", 60): 0.3148, ("adipose", 10): 3.268,
        ("muscle", 60): 0.2048}


def xray(*words):
    return run(SOURCES, *words, flags=("-lpng",))


def share(text, what):
    return float(re.search(rf"^  {what} +([\d.]+)", text, re.MULTILINE)[1])


class Xray(TransportTest):
    def test_attenuation_of_slabs(self):
        """What passes a slab unscattered is exp(-mu x), by NIST's mu, within three standard errors and 1 % of mu."""
        count = 20000
        for (material, energy), mu in NIST.items():
            with self.subTest(material=material, energy=energy):
                thickness = round(1 / mu, 4)
                done = xray("--phantom", f"slab:{material}:{thickness}", "--energy", energy, "--pencil", "--xrays", count)
                found, expected = share(done.stdout, "unscattered"), math.exp(-mu * thickness)
                error = math.sqrt(expected * (1 - expected) / count)
                self.assertLess(abs(found - expected), 3 * error + 0.01 * mu * thickness * expected)

    def test_angles_are_those_of_the_formulas(self):
        for energy in (5, 90):
            done = xray("--angles", energy)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertEqual(done.stdout.count("chi-square"), 2)

    def test_nothing_is_lost(self):
        for energy in (5, 90):
            done = xray("--energy", energy, "--xrays", 2000)
            self.assertRegex(done.stdout, r"balance +0 missing of \d{10}")

    def test_states_are_near_the_published_ones(self):
        """Of the box; the body is another one than Zubal's."""
        for energy, most in ((90, 0.04), (5, 0.05)):
            done = xray("--energy", energy, "--xrays", 5000)
            pairs = re.findall(r"(\S+) of all states, table E.2: (\S+)", done.stdout)
            self.assertEqual(len(pairs), 4)
            for found, published in pairs:
                self.assertLess(abs(float(found) - float(published)), most, pairs)

    def test_every_form_gives_the_same_bits(self):
        done = xray("--xrays", 400, "--form", asked_forms(FORMS))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"equal bits   in (?:7|22) forms")

    def test_body(self):
        """4 million voxels of 15 materials, as a file and back; the image is a PNG, and more than noise."""
        self.assertEqual(xray("--phantom", "body", "--write-phantom", self.folder / "body").returncode, 0)
        header, _, voxels = (self.folder / "body").read_bytes().partition(b"data\n")
        self.assertEqual((header.count(b"material "), len(voxels)), (15, 128 * 64 * 486))
        self.assertEqual(set(voxels), set(range(15)))
        made = xray("--phantom", "body", "--xrays", 20000, "--pixels", 16, "--out", self.folder)
        read = xray("--phantom", self.folder / "body", "--xrays", 20000)
        self.assertEqual(made.returncode, 0, made.stderr)
        for what in ("absorbed", "escaped", "unscattered"):
            self.assertEqual(share(made.stdout, what), share(read.stdout, what))
        png = (self.folder / "image.png").read_bytes()
        self.assertEqual(png[:8] + png[12:24], b"\x89PNG\r\n\x1a\nIHDR" + struct.pack(">II", 16, 16))
        pixels = struct.unpack("<256d", (self.folder / "image.raw").read_bytes())
        self.assertGreater(pixels[3], 3 * pixels[6 * 16 + 8])  # beside the body, and through it
        dose = (self.folder / "dose.raw").read_bytes()
        self.assertEqual(len(dose), 8 * len(voxels))

    def test_what_is_refused(self):
        head = "heddle-phantom 1\nvoxels 2 2 2\nsize 1 1 1\nmaterial water 1.0\n"
        for words, *parts in (
                (("--xrays", 0), "--xrays is '0'; expected a number from 1"),
                (("--energy", 3), "--energy is '3'"),
                (("--phantom", lambda: self.file(head + "data\n" + "\0" * 7)), "has 7 voxels; expected 8"),
                (("--phantom", lambda: self.file(head + "data\n" + "\1" * 8)), "a voxel of material 1; there are 1"),
                (("--phantom", lambda: self.file(head)), "ends before its 'data'"),
                (("--phantom", lambda: self.file("P5\n")), "expected 'heddle-phantom 1'"),
                (("--phantom", lambda: self.file(head.replace("1.0", "-1"))), "input.txt:4:", "a density above 0"),
                (("--phantom", lambda: self.file(head.replace("water", "cheese"))), "no material 'cheese'; there are: water"),
                (("--phantom", lambda: self.file(head.replace("2 2 2", "2 0 2"))), "input.txt:2:", "three numbers above 0"),
                (("--phantom", "slab:water:0"), "a thickness above 0"),
                (("--phantom", self.folder / "none"), "none: cannot be read"),
                (("--form", "fast"), "no form 'fast'"),
                (("--xrays",), "--xrays needs a value")):
            with self.subTest(words=words):
                self.assert_refused(xray("--out", self.folder, *(word() if callable(word) else word for word in words)), *parts)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["input.txt"])


unittest.main()
