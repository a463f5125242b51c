"""Random numbers that a module draws in forward(): drawn beforehand, for the program and for the module alike."""

import contextlib

import torch
import torch.nn.functional as F
from torch.overrides import TorchFunctionMode

_LIKE = (torch.rand_like, torch.randn_like)
_DRAWS = (torch.rand, torch.randn, *_LIKE)


def draw(described, dtype, device):
    """The values of a program's random argument, from the generator's state on, as the module draws them."""
    shape, draw = described["shape"], described["draw"]
    if draw["draw"] == "dropout":
        return F.dropout(torch.ones(shape, dtype=dtype, device=device), round(1 - 1 / draw["scale"], 12))
    make = {"normal": torch.randn, "uniform": torch.rand}.get(draw["draw"])
    if make is None:
        raise RuntimeError(f"the program's argument '{described['name']}' is random, but drawn as {draw['draw']}")
    return make(shape, dtype=dtype, device=device)


class _Replay(TorchFunctionMode):
    """Gives forward() numbers drawn before, in the order of its draws."""

    def __init__(self, drawn):
        super().__init__()
        self.left = list(drawn)

    def next(self, what, like):
        if not self.left or self.left[0].shape != like.shape:
            raise RuntimeError(f"the module draws {list(like.shape)} by {what}, the program expects "
                               f"{list(self.left[0].shape) if self.left else 'no more draws'}")
        return self.left.pop(0).to(like.dtype)

    def dropout(self, input, p=0.5, training=True, inplace=False):
        if not training or p == 0:
            return input
        mask = self.next("dropout", input)
        return input.mul_(mask) if inplace else input * mask

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func is F.dropout:
            return self.dropout(*args, **kwargs)
        if func not in _DRAWS:
            return func(*args, **kwargs)
        device = kwargs.get("device") or (args[0].device if func in _LIKE else torch.get_default_device())
        # Shape and type, without a draw.
        like = func(*args, **{**kwargs, "device": "meta"})
        return self.next(func.__name__, like).to(device)


@contextlib.contextmanager
def replay(drawn):
    """Within, a module draws these; without any, what it likes."""
    if not drawn:
        yield
        return
    mode = _Replay(drawn)
    with mode:
        yield
    if mode.left:
        raise RuntimeError(f"the program has {len(drawn)} random arguments, the module draws {len(drawn) - len(mode.left)}")
