"""One program against the module it came from, in one process, on the module's own inputs and weights."""

import contextlib
import copy
import gc
import statistics

import torch

from . import exactness, timing
from .module import Problem, state_of, tensors_of, tf32, trial_seeds
from .program import DTYPES, Library, Program

# Bytes and fp32 operations a second that the data sheets state.
PEAKS = {"NVIDIA H200": (4.8e12, 66.9e12), "NVIDIA H100 80GB HBM3": (3.35e12, 66.9e12), "NVIDIA A100": (1.94e12, 19.5e12)}

BASELINES = {"eager": (False, True), "eager-tf32": (True, True), "compile": (False, True)}


def _poison(tensor):
    """What a program that writes too little leaves behind."""
    return tensor.fill_(float("nan") if tensor.is_floating_point() else 1)


def _fingerprint(tensor):
    """Changes if any bit of the tensor does (but for changes that cancel)."""
    flat = tensor.reshape(-1)
    if flat.dtype == torch.bool:
        return flat.sum().item()
    width = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[flat.element_size()]
    return flat.view(width).sum(dtype=torch.int64).item()


class Comparison:
    def __init__(self, library, device):
        self.library, self.device = Library(library), device
        self.clock = timing.Clock(device) if device != "cpu" else None

    def facts(self):
        """What the numbers depend on."""
        facts = {"device": "cpu", "torch": torch.__version__}
        if self.clock:
            facts.update(device=torch.cuda.get_device_name(0), cuda=torch.version.cuda,
                         copy_bandwidth=self.clock.copy_bandwidth)
        return facts

    def compare(self, request):
        """The row of one problem; `request` is described in worker.py."""
        problem = program = None
        try:
            problem = Problem(request["module"], request.get("settings", []), self.device)
            program = Program(self.library, request["program"], self.device)
            return self._compare(problem, program, request)
        finally:
            if program:
                program.close()
            del problem, program
            torch._dynamo.reset() if "compile" in request["baselines"] else None
            gc.collect()
            if self.clock:
                torch.cuda.empty_cache()

    def _compare(self, problem, program, request):
        seeds = trial_seeds(max(1, request["trials"]))
        inputs = problem.inputs(seeds[0])
        # What the module draws in forward, both are given.
        drawn = problem.drawn(program.arguments, seeds[0])
        # The program runs before anything that knows the answer has run.
        arguments = problem.arguments(program.arguments, inputs, drawn)
        results = [_poison(torch.empty(b["shape"], dtype=DTYPES[b["type"]], device=self.device)) for b in program.results]
        before = [_fingerprint(t) for t in arguments]
        run = program.runner(arguments, results)
        run()
        self._wait()
        named = [b["name"] for b in program.results if b.get("role") == "buffer"]
        row = {"launches": program.launches, "inputs_kept": before == [_fingerprint(t) for t in arguments]}
        row.update(self._exactness(problem, inputs, drawn, results, named))
        row["right"] = bool(row["right"] and row["inputs_kept"])
        if not row["inputs_kept"]:
            row["random"] = row["ill_posed"] = False
            row["reason"] = "it writes to its inputs"
        row["official"] = self._official(problem, program, seeds[: request["trials"]], inputs, results)
        if self.clock:
            if drawn:
                # The module's time has its draws in it.
                run = lambda: program.runner(  # noqa: E731
                    problem.arguments(program.arguments, inputs, problem.drawn(program.arguments, seeds[0])), results)()
            row.update(self._times(problem, inputs, run, request))
            row.update(self._bounds(arguments + results, request.get("flops", 0), row["ms"]))
        return row

    def _wait(self):
        if self.clock:
            torch.cuda.synchronize()

    def _random_states(self):
        return [torch.get_rng_state()] + ([torch.cuda.get_rng_state()] if self.clock else [])

    def _exactness(self, problem, inputs, drawn, results, named):
        """Ours and eager's distance from the module in double precision, the worst output's."""
        model = copy.deepcopy(problem.pristine)
        with tf32(False, False):
            states = self._random_states()
            eager = tensors_of(problem.forward(model, inputs, drawn))
            random = any(not torch.equal(a, b) for a, b in zip(states, self._random_states()))
            written = problem.written_state(model)
            if named:
                missing = sorted(set(written) - set(named))
                if missing:
                    return {"right": False, "random": random,
                            "reason": f"the module writes its buffer '{missing[0]}', the program doesn't"}
                written = named
            state = state_of(model)
            eager += [state[name] for name in written]
            del model
            if len(eager) != len(results):
                return {"right": False, "random": random, "reason": f"the program has {len(results)} results, the module gives {len(eager)} "
                        f"({len(written)} of them buffers that it writes)"}
            for number, (ours, theirs) in enumerate(zip(results, eager)):
                if ours.shape != theirs.shape:
                    return {"right": False, "random": random,
                            "reason": f"result {number}: shape {list(ours.shape)}, the module gives {list(theirs.shape)}"}
            pairs = [(exactness.Distance(), exactness.Distance()) for _ in results]
            reference = self._add_truth(problem, inputs, drawn, results, eager, written, pairs)
        # Eager's error is no yardstick where two runs of it differ, or where it is all rounding.
        rounding = [number for number, (_, theirs) in enumerate(pairs) if theirs.error > exactness.ILL_POSED]
        # Of what the module returns; state of that kind (a running mean whose true value is zero) is compared all the same.
        ill_posed = any(number < len(results) - len(written) for number in rounding)
        worst = max(range(len(pairs)), key=lambda i: (not exactness.is_right(*pairs[i]), i not in rounding, pairs[i][0].error))
        ours, theirs = pairs[worst]
        right = exactness.is_right(ours, theirs) and not random and not ill_posed
        facts = {"right": right, "random": random, "ill_posed": ill_posed, "reference": reference, "rounding": rounding, **ours.facts(), **{"eager_" + k: v for k, v in theirs.facts().items()}}
        if random:
            facts["reason"] = "the module draws random numbers, so that two runs differ"
        elif not right:
            facts["reason"] = (f"result {worst}: error {ours.error:.2e} (eager's {theirs.error:.2e}), worst element "
                               f"{ours.worst:.2e} of the tolerance (eager's {theirs.worst:.2e})"
                               + (f", {ours.mismatches} elements not finite or not equal" if ours.mismatches else ""))
        return facts

    def _add_truth(self, problem, inputs, drawn, results, eager, written, pairs):
        """Fills the distances: with the whole reference, in slices of the batch, or with fp32 where nothing else fits."""
        out_of_memory = (torch.cuda.OutOfMemoryError, MemoryError)
        try:
            model = problem.reference()
            truth = tensors_of(problem.forward_double(model, inputs, drawn))
            state = state_of(model)
            truth += [state[name] for name in written]
            self._add(pairs, results, eager, truth)
            return "double"
        except out_of_memory:
            model = truth = state = None
            self._clean()
        for count in (2, 8, 32):
            with contextlib.suppress(out_of_memory):
                if not written and self._add_slices(problem, inputs, drawn, results, eager, pairs, count):
                    return f"double, in {count} slices"
                break
            self._clean()
        pairs[:] = [(exactness.Distance(), exactness.Distance()) for _ in results]
        self._add(pairs, results, eager, eager)
        return "fp32"

    def _add(self, pairs, results, eager, truth):
        for (ours, theirs), mine, yours, true in zip(pairs, results, eager, truth):
            exactness.measure(ours, mine, true, self.device)
            exactness.measure(theirs, yours, true, self.device)

    def _add_slices(self, problem, inputs, drawn, results, eager, pairs, count):
        """In slices of the batch; False if the module doesn't treat the batch's elements each for itself."""
        pairs[:] = [(exactness.Distance(), exactness.Distance()) for _ in results]
        tensors = tensors_of(inputs) + drawn
        sizes = {t.shape[0] for t in tensors + eager if t.dim()}
        batch = sizes.pop() if len(sizes) == 1 and all(t.dim() for t in tensors + eager) else 0
        # Batch normalisation in training mode takes statistics over the batch.
        joined = any(isinstance(part, torch.nn.modules.batchnorm._NormBase) and part.training and "Instance" not in
                     type(part).__name__ for part in problem.pristine.modules())
        if batch < count or joined:
            return False
        bounds = [batch * i // count for i in range(count + 1)]
        cut = lambda values, piece: [t[piece] if torch.is_tensor(t) else t for t in values]  # noqa: E731
        # Whatever else joins the batch shows in fp32.
        first = slice(0, bounds[1])
        alone_first = problem.forward(copy.deepcopy(problem.pristine), cut(inputs, first), cut(drawn, first))
        for alone, whole in zip(tensors_of(alone_first), eager):
            if alone.shape != whole[first].shape or not exactness.allclose(alone, whole[first], self.device, 1e-3):
                return False
        model = problem.reference()
        for low, high in zip(bounds, bounds[1:]):
            piece = slice(low, high)
            truth = tensors_of(problem.forward_double(model, cut(inputs, piece), cut(drawn, piece)))
            self._add(pairs, [t[piece] for t in results], [t[piece] for t in eager], truth)
            del truth
        return True

    def _official(self, problem, program, seeds, inputs, results):
        """The official harness's test: every trial's output within 1e-4 of eager's, PyTorch's switches as they come. The
        inputs are drawn on the device, so they are other numbers of the same distribution. What a module draws in forward
        the program is given from the same generator's state, as the exported module draws it."""
        passed = 0
        for number, seed in enumerate(seeds):
            if number:
                inputs = problem.inputs(seed)
                for result in results:
                    _poison(result)
                drawn = problem.drawn(program.arguments, seed)
                program.runner(problem.arguments(program.arguments, inputs, drawn), results)()
                self._wait()
            torch.manual_seed(seed)
            theirs = tensors_of(problem.forward(problem.model, inputs))
            passed += len(results) >= len(theirs) and all(
                exactness.allclose(mine, yours, self.device) for mine, yours in zip(results, theirs))
            del theirs
        return {"trials": len(seeds), "passed": passed, "right": passed == len(seeds)}

    def _times(self, problem, inputs, run, request):
        bodies, problems = {"ours": run}, {}
        for name in request["baselines"]:
            try:
                bodies[name] = self._baseline(name, problem, inputs)
            except Exception as error:  # whatever the compiler of PyTorch raises
                problems[name] = str(error).strip().splitlines()[0][:200]
        times = self.clock.interleaved(bodies, request["runs"], request["seconds"])
        ours = times["ours"]
        low, high = timing.interval(ours)
        row = {"ms": statistics.median(ours), "ms_low": low, "ms_high": high, "ms_mean": statistics.fmean(ours),
               "runs": len(ours), "baselines": {}}
        for name in request["baselines"]:
            if name in problems:
                row["baselines"][name] = {"problem": problems[name]}
                continue
            theirs = times[name]
            ratio, low, high = timing.ratio(theirs, ours)
            row["baselines"][name] = {"ms": statistics.median(theirs), "ms_mean": statistics.fmean(theirs), "runs": len(theirs),
                                      "ratio": ratio, "ratio_low": low, "ratio_high": high}
        return row

    def _baseline(self, name, problem, inputs):
        model = problem.model
        if name == "compile":
            model = torch.compile(model)
        matmul, convolution = BASELINES[name]

        def body():
            torch.backends.cuda.matmul.allow_tf32 = matmul
            torch.backends.cudnn.allow_tf32 = convolution
            problem.forward(model, inputs)

        with tf32(*BASELINES[name]):
            body()
            self._wait()
        return body

    def _bounds(self, tensors, flops, ms):
        """Least times: arguments and results once, or the program's operations in fp32. Achievable: at the bandwidth of a
        copy on this GPU; theoretical: at the data sheet's."""
        size = sum(t.numel() * t.element_size() for t in tensors)
        bandwidth, peak = PEAKS.get(torch.cuda.get_device_name(0), (None, None))
        compute = flops / peak * 1e3 if peak else 0.0
        memory = size / self.clock.copy_bandwidth * 1e3
        row = {"bytes": size, "flops": flops, "bound": "fp32" if compute > memory else "memory",
               "achievable_share": max(memory, compute) / ms}
        if bandwidth:
            row["theoretical_share"] = max(size / bandwidth * 1e3, compute) / ms
        return row
