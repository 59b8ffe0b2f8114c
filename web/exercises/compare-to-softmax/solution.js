function compareToSoftmax(Q, K, featureMap) {
  const logits = Q.times(K.transpose()).div(Math.sqrt(Q.cols));
  const powers = logits.minus(logits.maxRows()).exp();
  const softmax = powers.div(powers.sumRows());

  const scores = featureMap(Q).times(featureMap(K).transpose());
  const implicit = scores.div(scores.sumRows().plus(1e-6));

  const difference = implicit.minus(softmax);
  return {
    mse: mean(difference.mul(difference)),
    max_diff: difference.map(Math.abs).max(),
    correlation: correlation(implicit, softmax),
  };
}

function mean(A) {
  return A.sum() / (A.rows * A.cols);
}

/** Pearson's, of all cells. */
function correlation(A, B) {
  const a = A.minus(mean(A));
  const b = B.minus(mean(B));
  return a.mul(b).sum() / Math.sqrt(a.mul(a).sum() * b.mul(b).sum());
}
