function analyzeFeatureMapQuality(featureMap, Q, K, V) {
  const logits = Q.times(K.transpose()).div(Math.sqrt(Q.cols));
  const powers = logits.minus(logits.maxRows()).exp();
  const softmax = powers.div(powers.sumRows());

  const scores = featureMap(Q).times(featureMap(K).transpose());
  const sums = scores.sumRows();
  const implicit = scores.div(sums.plus(1e-6));

  const wanted = softmax.times(V);
  const output = implicit.times(V);
  return {
    output_error: norm(output.minus(wanted)) / norm(wanted),
    output_cosine: output.mul(wanted).sum() / (norm(output) * norm(wanted)),
    correlation: correlation(implicit, softmax),
    negative_weights: share(implicit, (weight) => weight < 0),
    negative_denominators: share(sums, (sum) => sum < 0),
    zero_denominators: share(sums, (sum) => sum === 0),
  };
}

function mean(A) {
  return A.sum() / (A.rows * A.cols);
}

function norm(A) {
  return Math.sqrt(A.mul(A).sum());
}

/** Of all entries, those that pass the test. */
function share(A, test) {
  return mean(A.map((value) => (test(value) ? 1 : 0)));
}

/** Pearson's, of all cells. */
function correlation(A, B) {
  const a = A.minus(mean(A));
  const b = B.minus(mean(B));
  return a.mul(b).sum() / (norm(a) * norm(b));
}
