from feature_maps import *

Q = np.random.randn(100, 64).astype(np.float32)
K = np.random.randn(100, 64).astype(np.float32)
V = np.random.randn(100, 64).astype(np.float32)

# Compare different feature maps
for fm_name, fm in [('ELU+1', elu_plus_one),
                     ('ReLU', relu_feature_map),
                     ('Squared ReLU', squared_relu_feature_map)]:
    metrics = compare_to_softmax(Q, K, fm)
    print(f"{fm_name}: MSE={metrics['mse']:.4f}, corr={metrics['correlation']:.3f}")

# Output:
# ELU+1: MSE=0.0823, corr=0.712
# ReLU: MSE=0.1245, corr=0.534
# Squared ReLU: MSE=0.0912, corr=0.689
