import torch


class Model(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x
        return -x


def get_inputs():
    return [torch.rand(8)]
