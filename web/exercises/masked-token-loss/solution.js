function maskedTokenLoss(logits, tokens, draws, replacements, maskId) {
  const inputs = tokens.clone();
  let loss = 0;
  let count = 0;
  for (let i = 0; i < tokens.cols; i++) {
    if (draws.get(i, 0) >= 0.15) continue;
    // Of the chosen tokens 80 % are hidden, 10 % become another one, 10 % stay as they are.
    const how = draws.get(i, 1);
    if (how < 0.8) inputs.set(0, i, maskId);
    else if (how < 0.9) inputs.set(0, i, replacements.get(0, i));
    // All chosen tokens count, also those that were left as they are; the others do not.
    const row = logits.row(i);
    const largest = row.max();
    const total = row.minus(largest).exp().sum();
    loss += largest + Math.log(total) - row.get(0, tokens.get(0, i));
    count++;
  }
  return [inputs, count > 0 ? loss / count : 0];
}
