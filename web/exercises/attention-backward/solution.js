function attentionBackward(Q, K, V, dO) {
  const scale = 1 / Math.sqrt(K.cols);
  const scores = Q.times(K.transpose()).mul(scale);
  const exps = scores.minus(scores.maxRows()).exp();
  const P = exps.div(exps.sumRows());
  const dP = dO.times(V.transpose());
  // A row of weights sums to 1: one can only grow at the cost of the others.
  const dS = P.mul(dP.minus(P.mul(dP).sumRows()));
  const dV = P.transpose().times(dO);
  return [dS.times(K).mul(scale), dS.transpose().times(Q).mul(scale), dV];
}
