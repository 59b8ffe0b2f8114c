function attention(Q, K, V, mask = null, scale = true) {
  let scores = Q.times(K.transpose());
  if (scale) scores = scores.div(Math.sqrt(K.cols));
  if (mask) scores = scores.map((score, i, j) => (mask.get(i, j) === 0 ? -Infinity : score));
  // Softmax of each row; without its maximum exp would overflow.
  let weights = scores.minus(scores.maxRows()).exp();
  weights = weights.div(weights.sumRows());
  return [weights.times(V), weights];
}
