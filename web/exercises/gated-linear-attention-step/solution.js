function gatedLinearAttentionStep(S, q, k, v, alpha) {
  // The gate meets what was there, never what the token writes.
  const grown = S.mul(alpha.transpose()).plus(k.transpose().times(v));
  return [q.times(grown).div(Math.sqrt(q.cols)), grown];
}
