import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.LSTM(4, 4, batch_first=True)

    def forward(self, x):
        return self.layer(x)[0]


def get_inputs():
    return [torch.rand(2, 300, 4)]
