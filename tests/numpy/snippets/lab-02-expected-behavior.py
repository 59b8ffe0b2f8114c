# These should be mathematically equivalent (no feature map)
Q, K, V = random_tensors(seq_len=100, d_model=64)

# Standard order - forms (n,n) matrix
out1, attn_matrix = standard_attention_order(Q, K, V)
print(attn_matrix.shape)  # (100, 100)

# Linear order - never forms (n,n) matrix
out2 = linear_attention_order(Q, K, V, feature_map=identity)

# With identity feature map and no normalization, these should match
np.testing.assert_allclose(out1, out2, rtol=1e-5)
