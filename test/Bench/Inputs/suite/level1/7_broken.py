"""Its payload is no program."""
import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x + x


rows = 4096


def get_inputs():
    return [torch.rand(rows, 8)]


def get_init_inputs():
    return []
