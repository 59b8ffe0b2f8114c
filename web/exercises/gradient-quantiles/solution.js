function quantile(numbers, p) {
  const rising = Array.from(numbers).sort((a, b) => a - b);
  const place = p * (rising.length - 1);
  const below = Math.floor(place);
  const low = rising[below];
  const high = rising[Math.min(below + 1, rising.length - 1)];
  return low + (place - below) * (high - low);
}

function gradientQuantiles(Q, K, V, dO, scale = true) {
  const factor = scale ? 1 / Math.sqrt(K.cols) : 1;
  const scores = Q.times(K.transpose()).mul(factor);
  const exps = scores.minus(scores.maxRows()).exp();
  const P = exps.div(exps.sumRows());
  const dP = dO.times(V.transpose());
  const dS = P.mul(dP.minus(P.mul(dP).sumRows()));
  const dQ = dS.times(K).mul(factor);
  const norms = dQ.mul(dQ).sumRows().sqrt().data;
  const mean = norms.reduce((sum, norm) => sum + norm, 0) / norms.length;
  return {
    mean,
    tenth: quantile(norms, 0.1),
    median: quantile(norms, 0.5),
    ninetieth: quantile(norms, 0.9),
  };
}
