"""Dropout in training mode, and random numbers: arguments of the program."""
import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = torch.nn.Dropout(0.1)
        self.none = torch.nn.Dropout(0.0)

    def forward(self, x):
        y = self.drop(x) + torch.randn(x.shape, device=x.device)
        return self.none(torch.nn.functional.dropout(y, 0.5) + torch.rand_like(x))


rows = 4096


def get_inputs():
    return [torch.rand(rows, 8)]


def get_init_inputs():
    return []
