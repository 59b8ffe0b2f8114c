function rowSoftmax(scores) {
  const weights = scores.minus(scores.maxRows()).exp();
  return weights.div(weights.sumRows());
}

const meanOfMaxima = (weights) => weights.maxRows().sum() / weights.rows;

function meanEntropy(weights) {
  // 0·ln 0 counts as 0.
  const terms = weights.map((weight) => (weight === 0 ? 0 : -weight * Math.log(weight)));
  return terms.sum() / weights.rows;
}

function experimentScalingFactor(Q, K) {
  const scores = Q.times(K.transpose());
  const unscaled = rowSoftmax(scores);
  const scaled = rowSoftmax(scores.div(Math.sqrt(K.cols)));
  return {
    max_unscaled: meanOfMaxima(unscaled),
    max_scaled: meanOfMaxima(scaled),
    entropy_unscaled: meanEntropy(unscaled),
    entropy_scaled: meanEntropy(scaled),
  };
}
