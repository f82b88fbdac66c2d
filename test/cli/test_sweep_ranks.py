# SPDX-License-Identifier: Apache-2.0
"""heddle sweep under mpirun: the same points as alone, whoever dies."""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time
import unittest

from heddle_run import HEDDLE, SOURCE
from sweep_file import SweepTest, processes

LIBRARY = pathlib.Path(HEDDLE).parent.parent / "lib" / "libheddle_mpi.so"
MPIRUN = shutil.which("mpirun")
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "OMPI_MCA_hwloc_base_binding_policy": "none"}


@unittest.skipUnless(LIBRARY.exists(), "built without MPI")
@unittest.skipUnless(MPIRUN, "no mpirun")
class Ranks(SweepTest):
    def start(self, ranks, *flags, mpi=(), mark=""):
        return subprocess.Popen([MPIRUN, "-n", str(ranks), *mpi, HEDDLE, "sweep", self.spec, *flags], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env={**ENVIRONMENT, "SWEEP_MARK": mark})

    def figures(self):
        """Figures C.1 to C.4 with fewer warps and iterations."""
        spec = json.loads((SOURCE / "examples" / "sweeps" / "figures-c.json").read_text())
        spec["command"][spec["command"].index("--warps") + 1] = "5"
        spec["grid"].update(n=[10, 40], p=[0.02, 0.1, 0.5])
        for figure in spec["figures"]:
            figure["where"]["n"] = 10 if figure["where"]["n"] == 100 else 40
        self.spec.write_text(json.dumps(spec))

    def test_1_2_and_4_ranks_find_what_one_process_finds(self):
        self.figures()
        alone = self.sweep()
        self.assertEqual(alone.returncode, 0, alone.stderr)
        expected = self.without_times(self.rows())
        self.assertEqual(len(expected), 30)
        for ranks in (1, 2, 4):
            with self.subTest(ranks=ranks):
                database = self.folder / f"{ranks}.db"
                job = self.start(ranks, "--database", database)
                output, errors = job.communicate()
                self.assertEqual((job.returncode, errors), (0, ""))
                self.assertIn("30 points: 30 done, 0 failed, 0 left", output)
                self.assertEqual(output.count("30 points"), 1)
                self.assertEqual(self.without_times(self.rows(database)), expected)

    def test_bad_input_ends_all_ranks(self):
        self.write(grid={"p": []})
        job = self.start(2)
        output, errors = job.communicate(timeout=30)
        self.assertEqual((job.returncode, output), (2, ""))
        self.assertIn(f"heddle: error: {self.spec}: empty grid: 'p' has no values\n", errors)

    def slow(self, points):
        self.write(["schedule", "simulate", "--p", "{p}", "--warps", "600", "--jobs", "1"],
                   grid={"p": {"from": 0.01, "to": points / 100, "step": 0.01}})

    def wait_for_points(self, count):
        while True:
            try:
                if len(self.done()) >= count:
                    return
            except Exception:  # the file is being made  # pylint: disable=broad-except
                pass
            time.sleep(0.02)

    def rank(self, number, mark):
        found = []
        while not found:
            found = [pid for pid in processes("heddle sweep ", environment=f"OMPI_COMM_WORLD_RANK={number}")
                     if pid in processes("sweep", environment=f"SWEEP_MARK={mark}")]
        return found[0]

    def test_a_rank_that_dies_costs_only_its_point(self):
        self.slow(24)
        job = self.start(3, "--silence", "2", mpi=["--enable-recovery"], mark=str(self.folder))
        self.wait_for_points(4)
        os.kill(self.rank(1, self.folder), signal.SIGKILL)
        finished = self.done()
        output, errors = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 0, errors)
        self.assertIn("24 points: 24 done, 0 failed, 0 left", output)
        self.assertRegex(output, r"rank 1 on \S+ died: its points were given out again")
        rows = self.rows()
        self.assertEqual([row["runs"] for row in rows], [1] * 24)
        for row in rows:
            self.assertEqual(finished.get(row["key"], row), row)

    def test_without_recovery_mpirun_ends_the_job_and_a_restart_goes_on(self):
        self.slow(16)
        job = self.start(2, mark=str(self.folder))
        self.wait_for_points(3)
        os.kill(self.rank(1, self.folder), signal.SIGKILL)
        job.communicate(timeout=60)
        self.assertNotEqual(job.returncode, 0)
        finished = self.done()
        self.assertLess(len(finished), 16)
        again = self.start(2)
        self.assertEqual((again.communicate()[1], again.returncode), ("", 0))
        rows = self.rows()
        self.assertEqual([row["runs"] for row in rows], [1] * 16)
        for row in rows:
            self.assertEqual(finished.get(row["key"], row), row)

    def test_the_job_killed_at_random_moments_loses_and_repeats_nothing(self):
        self.write(grid={"p": {"from": 0.001, "to": 0.4, "step": 0.001}})
        generator, finished = random.Random(3), {}
        for _ in range(12):  # some die while they start, the others after up to 20 points more
            job = self.start(2, mark=str(self.folder))
            more = generator.randrange(-6, 21)
            if more > 0:
                self.wait_for_points(len(finished) + more)
            time.sleep(generator.uniform(0, 0.3))
            for pid in processes(environment=f"SWEEP_MARK={self.folder}"):
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            job.communicate()
            now = self.done() if self.database.exists() else {}
            for key, row in finished.items():
                self.assertEqual(now.get(key), row)
            finished = now
        self.assertGreater(len(finished), 50)
        job = self.start(2)
        self.assertEqual((job.communicate()[1], job.returncode), ("", 0))
        rows = self.rows()
        self.assertEqual([row["runs"] for row in rows], [1] * 400)
        for row in rows:
            self.assertEqual(finished.get(row["key"], row), row)


class WithoutMpi(SweepTest):
    def test_a_build_without_mpi_says_so(self):
        """The library that talks MPI is missing beside this copy."""
        self.write()
        (self.folder / "bin").mkdir()
        copy = shutil.copy(HEDDLE, self.folder / "bin" / "heddle")
        done = subprocess.run([copy, "sweep", self.spec], env={**ENVIRONMENT, "OMPI_COMM_WORLD_SIZE": "2"}, capture_output=True,
                              text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "heddle: error: this heddle was built without MPI; start it alone, or build it where "
                                      "OpenMPI is (Debian: libopenmpi-dev)\n")
        alone = subprocess.run([copy, "sweep", self.spec], capture_output=True, text=True, check=False)
        self.assertEqual(alone.returncode, 0, alone.stderr)


if __name__ == "__main__":
    unittest.main()
