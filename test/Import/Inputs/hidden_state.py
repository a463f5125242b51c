import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = torch.zeros(2, 4)

    def forward(self, x):
        self.hidden = torch.tanh(x + self.hidden)
        return self.hidden * 2


def get_inputs():
    return [torch.rand(2, 4)]
