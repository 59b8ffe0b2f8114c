function attentionWithDropout(Q, K, V, keep, p, training = true) {
  const scores = Q.times(K.transpose()).div(Math.sqrt(K.cols));
  const exps = scores.minus(scores.maxRows()).exp();
  let weights = exps.div(exps.sumRows());
  // What stays grows by as much as is missing on average; rows are not normalised again.
  if (training) weights = weights.mul(keep).div(1 - p);
  return [weights.times(V), weights];
}
