# SPDX-License-Identifier: Apache-2.0
"""examples/photon: known answers, the energy balance, equal bits in every form, and what is refused."""

import re
import unittest

from transport_run import EXAMPLES, TransportTest, asked_forms, run

SOURCES = ("photon/main.cpp", "photon/input.cpp", "photon/photon.cu")
SLAB = "layer 1.0 10 90 0.75 0.02\n"
# The engine takes some seconds to compile each form: the others are compared by the studies and at night.
FORMS = "native,flattened,persistent,alternating,aging,regrouped"


def photon(*words):
    return run(SOURCES, *words)


def numbers(text, what):
    return [float(number) for number in re.search(rf"^  {what} (.*)$", text, re.MULTILINE)[1].split() if number[0].isdigit()]


class Photon(TransportTest):
    def test_known_answers(self):
        """Each within three standard errors, and the errors small enough to mean something."""
        done = photon(EXAMPLES / "photon/validation.txt")
        self.assertEqual(done.returncode, 0, done.stderr)
        slab, half = done.stdout.split("run semi-infinite")
        reflected, error, specular = numbers(slab, "reflected")
        self.assertLess(abs(reflected - 0.09739), 3 * error)
        self.assertEqual(specular, 0)
        self.assertLess(error, 0.002)
        transmitted, error = numbers(slab, "transmitted")
        self.assertLess(abs(transmitted - 0.66096), 3 * error)
        self.assertLess(error, 0.002)
        reflected, error, specular = numbers(half, "reflected")
        self.assertLess(abs(reflected + specular - 0.2600), 3 * error)
        self.assertLess(error, 0.003)

    def test_nothing_is_lost(self):
        done = photon(EXAMPLES / "photon/validation.txt")
        self.assertEqual(len(re.findall(r"balance +0 missing of \d{15}", done.stdout)), 2, done.stdout)

    def test_boundary_hits_of_the_skin_models(self):
        text = re.sub(r"photons \d+", "photons 2000", (EXAMPLES / "photon/skin.txt").read_text())
        done = photon(self.file(text))
        hits = [float(each) for each in re.findall(r"boundary hit +(\S+)", done.stdout)]
        for found, expected in zip(hits, (0.04, 0.16, 0.44, 0.02), strict=True):
            self.assertLess(abs(found / expected - 1), 0.1, (found, expected))

    def test_every_form_gives_the_same_bits(self):
        text = f"run slab\nphotons 700\n{SLAB}run two\nphotons 300\nseed 5\nlayer 1.5 1 100 0.9 0.01\nlayer 1.3 2 50 0 0.02\n"
        done = photon("--form", asked_forms(FORMS), self.file(text))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(len(re.findall(r"equal bits    in (?:6|20) forms", done.stdout)), 2, done.stdout)

    def test_the_seed_matters(self):
        first, second = (photon(self.file(f"run a\nphotons 200\nseed {seed}\n{SLAB}")).stdout for seed in (1, 2))
        self.assertNotEqual(first, second)

    def test_grids_are_written_whole(self):
        done = photon("--out", self.folder, self.file(f"run a\nphotons 500\ngrid 0.001 0.01 20 10\n{SLAB}"))
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [line.split() for line in (self.folder / "a.txt").read_text().splitlines() if line[0] != "#"]
        self.assertEqual([len(line) for line in lines], [2] * 10 + [10] * 20)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a.txt", "input.txt"])
        reflected = sum(float(line[0]) for line in lines[:10])
        self.assertAlmostEqual(reflected, numbers(done.stdout, "reflected")[0], places=4)

    def test_what_is_refused(self):
        for text, *parts in (
                ("photons 10\n", "input.txt:1:", "expected 'run NAME' before anything else"),
                ("run a\nphotons 10\n", "run 'a' has no layer"),
                (f"run a\n{SLAB}", "run 'a' has no photons"),
                (f"run a\nphotons 0\n{SLAB}", "input.txt:2:", "the number of photons is 0; expected 1 to"),
                ("run a\nphotons 10\nlayer 1.0 -10 90 0.75 0.02\n", "input.txt:3:", "the absorption is -10"),
                ("run a\nphotons 10\nlayer 1.0 10 90 0.75\n", "input.txt:3:", "expected the thickness, found the end of the line"),
                ("run a\nphotons 10\nlayer 1.0 10 ninety 0.75 1\n", "expected the scattering, found 'ninety'"),
                ("run a\nphotons 10\nlayer 1.0 0 0 0 1\n", "neither absorbs nor scatters"),
                (f"run a\nphotons 10\nlayers 3\n{SLAB}", "unknown word 'layers'"),
                (f"run a\nphotons 10 20\n{SLAB}", "'20' is one word too many"),
                (f"run a\nphotons 10\nlayer 1 1 1 0 inf\n{SLAB}", "a layer below one without end"),
                ("# nothing\n", "has no run")):
            with self.subTest(text=text):
                self.assert_refused(photon("--out", self.folder, self.file(text)), *parts)
        self.assert_refused(photon("--out", self.folder, self.folder / "none.txt"), "none.txt: cannot be read")
        self.assert_refused(photon("--form", "fast", self.file("")), "no form 'fast'")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["input.txt"])


unittest.main()
