"""Makes programs: found ready, built (seed or recipe), or searched for; and asks the oracle."""

import json
import os
import shutil
import subprocess
import time

# Seconds beyond its own limits that a search may take: others have the GPU.
WAIT_LIMIT = 1800


def _run(command, log, seconds, nice=0):
    """(exit code or None if it was late, seconds, last line of stderr)."""
    start = time.monotonic()
    with open(log, "w") as file:
        file.write(" ".join(command) + "\n")
        file.flush()
        try:
            code = subprocess.run(["nice", "-n", str(nice)] + command, stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                                  timeout=seconds).returncode
        except subprocess.TimeoutExpired:
            return None, time.monotonic() - start, f"took more than {seconds:g} s"
    with open(log, errors="replace") as file:
        lines = [line.strip() for line in file.read().splitlines()[1:] if line.strip()]
    errors = [line for line in lines if "error" in line] or lines or ["no message"]
    return code, time.monotonic() - start, errors[-1][-300:]


def _work(analysis):
    """Operations and number of dispatches of a program, as the build analysed it."""
    with open(analysis) as file:
        dispatches = json.load(file).get("dispatches", [])
    count = sum(d.get("instances", 1) for d in dispatches)
    return {"flops": sum(d.get("work", {}).get("flops", 0) * d.get("instances", 1) for d in dispatches), "dispatches": count}


class Programs:
    def __init__(self, options):
        self.options = options

    def folder(self, name):
        return os.path.join(self.options.out, name)

    def program(self, name):
        return os.path.join(self.folder(name), "program.ksp")

    def payload(self, name):
        return os.path.join(self.options.payloads, name + ".mlir")

    def make(self, name):
        """Facts of how the program came to be; "failure" in them if it did not."""
        os.makedirs(self.folder(name), exist_ok=True)
        if self.options.prebuilt:
            return self._copy(name)
        if not os.path.exists(self.payload(name)):
            return {"failure": f"no payload {self.payload(name)}"}
        if self.options.recipes or self.options.rounds == 0:
            return self._build(name)
        return self._search(name)

    def _copy(self, name):
        source = os.path.join(self.options.prebuilt, name)
        if not os.path.exists(os.path.join(source, "program.ksp")):
            return {"failure": f"no program {source}/program.ksp"}
        for entry in ("program.ksp", "recipe.mlir", "analysis.json"):
            if os.path.exists(os.path.join(source, entry)):
                shutil.copy(os.path.join(source, entry), self.folder(name))
        return {"made": "prebuilt", **self._analysis(name)}

    def _build(self, name):
        command = [self.options.kernelskill, "build", self.payload(name), "--chip", self.options.chip, "-o", self.folder(name)]
        made = "seed"
        if self.options.recipes:
            recipe = os.path.join(self.options.recipes, name + ".mlir")
            if not os.path.exists(recipe):
                return {"failure": f"no recipe {recipe}"}
            command, made = command + ["--recipe", recipe], "recipe"
        # Building must not take the processor from the measurement.
        code, seconds, last = _run(command, self.folder(name) + ".log", self.options.build_limit, nice=10)
        facts = {"made": made, "build_seconds": round(seconds, 2)}
        return {**facts, **(self._analysis(name) if code == 0 else {"failure": f"build: {last}"})}

    def _search_limit(self):
        """A search limits its own steps; what waits for other searches on the GPU may take long and is no fault."""
        return self.options.build_limit + self.options.budget + WAIT_LIMIT

    def _search(self, name):
        command = self._optimize(name, self.folder(name))
        code, seconds, last = _run(command, self.folder(name) + ".log", self._search_limit())
        facts = {"made": "search", "search_seconds": round(seconds, 1)}
        # 5: cut short, with a result all the same.
        if code not in (0, 5) or not os.path.exists(self.program(name)):
            return {**facts, "failure": f"optimize: {last}"}
        facts.update(report_facts(os.path.join(self.folder(name), "report.json")))
        return {**facts, **self._analysis(os.path.join(name, "candidates", facts["recipe_hash"]))}

    def _optimize(self, name, folder, *more):
        options = self.options
        return [options.kernelskill, "optimize", self.payload(name), "--device", options.device, "--rounds", str(options.rounds),
                "--budget", str(options.budget), "--chip", options.chip, *more, "-o", folder]

    def search_again(self, name, folder):
        """One more search from nothing, for the stability of the choice."""
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        code, seconds, last = _run(self._optimize(name, folder, "--fresh"), folder + ".log", self._search_limit())
        if code not in (0, 5):
            return {"failure": f"optimize: {last}"}
        return {"search_seconds": round(seconds, 1), **report_facts(os.path.join(folder, "report.json"))}

    def _analysis(self, name):
        path = os.path.join(self.folder(name), "analysis.json")
        return _work(path) if os.path.exists(path) else {}

    def judge(self, name):
        """The verdict of our own oracle on the program's recipe."""
        command = [self.options.kernelskill, "verify", self.payload(name), "--device", self.options.device,
                   "--chip", self.options.chip]
        recipe = os.path.join(self.folder(name), "recipe.mlir")
        if os.path.exists(recipe):
            command += ["--recipe", recipe]
        log = self.folder(name) + ".verify.log"
        code, seconds, reason = _run(command, log, self.options.build_limit)
        verdict = {0: "right", 3: "not right"}.get(code, "not judged")
        if code == 3:
            # Behind the command: the verdict, and then its measures.
            with open(log, errors="replace") as file:
                reason = file.read().splitlines()[1][:300]
        return {"verdict": verdict, "seconds": round(seconds, 1), **({} if code == 0 else {"reason": reason})}


def report_facts(path):
    """What report.json says of a search."""
    with open(path) as file:
        report = json.load(file)
    best = report["best"]
    candidates = {candidate["hash"]: candidate for candidate in report["candidates"]}
    steps, ancestor = [], best
    while ancestor and ancestor.get("parent"):
        steps.insert(0, ancestor["skill"])
        ancestor = candidates.get(ancestor["parent"])
    return {"rounds": len(report["rounds"]), "recipe_hash": best["hash"], "skills": steps, "stop": report["stop"]["reason"],
            "seed_ms": report["seed"]["milliseconds"]["median"], "best_ms": best["milliseconds"]["median"],
            "estimate": report["estimate"], **over_seed(report),
            "oracle": {"verdict": best["verdict"], **({"reason": best["reason"]} if best.get("reason") else {})}}


def over_seed(report):
    """The seed's time over the result's, of interleaved pairs at the end of a search that measured; 1 where the seed
    was kept."""
    if report["estimate"] or report["stop"]["reason"] == "interrupted":
        return {}
    final = report.get("final")
    if final:
        return {"over_seed": {"ratio": final["speedup"], "low": final["speedup_low"], "high": final["speedup_high"]}}
    same = report["best"]["hash"] == report["seed"]["hash"]
    return {"over_seed": {"ratio": 1.0, "low": 1.0, "high": 1.0}} if same else {}
