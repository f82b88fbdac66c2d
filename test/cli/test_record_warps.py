# SPDX-License-Identifier: Apache-2.0
"""Recorded warps of a whole program, read as docs/design/recording.md says."""

import json
import pathlib
import tempfile
import unittest

import jsonschema

from heddle_run import SOURCE, run

ONE_WARP = """
__global__ void one(int* a) {
  int x = a[threadIdx.x];
  for (int t = 0; t < threadIdx.x % 5; ++t)
    if (x & 1) x = 3 * x + 1; else x /= 2;
  a[threadIdx.x] = x;
}
int main() {
  int* a;
  cudaMalloc(&a, 32 * sizeof(int));
  cudaMemset(a, 5, 32 * sizeof(int));
  one<<<1, 30>>>(a);
  cudaDeviceSynchronize();
  cudaFree(a);
}
"""


def lanes(text):
    return bin(int(text, 16)).count("1")


def sums(recorded, warp):
    """Instructions, used slots, slots of finished and of missing threads, and those of each branch."""
    lengths = [sum(int(part.split(":")[1]) for part in stretch.split()) for stretch in recorded["stretches"]]
    numbers = [int(each) for each in warp["runs"].split()]
    total, used, finished, partial, branches = 0, 0, 0, 0, {}
    for stretch, owners, times in zip(numbers[::3], numbers[1::3], numbers[2::3]):
        ran = lengths[stretch] * times
        active, gone, *lost = warp["owners"][owners].split()
        total += ran
        used += ran * lanes(active)
        finished += ran * lanes(gone)
        partial += ran * (32 - lanes(warp["threads"]))
        for each in lost:
            branch, mask = each.split(":")
            branches[int(branch)] = branches.get(int(branch), 0) + ran * lanes(mask)
    return total, used, finished, partial, branches


class RecordWarps(unittest.TestCase):
    def profile(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            done = run("run", *arguments, "--profile", f"{folder}/p.json", "--no-advice")
            self.assertEqual(done.returncode, 0, done.stderr)
            return json.loads(pathlib.Path(f"{folder}/p.json").read_text(encoding="utf-8")), done.stdout

    def test_a_launch_of_one_warp_is_the_kernels_account(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "one.cu"
            source.write_text(ONE_WARP, encoding="utf-8")
            document, _ = self.profile(str(source), "--record-warps")
        kernel = document["kernels"][0]
        recorded = kernel["recorded"]
        self.assertEqual(len(recorded["recorded"]), 1)
        total, used, finished, partial, branches = sums(recorded, recorded["recorded"][0])
        self.assertEqual(total, kernel["warpInstructions"])
        self.assertEqual(used, kernel["threadInstructions"])
        self.assertEqual(partial, 2 * total)
        self.assertEqual(finished, 0)
        for number, branch in enumerate(kernel["branches"]):
            self.assertEqual(branches.get(number, 0), branch["lostSlots"], branch["line"])
        texts = {(line["file"], line["line"]): line["text"] for line in document["lines"]}
        self.assertIn("for (int t = 0; t < threadIdx.x % 5; ++t)", texts.values())

    def test_three_of_a_kernel_follow_the_schema(self):
        document, report = self.profile(str(SOURCE / "examples/01-divergence/photon.cu"), "--record-warps")
        schema = json.loads((SOURCE / "docs/schema/profile.schema.json").read_text(encoding="utf-8"))
        jsonschema.validate(document, schema)
        warps = document["kernels"][0]["recorded"]["recorded"]
        self.assertEqual([warp["role"] for warp in warps], ["slowest", "median", "fastest"])
        self.assertGreaterEqual(warps[0]["instructions"], warps[1]["instructions"])
        self.assertGreaterEqual(warps[1]["instructions"], warps[2]["instructions"])
        self.assertEqual(warps[2]["fewer"], 0)
        self.assertRegex(report, r"recorded +slowest: block \(\d+,0,0\), warp \d +\S+ k instructions")
        self.assertEqual(len(document["timelines"]), 1)

    def test_nothing_is_recorded_unasked(self):
        document, report = self.profile(str(SOURCE / "test/programs/features/early-return.cu"))
        self.assertTrue(all("recorded" not in kernel for kernel in document["kernels"]))
        self.assertNotIn("timelines", document)
        self.assertNotIn("recorded", report)

    def test_refusals(self):
        program = str(SOURCE / "test/programs/features/early-return.cu")
        for number in ("-1", "17"):
            done = run("run", program, "--record-warps", number)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"--record-warps {number}: expected 1 to 16", done.stderr)
        done = run("run", "--record-warps", program, "--quiet")  # the file is no number
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
