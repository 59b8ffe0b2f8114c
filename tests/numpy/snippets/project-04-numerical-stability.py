# Bad: Can cause overflow
scores = torch.exp(logits)

# Good: Subtract max before exp
logits_max = logits.max(dim=-1, keepdim=True)[0]
scores = torch.exp(logits - logits_max)
