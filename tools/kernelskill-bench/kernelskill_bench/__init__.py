"""Programs of KernelSkill against the PyTorch modules that they came from."""
