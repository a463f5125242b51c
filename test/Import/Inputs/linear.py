"""A layer with weights, a buffer that is written, and a number as input."""
import torch

width = 6
half = width // 2
count: int = 4
low, high = 1, 5


class Model(torch.nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.layer = torch.nn.Linear(inputs, outputs)
        self.gain = torch.nn.Parameter(torch.randn(outputs) * 0.25)
        self.bias = torch.nn.Parameter(torch.full((outputs,), 2.0))
        self.register_buffer("calls", torch.zeros(outputs))

    def forward(self, x, indices, factor):
        self.calls.add_(1.0)
        y = self.layer(x) * self.gain + self.bias
        if self.training:
            y = torch.relu(y)
        return y * factor, indices + 1


def get_inputs():
    return [3 * torch.rand(count, width) - 1, torch.randint(low, high, (count,)), 0.5]


def get_init_inputs():
    return [width, half]
