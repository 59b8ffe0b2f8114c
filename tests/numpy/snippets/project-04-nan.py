# If entire row is masked, softmax produces NaN
# Replace NaN with 0
attention_weights = attention_weights.masked_fill(torch.isnan(attention_weights), 0.0)
