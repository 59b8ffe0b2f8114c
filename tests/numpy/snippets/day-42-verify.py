import torch
import matplotlib.pyplot as plt
import seaborn as sns
print(f'PyTorch version: {torch.__version__}')
print(f'CUDA available: {torch.cuda.is_available()}')
if torch.cuda.is_available():
    print(f'CUDA device: {torch.cuda.get_device_name(0)}')
print('✅ All dependencies installed successfully!')
