import numpy as np


def masked_token_loss(logits, tokens, draws, replacements, mask_id):
    chosen = draws[:, 0] < 0.15
    how = draws[:, 1]
    # Of the chosen tokens 80 % are hidden, 10 % become another one, 10 % stay as they are.
    changed = np.where(how < 0.8, mask_id, np.where(how < 0.9, replacements, tokens))
    inputs = np.where(chosen, changed, tokens)

    shifted = logits - logits.max(axis=1, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    # All chosen tokens count, also those that were left as they are; the others do not.
    losses = [-logs[i, int(tokens[i])] for i in range(len(tokens)) if chosen[i]]
    return inputs, sum(losses) / len(losses) if losses else 0.0
