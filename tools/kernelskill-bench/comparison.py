"""A program against the PyTorch module it came from, in one process on one GPU."""

import ctypes
import importlib.util
import random
import statistics

import torch


class Comparison:
    # Fp32 multiply-adds a second of the chips, for the bound of products.
    FP32_FLOPS = {"NVIDIA H200": 66.9e12, "NVIDIA H100": 66.9e12, "NVIDIA A100": 19.5e12}

    def __init__(self, library):
        self.lib = ctypes.CDLL(library)
        self.lib.ks_program_load.restype = ctypes.c_void_p
        self.lib.ks_program_load.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
        self.lib.ks_program_enqueue.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p),
                                                ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p]
        for count in (self.lib.ks_program_argument_count, self.lib.ks_program_result_count):
            count.restype, count.argtypes = ctypes.c_size_t, [ctypes.c_void_p]
        self.lib.ks_program_free.argtypes = [ctypes.c_void_p]
        self.lib.ks_last_error.restype = ctypes.c_char_p
        torch.cuda.init()
        self.device_name = torch.cuda.get_device_name(0)
        self.stream = torch.cuda.Stream()
        cache = torch.cuda.get_device_properties(0).L2_cache_size
        self.flush = torch.empty(max(2 * cache, 64 << 20), dtype=torch.uint8, device="cuda")
        self.copy_bandwidth = self.measure_copy(4 << 30)

    def measure_copy(self, size):
        source = torch.zeros(size, dtype=torch.uint8, device="cuda")
        target = torch.empty_like(source)
        times = self.time([lambda: target.copy_(source)], 9)[0]
        del source, target
        torch.cuda.empty_cache()
        return 2 * size / (statistics.median(times) * 1e-3)

    def time(self, bodies, rounds):
        """Milliseconds of each body, interleaved, alternately forwards and backwards, L2 flushed."""
        times = [[] for _ in bodies]
        with torch.cuda.stream(self.stream):
            for body in bodies:
                body()
            for round in range(rounds):
                order = range(len(bodies)) if round % 2 == 0 else reversed(range(len(bodies)))
                for index in order:
                    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
                    self.flush.zero_()
                    begin.record(self.stream)
                    bodies[index]()
                    end.record(self.stream)
                    self.stream.synchronize()
                    times[index].append(begin.elapsed_time(end))
        return times

    def compare(self, module_path, program_path, rounds=31):
        spec = importlib.util.spec_from_file_location("problem", module_path)
        problem = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(problem)
        torch.manual_seed(100)
        with torch.no_grad(), torch.device("cuda"):
            model = problem.Model(*problem.get_init_inputs()).cuda()
            inputs = [value.cuda() if torch.is_tensor(value) else value for value in problem.get_inputs()]
        torch.cuda.synchronize()
        with torch.no_grad():
            expected = model(*inputs)
            outputs = [torch.full_like(t, float("nan")) for t in (expected if isinstance(expected, tuple) else (expected,))]
            del expected
            state = [t for t in list(model.parameters()) + list(model.buffers())]
            tensors = [t.contiguous() for t in state + [t for t in inputs if torch.is_tensor(t)]]
            run = self.runner(program_path, tensors, outputs)
            run()
            torch.cuda.synchronize()
            row = self.check(model, inputs, outputs)
            times, eager = self.time([run, lambda: model(*inputs)], rounds)
            row.update(self.rates(tensors, outputs, times, eager, module_path))
        run.close()
        del model, inputs, outputs, tensors, state
        torch.cuda.empty_cache()
        return row

    def runner(self, program_path, tensors, outputs):
        handle = self.lib.ks_program_load(program_path.encode(), b"cuda:0")
        if not handle:
            raise RuntimeError(self.lib.ks_last_error().decode())
        counts = self.lib.ks_program_argument_count(handle), self.lib.ks_program_result_count(handle)
        if counts != (len(tensors), len(outputs)):
            raise RuntimeError(f"{program_path} takes {counts[0]} arguments and gives {counts[1]} results, "
                               f"the module has {len(tensors)} and {len(outputs)}")
        arguments = (ctypes.c_void_p * len(tensors))(*[t.data_ptr() for t in tensors])
        results = (ctypes.c_void_p * len(outputs))(*[t.data_ptr() for t in outputs])

        def run():
            stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
            if self.lib.ks_program_enqueue(handle, arguments, results, stream):
                raise RuntimeError(self.lib.ks_last_error().decode())

        run.close = lambda: self.lib.ks_program_free(handle)
        return run

    def check(self, model, inputs, outputs):
        """Relative Frobenius error of our result and of eager's, against the module in double precision."""
        eager = model(*inputs)
        eager = eager if isinstance(eager, tuple) else (eager,)
        eager = [t.cpu() if t.numel() > 1 << 28 else t for t in eager]
        wide = model.double()
        exact = wide(*[t.double() if torch.is_tensor(t) and t.is_floating_point() else t for t in inputs])
        exact = exact if isinstance(exact, tuple) else (exact,)
        model.float()
        error = eager_error = worst = 0.0
        for ours, theirs, truth in zip(outputs, eager, exact):
            ours, theirs, truth = ours.reshape(-1), theirs.reshape(-1), truth.reshape(-1)
            sums = torch.zeros(3, dtype=torch.float64, device="cuda")
            for begin in range(0, truth.numel(), 1 << 27):
                piece = slice(begin, begin + (1 << 27))
                t = truth[piece]
                o, e = ours[piece].double() - t, theirs[piece].cuda().double() - t
                # NaN where the truth is finite must not vanish: it makes the sum NaN.
                sums += torch.stack([(o * o).sum(), (e * e).sum(), (t * t).sum()])
                worst = max(worst, ((o.abs() - 1e-4 * t.abs()).max() / 1e-4).item())
            ours_error, theirs_error = (sums[0] / sums[2]).sqrt().item(), (sums[1] / sums[2]).sqrt().item()
            error, eager_error = max(error, ours_error), max(eager_error, theirs_error)
        right = error <= 4 * max(eager_error, 2.0**-24) and worst <= 1.0
        return {"right": right, "verdict": "right" if right else "wrong", "error": error, "eager_error": eager_error,
                "allclose_1e-4": worst <= 1.0}

    def rates(self, tensors, outputs, times, eager, module_path):
        median = statistics.median(times)
        low, high = self.interval(times)
        size = sum(t.numel() * t.element_size() for t in tensors + outputs)
        row = {"ms": median, "ms_low": low, "ms_high": high, "eager_ms": statistics.median(eager),
               "speedup": statistics.median(e / t for e, t in zip(eager, times)), "bytes": size,
               "copy_bandwidth": self.copy_bandwidth}
        memory_ms = size / self.copy_bandwidth * 1e3
        row["bound"], bound_ms = "memory", memory_ms
        if len(tensors) == 2 and all(t.dim() == 2 for t in tensors + outputs) and tensors[0].shape[1] == tensors[1].shape[0]:
            flops = 2 * outputs[0].numel() * tensors[0].shape[1]
            compute_ms = flops / self.FP32_FLOPS.get(self.device_name, float("inf")) * 1e3
            if compute_ms > memory_ms:
                row["bound"], bound_ms = "fp32", compute_ms
        row["bound_fraction"] = bound_ms / median
        return row

    @staticmethod
    def interval(values, draws=1000):
        """95 % bootstrap interval of the median, the same each time."""
        source = random.Random(1)
        medians = sorted(statistics.median(source.choices(values, k=len(values))) for _ in range(draws))
        return medians[int(0.025 * draws)], medians[int(0.975 * draws)]
