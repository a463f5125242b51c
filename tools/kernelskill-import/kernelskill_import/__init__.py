"""From a PyTorch module to a payload of linalg on tensors, through torch-mlir."""
