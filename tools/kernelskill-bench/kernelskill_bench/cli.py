"""The command line: which problems, in which order, and what is on the disk after each."""

import argparse
import concurrent.futures
import json
import os
import shutil
import signal
import sys
import time

from . import stability, suite, tables
from .client import Client, NoDevice
from .programs import Programs
from .suite import UsageError

HERE = os.path.dirname(os.path.abspath(__file__))
BASELINES = ("eager", "eager-tf32", "compile")


def _parser(description):
    parser = argparse.ArgumentParser(prog="kernelskill-bench", description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--suite", default="kernelbench", choices=["kernelbench"], help="whose list of degenerate problems and protocol")
    add("--root", help="folder with level1/, level2/, … of the suite")
    add("--payloads", metavar="DIR", help="folder with the imported payloads")
    add("--level", default="1,2,3", metavar="LIST", help="levels to do (default: 1,2,3)")
    add("--problem", default="", metavar="LIST", help="numbers, ranges (1-20) or names (L1_1); default: all of the levels")
    add("--shard", default="1/1", metavar="I/N", help="every Nth problem, from the Ith on")
    add("--settings", metavar="FILE", help="scaled-down copies: the settings that the payloads were imported with")
    add("--device", default="cuda:0", help="cuda:0 or cpu; the CPU measures no times (default: cuda:0)")
    add("--rounds", type=int, default=15, metavar="N", help="rounds of search; 0: the seed, with no search (default: 15)")
    add("--budget", type=float, default=60, metavar="SECONDS", help="a problem's search (default: 60)")
    add("--recipes", "--retime", metavar="DIR", help="no search: rebuild L<level>_<number>.mlir of DIR and measure again")
    add("--prebuilt", metavar="DIR", help="no build: DIR/<problem>/program.ksp is there")
    add("--baseline", default="eager", metavar="LIST", help="of eager, eager-tf32, compile (default: eager)")
    add("--trials", type=int, default=5, help="inputs of the official harness's test (default: 5)")
    add("--runs", type=int, default=31, help="most timed runs (default: 31)")
    add("--seconds", type=float, default=1.0, help="time for a problem's timed runs (default: 1)")
    add("--time-limit", type=float, default=120, metavar="SECONDS", help="limit for a problem's comparison (default: 120)")
    add("--build-limit", type=float, default=120, metavar="SECONDS", help="limit for its build and for its oracle (default: 120)")
    add("--jobs", type=int, default=max(1, (os.cpu_count() or 2) // 2), help="programs built at once (default: half the cores)")
    add("--oracle", action="store_true", help="ask 'kernelskill verify' too (a search has asked it already)")
    add("--resume", action="store_true", help="go on in OUT: what results.jsonl holds is not done again")
    add("--retry", action="store_true", help="with --resume: do again what was not right")
    add("--stability", type=int, default=0, metavar="N", help="search each problem N times and say how stable the choice is")
    add("--merge", nargs="+", metavar="OUT", help="put the rows of other output folders into -o, and write the tables")
    add("--chip", default="sm_90a")
    add("--kernelskill", metavar="FILE", help="the compiler (default: of the build or installation that this is of)")
    add("--library", metavar="FILE", help="libkernelskill.so (default: ../lib beside kernelskill)")
    add("-o", dest="out", required=True, metavar="OUT")
    return parser


def _find_compiler(options):
    if not options.kernelskill:
        places = [os.path.join(HERE, "../../../build", preset, "bin/kernelskill") for preset in ("default", "static")]
        places += [os.path.join(HERE, "../../../bin/kernelskill"), shutil.which("kernelskill") or ""]
        options.kernelskill = next((os.path.abspath(p) for p in places if os.path.exists(p)), None)
        if not options.kernelskill:
            raise UsageError("no kernelskill in build/*/bin nor on PATH: name it with --kernelskill")
    if not options.library:
        options.library = os.path.join(os.path.dirname(options.kernelskill), "../lib/libkernelskill.so")
    if not os.path.exists(options.library):
        raise UsageError(f"{options.library}: no such file; name it with --library")


def _check(options):
    options.baselines = [part for part in options.baseline.split(",") if part]
    for name in options.baselines:
        if name not in BASELINES:
            raise UsageError(f"--baseline: '{name}' is none of {', '.join(BASELINES)}")
    if options.device == "cpu":
        options.baselines = []
    for need in () if options.merge else ("root", "payloads") if not options.prebuilt else ("root",):
        if not getattr(options, need):
            raise UsageError(f"--{need} is missing")


def read_rows(folder):
    """{name: row}; the last line of a name counts, and a line that a kill cut is none."""
    rows = {}
    path = os.path.join(folder, "results.jsonl")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith("\n"):
                    continue
                try:
                    row = json.loads(line)
                    rows[row["name"]] = row
                except (ValueError, TypeError, KeyError):
                    raise UsageError(f"{path}:{number}: no row of results; take the line out, or choose another -o") from None
    return rows


class Results:
    """results.jsonl: a row is on the disk before the next problem starts."""

    def __init__(self, folder):
        os.makedirs(folder, exist_ok=True)
        self.path = os.path.join(folder, "results.jsonl")
        self.rows = read_rows(folder)
        if os.path.exists(self.path):
            # Cut off what a kill left of a line.
            with open(self.path, "rb+") as file:
                file.truncate(file.read().rfind(b"\n") + 1)

    def add(self, row):
        self.rows[row["name"]] = row
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
            file.flush()
            os.fsync(file.fileno())


def main(description):
    parser = _parser(description)
    options = parser.parse_args()
    # So that a time limit from outside still leaves the tables.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(5))
    try:
        _check(options)
        if options.merge:
            return _merge(options)
        _find_compiler(options)
        paths = suite.problems(options.root)
        names = suite.chosen(paths, options.level, options.problem, options.shard)
        if not names:
            raise UsageError("no problem is chosen")
        options.names, options.paths, options.sets = names, paths, suite.settings(options.settings)
        return stability.run(options) if options.stability else _run(options)
    except (UsageError, OSError) as error:
        print(f"kernelskill-bench: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 5
    except NoDevice as error:
        print(f"kernelskill-bench: {options.device} can't be used: {error}", file=sys.stderr)
        return 4


def _merge(options):
    results = Results(options.out)
    for folder in options.merge:
        rows = read_rows(folder)
        if not rows:
            raise UsageError(f"{folder}: no results.jsonl with rows")
        for row in rows.values():
            results.add(row)
    tables.write(options.out, results.rows)
    return 0


def _run(options):
    results = Results(options.out)
    if results.rows and not options.resume:
        raise UsageError(f"{results.path} holds results: --resume goes on with them, another -o starts anew")
    done = {n for n, row in results.rows.items() if row["verdict"] == "right" or not options.retry}
    todo = [name for name in options.names if name not in done]
    programs = Programs(options)
    client = Client(options.library, options.device, os.path.join(options.out, "worker.log"))
    client.start()
    print(f"{len(todo)} of {len(options.names)} problems to do, on {client.facts['device']}", flush=True)
    # A search needs the GPU for itself, so it is made when its turn comes.
    searching = not (options.prebuilt or options.recipes or options.rounds == 0)
    pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
    made = {} if searching else {name: pool.submit(programs.make, name) for name in todo}
    try:
        for name in todo:
            start = time.monotonic()
            facts = made[name].result() if name in made else programs.make(name)
            row = _row(options, client, programs, name, facts)
            row["wall_seconds"] = round(time.monotonic() - start, 2)
            results.add(row)
            print(tables.line(row), flush=True)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        client.stop()
        if results.rows:
            tables.write(options.out, results.rows)
    chosen = [results.rows[name] for name in options.names if name in results.rows]
    print(tables.counts(chosen))
    return 0 if all(row["verdict"] in ("right", "random", "ill-posed") for row in chosen) else 3


def _row(options, client, programs, name, facts):
    row = {"name": name, **facts, "environment": {**client.facts, **_driver()}}
    if "failure" in row:
        row["verdict"], row["reason"] = "not built", row.pop("failure")
        return row
    request = {"module": options.paths[name], "program": programs.program(name), "settings": options.sets.get(name, []),
               "baselines": options.baselines, "trials": options.trials, "runs": options.runs, "seconds": options.seconds,
               "flops": row.get("flops", 0)}
    start = time.monotonic()
    answer = client.ask(request, options.time_limit)
    row.update(answer, compare_seconds=round(time.monotonic() - start, 2))
    if options.oracle and "oracle" not in row:
        row["oracle"] = programs.judge(name)
    if "failure" in answer:
        row["verdict"], row["reason"] = "failed", row.pop("failure")
    elif row["random"] or row.get("ill_posed"):
        row["verdict"] = "random" if row["random"] else "ill-posed"
    elif row["right"] and row.get("oracle", {}).get("verdict") == "not right":
        row["verdict"], row["reason"] = "wrong", "only the oracle says so: " + row["oracle"].get("reason", "")
    else:
        row["verdict"] = "right" if row["right"] else "wrong"
    recipe = os.path.join(programs.folder(name), "recipe.mlir")
    if os.path.exists(recipe):
        os.makedirs(os.path.join(options.out, "recipes"), exist_ok=True)
        shutil.copy(recipe, os.path.join(options.out, "recipes", name + ".mlir"))
    return row


def _driver(known={}):
    """The driver's version; asked once."""
    if "driver" not in known:
        path = "/proc/driver/nvidia/version"
        known["driver"] = ""
        if os.path.exists(path):
            with open(path) as file:
                words = file.readline().split()
            known["driver"] = next((w for w in words if w[0].isdigit() and "." in w), "")
    return known
