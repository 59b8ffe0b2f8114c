# What snippets of the texts take for granted: small enough to be read, and each with the trouble that its snippet is
# about (logits that overflow, a query that sees nothing).
import torch

logits = torch.tensor([[1000.0, 999.0, 0.0], [1.0, 2.0, 3.0]])
scores = torch.tensor([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [0.0, 0.0, 0.0]])
mask = torch.tensor([[1, 0, 0], [1, 1, 0], [0, 0, 0]])
attention_weights = torch.softmax(scores.masked_fill(mask == 0, float("-inf")), dim=-1)
