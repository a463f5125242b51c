"""How far two results are from the truth in double precision, piece by piece."""

import math

import torch

PIECE = 1 << 27
# Above this error of eager's own, in fp32, the module's result is made of rounding, and nothing can be said of ours.
ILL_POSED = 1e-2
TOLERANCE = 1e-4  # of the official harness for fp32, absolute and relative


class Distance:
    """Sums over the pieces of one output: relative Frobenius error, and the worst |error| over atol + rtol |truth|."""

    def __init__(self):
        self.squares = self.truth_squares = 0.0
        self.worst = 0.0
        self.mismatches = 0

    def add(self, ours, truth):
        """Both flat, of one length; the truth in double precision, or integers."""
        if not truth.is_floating_point():
            self.mismatches += (ours != truth).sum().item()
            return
        ours, truth = ours.double(), truth.double()
        finite = torch.isfinite(truth)
        if not finite.all():
            same = (ours == truth) | (ours.isnan() & truth.isnan())
            self.mismatches += (~finite & ~same).sum().item()
            ours, truth = ours.masked_fill(~finite, 0.0), truth.masked_fill(~finite, 0.0)
        self.mismatches += (~torch.isfinite(ours)).sum().item()
        difference = (ours - truth).abs_()
        self.squares += (difference * difference).sum().item()
        self.truth_squares += (truth * truth).sum().item()
        if difference.numel():
            self.worst = max(self.worst, difference.div_(TOLERANCE + TOLERANCE * truth.abs()).max().item())

    @property
    def error(self):
        if math.isnan(self.squares):
            return math.inf
        if self.truth_squares == 0.0:
            return math.sqrt(self.squares)
        return math.sqrt(self.squares / self.truth_squares)

    def facts(self):
        return {"error": self.error, "worst": self.worst if not math.isnan(self.worst) else math.inf,
                "mismatches": self.mismatches}


def measure(distance, values, truth, device):
    """Adds a whole tensor (or a slice of one) in pieces that fit."""
    values, truth = values.reshape(-1), truth.reshape(-1)
    for begin in range(0, truth.numel(), PIECE):
        piece = slice(begin, begin + PIECE)
        distance.add(values[piece].to(device), truth[piece].to(device))


def is_right(ours, eager):
    """As exact as fp32: within 4 times eager's error (fp32, no TF32), and each element within the official tolerance
    or 4 times eager's own worst. Integers must agree with the truth, or be no more often off than eager's."""
    # A unit in the last place of fp32, for programs that eager computes exactly.
    floor = 2.0**-23
    return (ours.mismatches <= eager.mismatches and ours.error <= 4 * max(eager.error, floor)
            and ours.worst <= max(1.0, 4 * eager.worst))


def allclose(ours, theirs, device, tolerance=TOLERANCE):
    """torch.allclose in pieces: the official harness's test. Shapes must agree, NaN fails."""
    if ours.shape != theirs.shape:
        return False
    ours, theirs = ours.reshape(-1), theirs.reshape(-1)
    for begin in range(0, ours.numel(), PIECE):
        piece = slice(begin, begin + PIECE)
        if not torch.allclose(theirs[piece].to(device), ours[piece].to(device), atol=tolerance, rtol=tolerance):
            return False
    return True
