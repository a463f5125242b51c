"""Times on a GPU: interleaved, L2 flushed, as many runs as the time allows."""

import random
import statistics

import torch


class Clock:
    def __init__(self, device):
        torch.cuda.init()
        self.device = device
        properties = torch.cuda.get_device_properties(0)
        self.flush = torch.empty(max(2 * properties.L2_cache_size, 64 << 20), dtype=torch.uint8, device=device)
        self.copy_bandwidth = self._copy_bandwidth(min(4 << 30, properties.total_memory // 16))

    def _copy_bandwidth(self, size):
        source = torch.zeros(size, dtype=torch.uint8, device=self.device)
        target = torch.empty_like(source)
        times = self.interleaved({"copy": lambda: target.copy_(source)}, 9)["copy"]
        del source, target
        torch.cuda.empty_cache()
        return 2 * size / (statistics.median(times) * 1e-3)

    def once(self, body):
        """Milliseconds of one run, the second level cache flushed before it."""
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        self.flush.zero_()
        begin.record()
        body()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end)

    def interleaved(self, bodies, most, seconds=1.0):
        """{name: times} of bodies run in turn, forwards and backwards: at most `most` rounds, and about `seconds`, which
        is shared: a body that alone takes longer than all the time is run once."""
        for body in bodies.values():
            body()
        torch.cuda.synchronize()
        first = {name: self.once(body) for name, body in bodies.items()}
        fast = [name for name, ms in first.items() if ms <= seconds * 1e3]
        times = {name: ([] if name in fast else [ms]) for name, ms in first.items()}
        # The flush and the host's part take a tenth of a millisecond.
        turn = sum(first[name] + 0.1 for name in fast) * 1e-3
        rounds = max(3, min(most, int(seconds / turn))) if fast else 0
        for round in range(rounds):
            for name in fast if round % 2 == 0 else reversed(fast):
                times[name].append(self.once(bodies[name]))
        return times


def interval(values, draws=500):
    """95 % bootstrap interval of the median, the same each time."""
    source = random.Random(1)
    medians = sorted(statistics.median(source.choices(values, k=len(values))) for _ in range(draws))
    return medians[int(0.025 * draws)], medians[int(0.975 * draws)]


def ratio(theirs, ours):
    """Median of the ratios of runs made together, with its interval; of the medians if the counts differ."""
    if len(theirs) != len(ours):
        value = statistics.median(theirs) / statistics.median(ours)
        return value, value, value
    ratios = [t / o for t, o in zip(theirs, ours)]
    return (statistics.median(ratios), *interval(ratios))
