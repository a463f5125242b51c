"""Three times the input: the program of payload 2 doubles it, so it is wrong."""
import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x * 3


rows = 4096


def get_inputs():
    return [torch.rand(rows, 8)]


def get_init_inputs():
    return []
