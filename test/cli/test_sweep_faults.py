# SPDX-License-Identifier: Apache-2.0
"""The file of a sweep is locked, read-only, damaged, of another version, or there is no room: one line, and nothing is lost."""

import os
import pathlib
import resource
import signal
import sqlite3
import subprocess
import time
import unittest

from heddle_run import HEDDLE, run
from sweep_file import SweepTest

NOBODY = 65534


class Faults(SweepTest):
    def setUp(self):
        super().setUp()
        self.write(grid={"p": [0.1, 0.2]})
        self.assertEqual(self.sweep().returncode, 0)
        self.before = self.done()
        self.assertEqual(len(self.before), 2)
        self.write(grid={"p": {"from": 0.01, "to": 0.6, "step": 0.01}})  # those two among others

    def one_line(self, done, text):
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, f"heddle: error: {text}\n")

    def kept(self):
        now = self.done()
        for key, row in self.before.items():
            self.assertEqual({**now[key], "place": row["place"]}, row)
        return now

    def completes(self):
        known = self.kept()
        self.assertEqual(self.sweep().returncode, 0)
        rows = self.rows()
        self.assertEqual([(row["status"], row["runs"]) for row in rows], [("done", 1)] * 60)
        for row in rows:
            self.assertEqual({**known.get(row["key"], row), "place": row["place"]}, row)

    def test_locked(self):
        holder = sqlite3.connect(self.database, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        self.one_line(self.sweep(), f"{self.database} is locked by another process; try again when that one is done")
        holder.execute("ROLLBACK")
        holder.close()
        self.completes()

    def test_locked_for_a_while(self):
        process = subprocess.Popen([HEDDLE, "sweep", self.spec], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        holder = sqlite3.connect(self.database, isolation_level=None, timeout=20)
        while len(self.done()) < 5:
            time.sleep(0.01)
        holder.execute("BEGIN IMMEDIATE")
        time.sleep(1.5)
        held = len(self.done())
        holder.execute("ROLLBACK")
        holder.close()
        self.assertLess(held, 60)
        output, errors = process.communicate()
        self.assertEqual((process.returncode, errors), (0, ""))
        self.assertIn("60 points: 60 done", output)
        self.completes()

    def test_read_only(self):
        """The superuser may write everything: as root, the sweep is somebody else's."""
        pathlib.Path(self.folder).chmod(0o555)
        self.database.chmod(0o444)
        user = {"user": NOBODY, "group": NOBODY} if os.geteuid() == 0 else {}
        environment = {**os.environ, "HOME": "/nonexistent"}
        done = self.sweep(env=environment, cwd="/", **user)
        shown = run("sweep", "show", str(self.spec), env=environment, cwd="/", **user)
        pathlib.Path(self.folder).chmod(0o755)
        self.database.chmod(0o644)
        self.one_line(done, f"cannot write {self.database}: it, or its folder, is read-only")
        self.assertIn("2 points: 2 done", shown.stdout, shown.stderr)
        self.completes()

    def test_no_room(self):
        """A limit on files, where to write fails as on a full disk."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (120_000, 120_000))
        self.one_line(self.sweep(preexec_fn=limit), f"no room left to write {self.database}; what was written before is kept")
        self.completes()

    def test_a_full_disk(self):
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160k", "tmpfs", disk], capture_output=True, check=False)
        if mounted.returncode != 0:
            self.skipTest("no right to mount a small disk")
        self.addCleanup(subprocess.run, ["umount", "-l", disk], check=False)
        small = disk / "s.db"
        done = self.sweep("--database", str(small))
        self.one_line(done, f"no room left to write {small}; what was written before is kept")
        kept = [row for row in self.rows(small) if row["status"] == "done"]
        subprocess.run(["mount", "-o", "remount,size=4m", disk], check=True)
        self.assertEqual(self.sweep("--database", str(small)).returncode, 0)
        rows = {row["key"]: row for row in self.rows(small)}
        self.assertEqual([row["runs"] for row in rows.values()], [1] * 60)
        for row in kept:
            self.assertEqual(rows[row["key"]], row)

    def test_damaged(self):
        content = b"no database at all, but long enough to look like one" * 50
        self.database.write_bytes(content)
        text = f"{self.database} is damaged or no database; move it away, or save what is left with: sqlite3 FILE .recover"
        self.one_line(self.sweep(), text)
        self.one_line(run("sweep", "show", str(self.spec)), text)
        self.assertEqual(self.database.read_bytes(), content)

    def test_of_another_version_or_kind(self):
        with sqlite3.connect(self.database) as connection:
            connection.execute("PRAGMA user_version = 99")
        connection.close()
        self.one_line(self.sweep(), f"{self.database} has version 99 of the sweep database, and this heddle knows version 1; "
                                    "use a newer heddle or another file")
        self.kept()
        other = self.folder / "other.db"
        with sqlite3.connect(other) as connection:
            connection.execute("CREATE TABLE mine (a)")
        connection.close()
        content = other.read_bytes()
        self.one_line(self.sweep("--database", str(other)), f"{other} is no sweep database of heddle; name another file")
        self.assertEqual(other.read_bytes(), content)

    def test_ended_by_a_signal(self):
        process = subprocess.Popen([HEDDLE, "sweep", self.spec], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while len(self.done()) < 5:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate()
        self.assertEqual((process.returncode, output, errors), (130, "", "heddle: error: interrupted\n"))
        self.completes()


if __name__ == "__main__":
    unittest.main()
