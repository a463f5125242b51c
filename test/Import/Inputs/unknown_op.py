import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.linalg.eigvals(x)


def get_inputs():
    return [torch.rand(8, 8)]
