"""Runs kernelskill on mutated files: each must be taken or be one clear error
with a documented exit code; never a signal, a stack dump, a hang, a defect
(exit code 7) or more memory than the file deserves.

  mutate.py WORK [--count N] [--seed S] [--kind KIND…]

Failing inputs stay in WORK/failures, each with the command in its name's .txt.
The same seed gives the same inputs."""
import argparse
import os
import random
import re
import resource
import shutil
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
sources = os.path.abspath(os.path.join(here, "..", "..", ".."))
parser = argparse.ArgumentParser()
parser.add_argument("work")
parser.add_argument("--count", type=int, default=10)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--kind", nargs="*")
arguments = parser.parse_args()
work = os.path.abspath(arguments.work)
seconds, most_bytes = {"resumed": 60}, 2 << 30  # a resumed run does a run's work; others have 10 s

numbers = ["0", "1", "-1", "3", "7", "64", "1000000", "2147483647", "2147483648", "4294967296", "9223372036854775807",
           "-9223372036854775808", "18446744073709551616", "1e400", "0.0", "nan", "inf"]


def mutate_once(data, rng):
    kind = rng.randrange(10)
    at = rng.randrange(len(data) + 1)
    to = min(len(data), at + 1 + int(rng.expovariate(0.1)))
    if kind == 0 and data:  # one bit
        at = min(at, len(data) - 1)
        return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1:]
    if kind == 1:
        return data[:at] + data[to:]
    if kind == 2:
        return data[:at] + data[at:to] * rng.choice([2, 3, 50]) + data[to:]
    if kind == 3:
        return data[:at] + rng.randbytes(rng.randrange(1, 9)) + data[at:]
    if kind == 4:
        return data[:at]
    if kind == 5:  # a token for another one of the file
        tokens = list(re.finditer(rb"[%@#!\w.\-\"]+", data))
        if tokens:
            one, other = rng.choice(tokens), rng.choice(tokens)
            return data[:one.start()] + other.group() + data[one.end():]
    if kind == 6:  # a line away, or twice
        lines = data.splitlines(keepends=True)
        if lines:
            at = rng.randrange(len(lines))
            lines[at:at + 1] = [lines[at]] * rng.choice([0, 2])
            return b"".join(lines)
    if kind == 7:
        return data[:at] + rng.choice([b"(", b"{", b"[", b"<", b"\"", b"\0", b"module {"]) * rng.choice(
            [1, 1, 1, 100, 20000]) + data[at:]
    found = list(re.finditer(rb"-?\d+(\.\d+)?", data))
    if not found:
        return data
    number = rng.choice(found)
    return data[:number.start()] + rng.choice(numbers).encode() + data[number.end():]


def mutate(data, rng):
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        data = mutate_once(data, rng)
    return data


def run(command, limit):
    """Exit code (negative: a signal; None: a hang), stderr, bytes at most."""
    log = os.path.join(work, "log")
    with open(log, "wb") as file:
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=file, cwd=work, start_new_session=True,
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
        try:
            child.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, 9)
            child.wait()
            return None, "", 0
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    with open(log, errors="replace") as file:
        return child.returncode, file.read(), peak


def problem_of(code, said, limit):
    lines = [line for line in said.splitlines() if re.search(r"\berror:", line)]
    if code is None:
        return f"no end after {limit} s"
    if code < 0:
        return f"signal {-code}"
    if "Stack dump" in said or "LLVM ERROR" in said or "Assertion" in said:
        return "a stack dump"
    if code not in (0, 1, 2):
        return f"exit code {code}: " + " ".join(lines)[:300]
    if code and len(lines) != 1:
        return f"{len(lines)} error lines"
    if re.search(r"\bSIG[A-Z]+\b|signal \d+", said):
        return "a child died: " + " ".join(lines)[:300]
    return None


def sample(path):
    with open(os.path.join(sources, path), "rb") as file:
        return file.read()


def make_samples():
    """Kind to name of the file, its bytes, and the command that reads it."""
    two = os.path.join(sources, "test", "Driver", "Inputs", "two-sums.mlir")
    subprocess.run(["kernelskill", "optimize", two, "--device", "cpu", "--rounds", "1", "--budget", "600", "--fresh",
                    "-o", "good"], cwd=work, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run(["kernelskill", "run", "good", "--device", "cpu", "-o", "arrays"], cwd=work, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    array = open(os.path.join(work, "arrays", sorted(os.listdir(os.path.join(work, "arrays")))[0]), "rb").read()
    good = lambda name: open(os.path.join(work, "good", name), "rb").read()
    build = ["kernelskill", "build", "INPUT", "-o", "out"]
    return {
        "payload": ("p.mlir", sample("test/Driver/Inputs/two-sums.mlir"), build),
        "product": ("p.mlir", sample("test/Driver/Inputs/matmul.mlir"), build),
        "recipe": ("r.mlir", good("recipe.mlir"), ["kernelskill", "build", two, "--recipe", "INPUT", "-o", "out"]),
        "skill": ("skills/s.mlir", sample("skills/strategy/row-reduction.mlir"),
                  ["kernelskill", "explain", two, "--skills", os.path.join(work, "skills")]),
        "program": ("p.ksp", good("program.ksp"), ["kernelskill", "run", "INPUT", "--device", "cpu", "-o", "out"]),
        "array": ("a.npy", array, ["kernelskill", "run", "good", "--device", "cpu", "--input", "INPUT", "-o", "out"]),
        "journal": ("old/journal.jsonl", good("journal.jsonl"), ["kernelskill", "journal", "old"]),
        "resumed": ("old/journal.jsonl", good("journal.jsonl"),
                    ["kernelskill", "optimize", two, "--device", "cpu", "--rounds", "1", "--budget", "600", "-o", "old"]),
    }


os.makedirs(work, exist_ok=True)
failures = os.path.join(work, "failures")
shutil.rmtree(failures, ignore_errors=True)
samples = make_samples()
ran = taken = failed = 0
for kind in arguments.kind or samples:
    name, data, command = samples[kind]
    path = os.path.join(work, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    peak_before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    for number in range(arguments.count):
        rng = random.Random(f"{arguments.seed} {kind} {number}")
        mutated = mutate(data, rng)
        if kind == "resumed":
            shutil.rmtree(os.path.dirname(path))
            shutil.copytree(os.path.join(work, "good"), os.path.dirname(path))
        with open(path, "wb") as file:
            file.write(mutated)
        line = [path if word == "INPUT" else word for word in command]
        limit = seconds.get(kind, 10)
        code, said, peak = run(line, limit)
        ran += 1
        taken += code == 0
        problem = problem_of(code, said, limit)
        if not problem and peak > max(peak_before, most_bytes):
            problem = f"{peak >> 20} MiB"
        peak_before = max(peak, peak_before)
        if problem:
            failed += 1
            os.makedirs(failures, exist_ok=True)
            kept = os.path.join(failures, f"{kind}-{arguments.seed}-{number}-" + os.path.basename(name))
            with open(kept, "wb") as file:
                file.write(mutated)
            with open(kept + ".txt", "w") as file:
                file.write(" ".join(line) + "\n" + problem + "\n" + said)
            print("FAIL", kind, number, ":", problem, flush=True)
print(ran, "inputs,", taken, "taken,", failed, "failures")
sys.exit(failed > 0)
