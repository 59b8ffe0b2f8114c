function nadarayaWatson(Q, K, V, gamma) {
  const squared = Q.times(K.transpose())
    .mul(-2)
    .plus(Q.mul(Q).sumRows())
    .plus(K.mul(K).sumRows().transpose());
  const exponents = squared.mul(-gamma);
  // As in softmax: far from every key all values would underflow.
  const values = exponents.minus(exponents.maxRows()).exp();
  const weights = values.div(values.sumRows());
  return [weights.times(V), weights];
}
