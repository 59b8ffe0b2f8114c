function stableSoftmax(logits) {
  // The largest exp of each row is exp(0) = 1.
  const weights = logits.minus(logits.maxRows()).exp();
  return weights.div(weights.sumRows());
}
