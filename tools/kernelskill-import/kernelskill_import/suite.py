"""Imports a whole suite of modules: kernelskill-import --suite ROOT -o DIR.

ROOT holds level1/, level2/, … with files <number>_<name>.py, as KernelBench
does. Each problem is imported in a process of its own, forked after torch is
loaded, so that a crash, a hang or a leak costs one problem and torch starts once.
"""
import argparse
import csv
import os
import re
import resource
import select
import signal
import sys
import time
import traceback
import warnings

from .errors import ImportFailure

_FIELDS = ("problem", "result", "seconds", "lines")


def _parser():
    parser = argparse.ArgumentParser(
        prog="kernelskill-import --suite",
        description="Imports each problem of a suite to DIR/L<level>_<number>.mlir, and writes DIR/index.tsv: problem, 'ok' or "
        "the error's one line, seconds, lines. Problems that the index holds are skipped, so a stopped run can go on.",
    )
    parser.add_argument("root", metavar="ROOT", help="the folder with level1/, level2/, …")
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="the folder to write to")
    parser.add_argument("--level", default="", metavar="N,…", help="only these levels")
    parser.add_argument("--problem", default="", metavar="L1_1,…", help="only these problems")
    parser.add_argument("--scaled", metavar="FILE", help="import scaled-down copies: FILE holds each problem's settings")
    parser.add_argument("--retry", action="store_true", help="import again what failed")
    parser.add_argument("--again", action="store_true", help="import again everything")
    parser.add_argument("--timeout", type=float, default=60.0, metavar="SECONDS", help="limit for a problem (default: 60)")
    parser.add_argument("--jobs", type=int, default=1, help="how many at once (default: 1)")
    parser.add_argument("--eval", action="store_true", help="import in eval mode (default: train mode)")
    return parser


def _ints(text):
    return {int(part) for part in text.split(",") if part}


def problems(root):
    """Returns [(level, number, path)], in order."""
    found = []
    for level in sorted(os.listdir(root)):
        match = re.fullmatch(r"level(\d+)", level)
        if not match:
            continue
        for name in os.listdir(os.path.join(root, level)):
            number = re.match(r"(\d+)_.*\.py$", name)
            if number:
                found.append((int(match.group(1)), int(number.group(1)), os.path.join(root, level, name)))
    return sorted(found)


def read_settings(path):
    """Reads a file of scaled-down copies: problem, tab, settings by spaces."""
    settings = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, _, rest = line.rstrip("\n").partition("\t")
                settings[name] = rest.split()
    return settings


def _read_index(path):
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8", newline="") as file:
        return {row["problem"]: row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}


def _order(name):
    level, _, number = name[1:].partition("_")
    return int(level), int(number)


def _write_index(path, index):
    """Replaces the index at once, so that a reader never sees a part."""
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "w", encoding="utf-8") as file:
        print(*_FIELDS, sep="\t", file=file)
        for name in sorted(index, key=_order):
            print(*(index[name][field] for field in _FIELDS), sep="\t", file=file)
    os.replace(temporary, path)


def _child(command, pipe):
    """Runs one import in this (forked) process; its last words go to pipe."""
    from . import cli

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    code = 1
    try:
        os.dup2(pipe, 2)
        code = cli.main(command)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


class _Job:
    """A child that imports one problem."""

    def __init__(self, name, command, output, timeout):
        self.name, self.output, self.started = name, output, time.monotonic()
        self.deadline, self.timeout = self.started + timeout, timeout
        self.text = b""
        self.pipe, write = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.pipe)
            _child(command, write)
        os.close(write)

    def wait(self):
        """Reads until the child ends or its time is over; returns the row."""
        late = False
        while not late:
            left = self.deadline - time.monotonic()
            late = left <= 0
            if not late and select.select([self.pipe], [], [], left)[0]:
                data = os.read(self.pipe, 65536)
                if not data:
                    break
                self.text += data
        if late:
            os.kill(self.pid, signal.SIGKILL)
        status = os.waitpid(self.pid, 0)[1]
        os.close(self.pipe)
        return self._row(late, status)

    def _row(self, late, status):
        lines = 0
        if late:
            result = f"took more than {self.timeout:g} s"
        elif os.WIFSIGNALED(status):
            result = f"ended by signal {signal.Signals(os.WTERMSIG(status)).name}"
        elif os.WEXITSTATUS(status):
            said = self.text.decode("utf-8", "replace").strip().splitlines() or ["failed without a word"]
            result = said[-1].replace("\t", " ").removeprefix("kernelskill-import: error: ")
        else:
            result = "ok"
            with open(self.output + ".part", encoding="utf-8") as file:
                lines = sum(1 for _ in file)
            os.replace(self.output + ".part", self.output)
        if result != "ok":
            for path in (self.output, self.output + ".part"):
                if os.path.exists(path):
                    os.remove(path)
        seconds = f"{time.monotonic() - self.started:.1f}"
        return {"problem": self.name, "result": result, "seconds": seconds, "lines": lines}


def _chosen(options, index):
    """Yields name and path of what is to be imported."""
    levels, names = _ints(options.level), {n for n in options.problem.split(",") if n}
    for level, number, path in problems(options.root):
        name = f"L{level}_{number}"
        if (levels and level not in levels) or (names and name not in names):
            continue
        done = index.get(name)
        if done and not options.again and not (options.retry and done["result"] != "ok"):
            continue
        yield name, path


def _load():
    """Loads what the children share."""
    import torch

    from . import decompositions, export, payload  # noqa: F401

    torch.set_num_threads(1)
    # Most of torch.export is loaded when it is first used.
    module = torch.nn.Linear(2, 2)
    torch.export.export(module, (torch.zeros(1, 2),), strict=False).run_decompositions(decompositions.table())


def _run(options):
    index_path = os.path.join(options.output, "index.tsv")
    os.makedirs(options.output, exist_ok=True)
    index = _read_index(index_path)
    settings = read_settings(options.scaled) if options.scaled else None
    warnings.simplefilter("ignore")
    _load()
    running = []

    def finish():
        row = running.pop(0).wait()
        index[row["problem"]] = row
        _write_index(index_path, index)
        print(*(row[field] for field in _FIELDS), sep="\t", flush=True)

    for name, path in _chosen(options, index):
        if settings is not None and name not in settings:
            continue
        output = os.path.join(options.output, name + ".mlir")
        command = [path, "-o", output + ".part"] + (["--eval"] if options.eval else [])
        for setting in settings[name] if settings is not None else ():
            command += ["--set", setting]
        if len(running) >= options.jobs:
            finish()
        running.append(_Job(name, command, output, options.timeout))
    while running:
        finish()
    return sum(1 for row in index.values() if row["result"] == "ok"), len(index)


def main(argv):
    options = _parser().parse_args(argv)
    try:
        good, count = _run(options)
    except (OSError, ImportFailure) as error:
        print(f"kernelskill-import: error: {error}", file=sys.stderr)
        return 1
    print(f"{good} of {count} imported, {os.path.join(options.output, 'index.tsv')} lists them", file=sys.stderr)
    return 0 if good == count else 2
