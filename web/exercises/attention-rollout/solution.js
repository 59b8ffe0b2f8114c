function attentionRollout(weights, numHeads, residual) {
  const n = weights[0].rows;
  const same = Matrix.identity(n);
  let rollout = same;
  for (let first = 0; first < weights.length; first += numHeads) {
    let layer = Matrix.zeros(n, n);
    for (const head of weights.slice(first, first + numHeads)) layer = layer.plus(head);
    // Each layer keeps a share of what stood there, and mixes the rest by its weights.
    const mixing = same.mul(residual).plus(layer.mul((1 - residual) / numHeads));
    // The later layer reads what the earlier ones made: it stands on the left.
    rollout = mixing.times(rollout);
  }
  return rollout;
}
