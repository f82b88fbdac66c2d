# SPDX-License-Identifier: Apache-2.0
"""Runs programs of many checked kernels on the engine, and says which of them failed, and how."""

import os
import pathlib
import re
import resource
import subprocess
import tempfile
import time

SECONDS, WAITING = 300, 3600  # of a processor, and by the wall: the machine may be busy
PER_LINE = 1000  # kernels, of a log


def limit_processor():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def problems_of_part(command, seeds, part, environment):
    """By seed. A fault may end the program, so that halves must tell which kernel it was."""
    first, last = part
    try:
        done = subprocess.run(command + [str(first), str(last)], capture_output=True, text=True, check=False,
                              timeout=WAITING, env={**os.environ, **environment}, preexec_fn=limit_processor)
        output = done.stdout + done.stderr
        if re.search("^(PASS|FAIL)$", done.stdout, re.MULTILINE):
            return {int(seed): problem for seed, problem in re.findall(r"^k(\d+): (.*)", output, re.MULTILINE)}
    except subprocess.TimeoutExpired:
        output = f"does not end in {WAITING} s"
    if last - first == 1:
        said = re.findall("^heddle.*: .*", output, re.MULTILINE) or [output.strip()[-500:] or "ends without a word"]
        return {seeds[first]: said[-1]}
    middle = (first + last) // 2
    return {**problems_of_part(command, seeds, (first, middle), environment),
            **problems_of_part(command, seeds, (middle, last), environment)}


def problems(command, seeds, environment=None):
    """What went wrong with which kernel. The command takes FROM and TO."""
    return problems_of_part(command, seeds, (0, len(seeds)), environment or {})


def add_options(parser, count, more_forms=()):
    parser.add_argument("--programs", type=int, default=count)
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--form", choices=["mixed", "lanes", "full", *more_forms], default="mixed",
                        help="of machine code; mixed: by seed, mostly the one that is quick to compile")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for programs that fail")
    parser.add_argument("--log", type=pathlib.Path,
                        help=f"a line for each {PER_LINE} kernels; a run with the same log goes on after them")


class Log:
    """What a long run has done: `seeds 1 to 1000: 0 failures, 31 s of the processors`."""

    def __init__(self, file, first):
        self.file, self.first, self.failures, self.begin = file, first, 0, self.seconds()
        if file and file.exists():
            done = re.findall(r"^seeds \d+ to (\d+):", file.read_text(), re.MULTILINE)
            self.first = max([first] + [int(seed) + 1 for seed in done])

    @staticmethod
    def seconds():
        times = os.times()
        return times.user + times.system + times.children_user + times.children_system

    def say(self, line):
        print(line, flush=True)
        if self.file:
            with self.file.open("a") as log:
                log.write(line + "\n")

    def add(self, next_, last, failures):
        """After a file: up to the kernel before `next_`."""
        self.failures += failures
        if self.file and (next_ >= last or next_ - self.first >= PER_LINE):
            self.say(f"seeds {self.first} to {next_ - 1}: {self.failures} failures, "
                     f"{self.seconds() - self.begin:.0f} s of the processors")
            self.first, self.failures, self.begin = next_, 0, self.seconds()


def run_all(options, per_file, run_file):
    """Files of kernels until the number or the time is reached; the exit status.

    `run_file(seeds)` returns what failed, by seed."""
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    log = Log(options.log, options.seed)
    failures, begin = 0, time.monotonic()
    first, last = log.first, options.seed + options.programs
    seed = first
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        while time.monotonic() < begin + 60 * options.minutes if options.minutes else seed < last:
            count = per_file if options.minutes else min(per_file, last - seed)
            found = run_file(list(range(seed, seed + count)))
            for failed, problem in found.items():
                log.say(f"seed {failed}: {problem}")
            failures, seed = failures + len(found), seed + count
            log.add(seed, last, len(found))
    count, seconds = seed - first, time.monotonic() - begin
    print(f"{count - failures} passed, {failures} failed, {count / seconds:.1f} a second")
    return 1 if failures else 0
