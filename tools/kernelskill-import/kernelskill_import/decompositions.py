"""Which operations are expressed by others before torch-mlir, and how."""
import torch
from torch_mlir.extras.fx_decomp_util import get_decomposition_table


def _native_group_norm(x, weight, bias, n, channels, spatial, groups, epsilon):
    """Normalizes over each group by static reshapes that only split dimensions.

    PyTorch's own form joins channels and space in the reshape that splits the
    groups; torch-mlir takes minutes over that, or gathers through an index
    tensor.
    """
    split = x.reshape([n, groups, channels // groups, *x.shape[2:]])
    over = list(range(2, split.dim()))
    mean = torch.mean(split, over, keepdim=True)
    reciprocal = torch.rsqrt(torch.var(split, over, correction=0, keepdim=True) + epsilon)
    y = ((split - mean) * reciprocal).reshape(x.shape)
    affine = [1, channels] + [1] * (x.dim() - 2)
    if weight is not None:
        y = y * weight.reshape(affine)
    if bias is not None:
        y = y + bias.reshape(affine)
    return y, mean.reshape([n, groups]), reciprocal.reshape([n, groups])


def table():
    """torch-mlir's table, with our own forms in it."""
    decompositions = get_decomposition_table()
    decompositions[torch.ops.aten.native_group_norm.default] = _native_group_norm
    return decompositions
