"""A corpus of small modules, one for each form that a payload may have.

    corpus.py -o DIR [--shard I/N] [NAME...]

imports every N-th module, from the I-th on, to DIR/<name>.mlir; --list prints
name and form instead. A module is a line of the table: its name, what makes
it, and what makes its inputs. Extents are small, odd and unequal, so that
tails, swapped dimensions and wrong strides show.
"""
import argparse
import logging
import os
import sys
import types
import warnings

import torch
import torch.nn.functional as F
from torch import nn

root = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "..")
sys.path.insert(0, os.path.join(root, "tools", "kernelskill-import"))
from kernelskill_import import export, payload  # noqa: E402


class Of(nn.Module):
    """A function of its inputs as a module, and the modules that it uses."""

    def __init__(self, function, *parts):
        super().__init__()
        self.function, self.parts = function, nn.ModuleList(parts)

    def forward(self, *inputs):
        return self.function(*self.parts, *inputs)


class Residual(nn.Module):
    def __init__(self, *parts):
        super().__init__()
        self.body = nn.Sequential(*parts)

    def forward(self, x):
        return F.relu(x + self.body(x))


class Attention(nn.Module):
    """Attention over heads; optionally each position sees only earlier ones."""

    def __init__(self, width, heads, causal):
        super().__init__()
        self.project, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.heads, self.causal = heads, causal

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (t.view(batch, length, self.heads, -1).transpose(1, 2) for t in self.project(x).chunk(3, dim=-1))
        scores = q @ k.transpose(-2, -1) / (width // self.heads) ** 0.5
        if self.causal:
            later = torch.triu(torch.ones(length, length, dtype=torch.bool), 1)
            scores = scores.masked_fill(later, float("-inf"))
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(batch, length, width))


class Running(nn.Module):
    """Keeps the sum of all that it has seen in a buffer."""

    def __init__(self, width):
        super().__init__()
        self.register_buffer("total", torch.zeros(width))

    def forward(self, x):
        self.total += x.sum(0)
        return x - self.total


class LastHidden(nn.Module):
    """A recurrence, and a layer on its last step."""

    def __init__(self, recurrence, width):
        super().__init__()
        self.recurrence, self.out = recurrence, nn.Linear(width, 3)

    def forward(self, x):
        return self.out(self.recurrence(x)[0][:, -1])


def N(*shape, dtype=None):
    """An input drawn from the normal distribution."""
    return lambda: torch.randn(*shape, dtype=dtype)


def U(*shape, low=0.0, high=1.0):
    return lambda: torch.rand(*shape) * (high - low) + low


def I(below, *shape, low=0, dtype=torch.int64):  # noqa: E743
    return lambda: torch.randint(low, below, shape, dtype=dtype)


def B(*shape):
    return lambda: torch.randint(0, 2, shape).bool()


half, bf16, f64, i32 = torch.float16, torch.bfloat16, torch.float64, torch.int32


def table():
    """Yields name, maker of the module, makers of inputs, grouped by form."""
    # Contractions.
    yield "matmul", lambda: Of(torch.matmul), N(7, 13), N(13, 9)
    yield "matmul-transposed-a", lambda: Of(lambda a, b: a.T @ b), N(13, 7), N(13, 9)
    yield "matmul-transposed-b", lambda: Of(lambda a, b: a @ b.T), N(11, 11), N(11, 11)
    yield "matmul-both-transposed", lambda: Of(lambda a, b: a.T @ b.T), N(13, 7), N(9, 13)
    yield "matmul-long-k", lambda: Of(torch.matmul), N(3, 700), N(700, 5)
    yield "matmul-vector", lambda: Of(torch.mv), N(19, 37), N(37)
    yield "dot", lambda: Of(torch.dot), N(301), N(301)
    yield "outer-scaled", lambda: Of(lambda a, b: torch.outer(a, b) * 0.3), N(17), N(6)
    yield "matmul-diagonal", lambda: Of(lambda d, b: torch.diag(d) @ b), N(9), N(9, 7)
    yield "matmul-triangular", lambda: Of(lambda a, b: torch.tril(torch.tril(a) @ torch.tril(b))), N(13, 13), N(13, 13)
    yield "batch-matmul", lambda: Of(torch.bmm), N(3, 5, 17), N(3, 17, 6)
    yield "matmul-4d-by-matrix", lambda: Of(torch.matmul), N(2, 3, 5, 11), N(11, 4)
    yield "einsum-5", lambda: Of(lambda a, b: torch.einsum("bijl,lk->bijk", a, b)), N(2, 3, 4, 7), N(7, 5)
    yield "addmm", lambda: Of(torch.addmm), N(6), N(5, 9), N(9, 6)
    yield "linear-gelu-scale", lambda: Of(lambda l, x: F.gelu(l(x)) * 2.0 + x.mean(), nn.Linear(23, 15)), N(6, 23)
    yield "mlp", lambda: nn.Sequential(nn.Linear(12, 33), nn.ReLU(), nn.Linear(33, 12), nn.Tanh(), nn.Linear(12, 5)), N(7, 12)
    yield "bilinear", lambda: nn.Bilinear(5, 7, 3), N(4, 5), N(4, 7)
    yield "two-users-of-a-product", lambda: Of(lambda a, b: (F.relu(a @ b), (a @ b).sum(1))), N(6, 8), N(8, 5)

    # Convolutions.
    yield "conv1d-dilated", lambda: nn.Conv1d(3, 5, 3, stride=2, dilation=3), N(2, 3, 29)
    yield "conv1d-grouped-circular", lambda: nn.Conv1d(4, 6, 3, groups=2, padding=1, padding_mode="circular"), N(2, 4, 11)
    yield "conv2d", lambda: nn.Conv2d(3, 7, 3, padding=1), N(2, 3, 9, 11)
    yield "conv2d-no-bias-asymmetric", lambda: nn.Conv2d(3, 4, (3, 5), (2, 1), (1, 2), (1, 2), bias=False), N(2, 3, 13, 17)
    yield "conv2d-pointwise", lambda: nn.Conv2d(9, 5, 1), N(2, 9, 6, 7)
    yield "conv2d-patches", lambda: nn.Conv2d(3, 6, 4, stride=4), N(2, 3, 12, 8)
    yield "conv2d-grouped", lambda: nn.Conv2d(6, 9, 3, groups=3, padding=1), N(2, 6, 7, 5)
    yield "conv2d-depthwise", lambda: nn.Conv2d(5, 5, 3, stride=2, groups=5), N(2, 5, 11, 9)
    yield "conv2d-depthwise-multiplier", lambda: nn.Conv2d(3, 6, 3, groups=3, bias=False), N(2, 3, 8, 7)
    yield "conv2d-separable", lambda: nn.Sequential(nn.Conv2d(4, 4, 3, padding=2, dilation=2, groups=4), nn.Conv2d(4, 7, 1)), N(2, 4, 9, 8)
    yield "conv3d", lambda: nn.Conv3d(2, 3, (2, 3, 3), padding=(0, 1, 1)), N(2, 2, 5, 6, 7)
    yield "conv3d-grouped-strided", lambda: nn.Conv3d(4, 4, 3, stride=2, groups=2), N(1, 4, 7, 7, 5)
    yield "conv-transposed1d", lambda: nn.ConvTranspose1d(3, 4, 4, stride=2, padding=1), N(2, 3, 9)
    yield "conv-transposed1d-dilated", lambda: nn.ConvTranspose1d(3, 2, 3, stride=2, dilation=3), N(2, 3, 7)
    yield "conv-transposed2d", lambda: nn.ConvTranspose2d(3, 5, 3, stride=2, padding=1, output_padding=1), N(2, 3, 5, 6)
    yield "conv-transposed2d-asymmetric", lambda: nn.ConvTranspose2d(2, 3, (3, 5), (3, 1), (1, 2), bias=False), N(2, 2, 4, 7)
    yield "conv-transposed2d-grouped", lambda: nn.ConvTranspose2d(4, 6, 3, stride=2, groups=2), N(1, 4, 4, 5)
    yield "conv-transposed3d", lambda: nn.ConvTranspose3d(2, 3, 3, stride=2, padding=1), N(1, 2, 3, 4, 3)
    yield "conv-transposed3d-grouped", lambda: nn.ConvTranspose3d(4, 4, 3, groups=2), N(1, 4, 3, 3, 4)
    yield "conv-norm-activation", lambda: nn.Sequential(nn.Conv2d(3, 6, 3, bias=False), nn.BatchNorm2d(6), nn.Hardswish()), N(3, 3, 7, 6)
    yield "conv-pool-linear", lambda: nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(36, 5)), N(2, 1, 8, 8)
    yield "residual", lambda: Residual(nn.Conv2d(4, 4, 3, padding=1), nn.ReLU(), nn.Conv2d(4, 4, 3, padding=1)), N(2, 4, 6, 5)

    # Windows.
    yield "max-pool1d", lambda: nn.MaxPool1d(3, stride=2, padding=1, dilation=2), N(2, 3, 17)
    yield "max-pool2d", lambda: nn.MaxPool2d((2, 3), stride=(2, 1), padding=(1, 1)), N(2, 3, 9, 7)
    yield "max-pool3d", lambda: nn.MaxPool3d(2), N(1, 3, 5, 6, 4)
    yield "average-pool1d", lambda: nn.AvgPool1d(4, stride=3, padding=2), N(2, 3, 14)
    yield "average-pool2d", lambda: nn.AvgPool2d(3, stride=2, padding=1, count_include_pad=False), N(2, 3, 8, 9)
    yield "average-pool3d", lambda: nn.AvgPool3d((1, 2, 3)), N(1, 2, 3, 6, 7)
    yield "adaptive-average-pool", lambda: nn.AdaptiveAvgPool2d(1), N(2, 5, 6, 7)

    # Reductions and scans.
    yield "sum-all", lambda: Of(torch.sum), N(3, 5, 7)
    yield "sum-rows", lambda: Of(lambda x: x.sum(-1)), N(9, 131)
    yield "sum-columns", lambda: Of(lambda x: x.sum(0)), N(131, 9)
    yield "sum-middle-kept", lambda: Of(lambda x: x.sum(1, keepdim=True)), N(3, 37, 5)
    yield "sum-of-outer-axes", lambda: Of(lambda x: x.sum((0, 2))), N(5, 3, 7, 2)
    yield "product", lambda: Of(lambda x: x.prod(1)), U(4, 6, low=0.5, high=1.5)
    yield "minimum-and-maximum", lambda: Of(lambda x: (x.amin(0), x.amax(1), x.max())), N(11, 6)
    yield "mean-and-variance", lambda: Of(lambda x: (x.mean(1), x.var(1, correction=0), x.std(0))), N(8, 35)
    yield "norms", lambda: Of(lambda x: (x.norm(), x.abs().sum(1), x.norm(dim=0))), N(6, 21)
    yield "logsumexp", lambda: Of(lambda x: torch.logsumexp(x, 1)), N(5, 43)
    yield "argmax", lambda: Of(lambda x: x.argmax(1)), N(4, 29, 3)
    yield "argmin", lambda: Of(lambda x: x.argmin(0)), N(13, 6)
    yield "max-with-index", lambda: Of(lambda x: torch.max(x, 1)), N(6, 17)
    yield "any-and-all", lambda: Of(lambda x: ((x > 0).any(1), (x > -2).all(0))), N(6, 5)
    yield "cumulative-sum", lambda: Of(lambda x: x.cumsum(1)), N(4, 133)
    yield "cumulative-sum-of-columns", lambda: Of(lambda x: x.cumsum(0)), N(21, 5)
    yield "cumulative-product", lambda: Of(lambda x: x.cumprod(1)), U(3, 17, low=0.7, high=1.2)
    yield "cumulative-sum-reversed", lambda: Of(lambda x: x.flip(1).cumsum(1).flip(1)), N(3, 19)
    yield "cumulative-sum-exclusive", lambda: Of(lambda x: torch.cat((torch.zeros_like(x[:, :1]), x), 1)[:, :-1].cumsum(1)), N(3, 15)
    yield "cumulative-sum-masked", lambda: Of(lambda x, mask: (x * mask).cumsum(1)), N(4, 18), B(4, 18)

    # Norms and softmaxes.
    yield "softmax", lambda: nn.Softmax(dim=1), N(5, 77)
    yield "softmax-of-columns", lambda: nn.Softmax(dim=0), N(19, 6)
    yield "log-softmax", lambda: nn.LogSoftmax(dim=-1), N(3, 4, 25)
    yield "layer-norm", lambda: nn.LayerNorm((5, 7)), N(4, 5, 7)
    yield "batch-norm1d", lambda: nn.BatchNorm1d(9), N(14, 9)
    yield "batch-norm3d", lambda: nn.BatchNorm3d(3), N(2, 3, 4, 3, 5)
    yield "group-norm", lambda: nn.GroupNorm(3, 6), N(2, 6, 5, 4)
    yield "group-norm-of-a-matrix", lambda: nn.GroupNorm(2, 10), N(5, 10)
    yield "instance-norm", lambda: nn.InstanceNorm2d(4, affine=True), N(2, 4, 6, 5)
    yield "rms-norm", lambda: Of(lambda x: x / (x.pow(2).mean(1, keepdim=True) + 1e-5).sqrt()), N(3, 11, 4)
    yield "frobenius-norm", lambda: Of(lambda x: x / x.norm(p="fro")), N(3, 5, 4)
    yield "normalize-rows", lambda: Of(lambda x: F.normalize(x, p=1.0, dim=1)), N(7, 12)

    # Elementwise.
    yield "activations", lambda: Of(lambda x: F.silu(x) + F.elu(x) * F.softplus(x) - F.mish(x)), N(4, 33)
    yield "activations-clipped", lambda: Of(lambda x: F.hardtanh(x) + F.hardsigmoid(x) * F.leaky_relu(x, 0.1) + F.selu(x)), N(4, 33)
    yield "powers", lambda: Of(lambda x: x**2 + x**-1 + (x**0.5).log1p() + x.rsqrt()), U(3, 17, low=0.5, high=2.0)
    yield "trigonometry", lambda: Of(lambda x: x.sin() * x.cos() + x.atan() + x.erf() + x.expm1()), N(3, 17)
    yield "broadcast-chain", lambda: Of(lambda x, row, column: (x + row) * column - x.sign()), N(5, 13), N(13), N(5, 1)
    yield "clamp-and-where", lambda: Of(lambda x, y: torch.where(x > y, x.clamp(-1, 0.5), y.abs())), N(7, 9), N(7, 9)
    yield "rounding", lambda: Of(lambda x: x.floor() + x.ceil() * 0.5 + x.round() * 0.25), U(5, 11, low=-3.0, high=3.0)

    # Movement.
    yield "transpose-3d", lambda: Of(lambda x: x.permute(2, 0, 1).contiguous()), N(3, 5, 7)
    yield "flip", lambda: Of(lambda x: x.flip([0, 2]) + 1), N(3, 4, 5)
    yield "pad-constant", lambda: Of(lambda x: F.pad(x, (1, 2, 0, 3), value=1.5) * 2), N(2, 4, 5)
    yield "pad-reflect", lambda: Of(lambda x: F.pad(x, (2, 1), mode="reflect")), N(2, 3, 7)
    yield "slice-strided", lambda: Of(lambda x: x[:, 1:10:3] * x[:, 0:9:3]), N(4, 11)
    yield "concatenate", lambda: Of(lambda a, b, c: torch.cat((a, b.relu(), c), 1)), N(3, 4, 2), N(3, 1, 2), N(3, 5, 2)
    yield "stack-and-split", lambda: Of(lambda a, b: torch.stack((a, b), 1).split(2, -1)[1].sum(1)), N(3, 6), N(3, 6)
    yield "roll-and-repeat", lambda: Of(lambda x: x.roll(2, 1).repeat(2, 1)), N(3, 7)
    yield "pixel-shuffle", lambda: nn.PixelShuffle(2), N(1, 8, 3, 4)
    yield "channel-shuffle", lambda: Of(lambda x: x.view(2, 3, 2, 4, 5).transpose(1, 2).reshape(2, 6, 4, 5)), N(2, 6, 4, 5)
    yield "embedding", lambda: nn.Embedding(13, 7), I(13, 4, 5)
    yield "gather", lambda: Of(lambda x, at: x.gather(1, at)), N(4, 9), I(9, 4, 3)
    yield "index-select", lambda: Of(lambda x, at: x.index_select(0, at).exp()), N(7, 5), I(7, 6)
    yield "one-hot-compare", lambda: Of(lambda at: (at.unsqueeze(1) == torch.arange(6)).float()), I(6, 9)

    # Losses.
    yield "mse-loss", lambda: nn.MSELoss(), N(7, 19), N(7, 19)
    yield "huber-loss", lambda: nn.SmoothL1Loss(), N(7, 19), N(7, 19)
    yield "cross-entropy", lambda: nn.CrossEntropyLoss(), N(9, 6), I(6, 9)
    yield "kl-divergence", lambda: Of(lambda p, q: F.kl_div(p.log_softmax(1), q.softmax(1), reduction="batchmean")), N(5, 11), N(5, 11)
    yield "hinge-loss", lambda: Of(lambda x, y: (1 - x * (2 * y - 1)).clamp(min=0).mean()), N(31), I(2, 31)
    yield "triplet-loss", lambda: nn.TripletMarginLoss(margin=1.0), N(6, 8), N(6, 8), N(6, 8)
    yield "cosine-loss", lambda: Of(lambda a, b: (1 - F.cosine_similarity(a, b, dim=1)).mean()), N(6, 15), N(6, 15)

    # Networks.
    yield "attention", lambda: Attention(12, 3, False), N(2, 7, 12)
    yield "attention-causal", lambda: Attention(8, 2, True), N(2, 9, 8)
    yield "attention-built-in", lambda: Of(F.scaled_dot_product_attention), N(2, 3, 5, 8), N(2, 3, 7, 8), N(2, 3, 7, 8)
    yield "transformer-layer", lambda: nn.TransformerEncoderLayer(8, 2, 13, dropout=0.0, batch_first=True), N(2, 5, 8)
    yield "lstm-cell", lambda: nn.LSTMCell(5, 7), N(3, 5)
    yield "lstm", lambda: LastHidden(nn.LSTM(4, 6, 2, batch_first=True), 6), N(2, 3, 4)
    yield "gru-bidirectional", lambda: LastHidden(nn.GRU(4, 5, bidirectional=True, batch_first=True), 10), N(2, 3, 4)
    yield "rnn", lambda: LastHidden(nn.RNN(4, 6, batch_first=True), 6), N(2, 4, 4)
    yield "squeeze-and-excite", lambda: Of(lambda d, u, x: x * u(d(x.mean((2, 3))).relu()).sigmoid()[:, :, None, None], nn.Linear(6, 2), nn.Linear(2, 6)), N(2, 6, 5, 4)
    yield "written-buffer", lambda: Running(6), N(5, 6)

    # Element types.
    yield "f16-linear", lambda: nn.Linear(21, 9, dtype=half), N(6, 21, dtype=half)
    yield "f16-softmax", lambda: nn.Softmax(dim=1), N(4, 31, dtype=half)
    yield "bf16-matmul", lambda: Of(torch.matmul), N(9, 19, dtype=bf16), N(19, 7, dtype=bf16)
    yield "bf16-chain", lambda: Of(lambda x, y: F.relu(x) * y + 0.5), N(5, 15, dtype=bf16), N(15, dtype=bf16)
    yield "f64-sum", lambda: Of(lambda x: (x.sum(1), x.exp())), N(4, 23, dtype=f64)
    yield "f64-matmul", lambda: Of(torch.matmul), N(6, 11, dtype=f64), N(11, 5, dtype=f64)
    yield "i64-sums", lambda: Of(lambda x, y: ((x * y - 3).sum(1), torch.maximum(x, y), x.cumsum(0))), I(50, 5, 9, low=-50), I(50, 5, 9)
    yield "i32-chain", lambda: Of(lambda x, y: (x + y) * 3 - (x & y)), I(99, 4, 11, dtype=i32), I(99, 4, 11, dtype=i32)
    yield "i64-division", lambda: Of(lambda x, y: (torch.div(x, y, rounding_mode="trunc"), x % y)), I(90, 3, 11), I(9, 3, 11, low=1)
    yield "bool-logic", lambda: Of(lambda a, b: ((a & ~b) | (a ^ b), a.sum(1))), B(6, 9), B(6, 9)
    yield "mixed-types", lambda: Of(lambda x, n, mask: (x * n + mask).to(half)), N(4, 13), I(7, 4, 13), B(4, 13)


def _import(name, make, *inputs):
    module = types.SimpleNamespace(Model=make, get_inputs=lambda: [each() for each in inputs])
    return payload.payload_text(name, *export.export(name, module, False))


def main():
    parser = argparse.ArgumentParser(description="Imports the corpus.")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("-o", "--output", metavar="DIR")
    parser.add_argument("--shard", default="1/1", metavar="I/N")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    first, step = map(int, options.shard.split("/"))
    chosen = list(table())[first - 1 :: step]
    chosen = [line for line in chosen if not options.names or line[0] in options.names]
    if options.list:
        print(*(line[0] for line in chosen), sep="\n")
        return 0
    if len(set(line[0] for line in table())) != len(list(table())):
        sys.exit("two modules of the table have one name")
    os.makedirs(options.output, exist_ok=True)
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    torch.set_num_threads(1)
    failed = 0
    for line in chosen:
        try:
            text = _import(*line)
        except Exception as error:  # Whatever torch raises: the others go on.
            print(f"{line[0]}: {type(error).__name__}: {str(error).splitlines()[0]}")
            failed += 1
            continue
        with open(os.path.join(options.output, line[0] + ".mlir"), "w", encoding="utf-8") as file:
            file.write(text)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
