import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.GroupNorm(3, 6)

    def forward(self, x):
        return self.norm(x)


def get_inputs():
    return [torch.rand(4, 6)]
