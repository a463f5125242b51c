"""The hyperbolic tangent: where a library call for each element may cost more than memory."""
import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.tanh(x)


rows = 8192
columns = 16384


def get_inputs():
    return [torch.randn(rows, columns)]
