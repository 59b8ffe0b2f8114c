# Solution: Check for -inf in masked positions
scores = scores.masked_fill(mask == 0, -1e9)  # Use -1e9 instead of -inf
