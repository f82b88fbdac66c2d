# SPDX-License-Identifier: Apache-2.0
"""What every legal rewrite in every form gains on this machine's GPU, for the kernels of bench/cuda/lanes.

usage: measure rewrites --make FOLDER                 needs heddle (HEDDLE, or build/release/bin/heddle) and nvcc, no GPU
       measure rewrites --again FOLDER                needs heddle, no GPU
       measure rewrites FOLDER OUTPUT.json            needs nvcc, ncu and a GPU, no heddle

--make writes the rounds (rewrite_rounds.py) of each program into FOLDER, with Heddle's predictions in FOLDER/predicted.json.
--again predicts what --make has left in FOLDER with clang's device code: FOLDER/predicted-clang.json.
The other builds and runs them, the program as it is before and after its rounds, and writes the time of every kernel of every
round; programs that OUTPUT.json has are not measured again. `compare rewrites` reads both. HEDDLE_COMMIT names the commit where there is no repository.
"""

import argparse
import concurrent.futures
import csv
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

from measuring import machine, rewrite_rounds
from measuring.machine import ROOT, tool

HEADERS = ROOT / "bench/cuda/lanes"
LONGEST = 25  # seconds of a program on the GPU


def times_of(profile):
    """Nanoseconds by name; a rewrite may launch a kernel in several instances."""
    times = {}
    for kernel in profile["kernels"]:
        name = rewrite_rounds.base_name(kernel["name"])
        times[name] = times.get(name, 0) + kernel["timing"]["seconds"] * 1e9
    return times


def printed_by(output):
    """Lines of output by the kernel that they begin with."""
    return {line.split(" ")[0]: line for line in output}


def write_rounds(source, lines, options, folder, made):
    """Writes and runs a round; one that does not compile or run is halved."""
    target = folder / f"{source.stem}_{len(made)}.cu"
    target.write_text("\n".join(rewrite_rounds.apply(lines, [edit for option in options for edit in option["edits"]])) + "\n")
    ran = rewrite_rounds.run(target)
    if ran is not None:
        made.append((target, options, *ran))
    elif len(options) > 1:
        target.unlink()
        half = len(options) // 2
        write_rounds(source, lines, options[:half], folder, made)
        write_rounds(source, lines, options[half:], folder, made)
    else:
        target.unlink()
        print(f"{source.stem}: {options[0]['kernel']}: {options[0]['rewrite']} {options[0]['form']} does not run", file=sys.stderr)


def predicted(rewrite, program, changed):
    """What the model says of a kernel's rewrite; of the program as it is and of a round a profile and what it printed."""
    name, before, after = rewrite["kernel"], times_of(program[0]), times_of(changed[0])
    extra = sum(time for kernel, time in after.items() if kernel not in before) if rewrite["rewrite"] in rewrite_rounds.LAUNCHES_MORE else 0
    timing = {rewrite_rounds.base_name(kernel["name"]): kernel["timing"] for kernel in program[0]["kernels"]}[name]
    return {"sameResults": printed_by(program[1]).get(name) == printed_by(changed[1]).get(name), "before": round(before[name]),
            "after": round(after.get(name, 0) + extra), "bound": timing["bound"], "spread": timing["spread"]}


def make_program(source, folder):
    """The rounds of one program, with what the model says of each rewrite."""
    ran = rewrite_rounds.run(source)
    if ran is None:
        machine.stop(f"{source} does not run")
    profile, _ = ran
    lines = source.read_text().splitlines()
    shutil.copy(source, folder)
    made = []
    for options in rewrite_rounds.rounds_of(rewrite_rounds.options_of(source, profile)):
        write_rounds(source, lines, options, folder, made)
    records = [{"round": target.stem, "program": source.stem, **{key: option[key] for key in ("kernel", "rewrite", "form", "line")},
                **predicted(option, ran, changed)} for target, options, *changed in made for option in options]
    print(f"{source.stem}: {len(records)} rewrites in {len(made)} rounds", flush=True)
    return records


def make(folder, jobs):
    folder.mkdir(parents=True, exist_ok=True)
    for header in HEADERS.glob("*.cuh"):
        shutil.copy(header, folder)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        records = [record for part in pool.map(lambda source: make_program(source, folder), sorted(HEADERS.glob("*.cu"))) for record in part]
    (folder / "predicted.json").write_text(json.dumps({"commit": machine.commit(), "rewrites": records}, indent=1) + "\n")
    return 0


def again(folder, jobs):
    """The rewrites of predicted.json with clang's device code."""
    records = json.loads((folder / "predicted.json").read_text())["rewrites"]
    names = sorted({record[key] for record in records for key in ("program", "round")})
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        ran = dict(zip(names, pool.map(lambda name: rewrite_rounds.run(folder / f"{name}.cu", "clang"), names)))
    found = []
    for record in records:
        program, changed = ran[record["program"]], ran[record["round"]]
        if program is None or changed is None:
            print(f"{record['round']} does not run with clang's device code", file=sys.stderr)
            continue
        found.append({**record, **predicted(record, program, changed)})
    (folder / "predicted-clang.json").write_text(json.dumps({"commit": machine.commit(), "rewrites": found}, indent=1) + "\n")
    return 0


def build(source, folder):
    program = folder / source.stem
    done = subprocess.run([tool("nvcc"), "-O3", "-arch=native", "-std=c++17", "-w", "-I", ROOT / "cuda/include", "-I", source.parent, "-o",
                           program, source], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"{source.name} does not compile:\n{done.stderr[-500:]}", file=sys.stderr)
    return program if done.returncode == 0 else None


def gpu_times(program):
    """Nanoseconds of each kernel, all launches together; none where the program does not end."""
    command = [tool("ncu"), "--clock-control", "none", "--cache-control", "none", "--csv", "--print-units", "base", "--print-kernel-base",
               "function", "--metrics", "gpu__time_duration.sum", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True) as started:
        try:
            lines = started.communicate(timeout=LONGEST)[0].splitlines()
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)  # the program, too: it would keep the GPU
            print(f"{program.name} does not end on the GPU", file=sys.stderr)
            return {}
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), len(lines))
    times = {}
    for row in csv.DictReader(io.StringIO("\n".join(lines[start:]))):
        name = rewrite_rounds.base_name(row["Kernel Name"])
        times[name] = times.get(name, 0) + float(row["Metric Value"].replace(",", ""))
    return times


def measure(folder, output):
    about = machine.describe()
    times = json.loads(output.read_text())["nanoseconds"] if output.exists() else {}
    names = {}
    for record in json.loads((folder / "predicted.json").read_text())["rewrites"]:
        if record["program"] not in times:
            names.setdefault(record["program"], set()).add(record["round"])
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        sources = [folder / f"{each}.cu" for program, rounds in names.items() for each in {program, *rounds}]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            built = {source.stem: program for source, program in zip(sources, pool.map(lambda source: build(source, work), sources)) if program}
        for program, rounds in sorted(names.items()):
            for each in [program, *sorted(rounds), program]:
                if each in built:
                    times.setdefault(each, []).append(gpu_times(built[each]))
            output.write_text(json.dumps({"machine": about, "nanoseconds": times}) + "\n")
    print(f"{sys.argv[0]}: {len(times)} programs, wrote {output}")
    return 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path, nargs="?")
    parser.add_argument("--make", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    if options.again:
        return again(options.folder, options.jobs)
    if options.make:
        return make(options.folder, options.jobs)
    if options.output is None:
        parser.error("say where the times go")
    return measure(options.folder, options.output)
