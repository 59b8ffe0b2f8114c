# Ensure tensors are on same device
device = x.device
mask = mask.to(device)
cache = cache.to(device)
