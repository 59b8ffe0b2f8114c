function maskedSoftmax(scores, mask) {
  const kept = scores.map((score, i, j) => (mask.get(i, j) === 0 ? -Infinity : score));
  // In an empty row exp(-∞ - 0) is 0, where -∞ - (-∞) would be NaN.
  const largest = kept.maxRows().map((x) => (x === -Infinity ? 0 : x));
  const weights = kept.minus(largest).exp();
  const total = weights.sumRows().map((x) => (x === 0 ? 1 : x));
  return weights.div(total);
}
