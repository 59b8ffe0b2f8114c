function entropyPerHead(weights) {
  const means = [];
  const shares = [];
  for (const head of weights) {
    const n = head.rows;
    // 0·ln 0 counts as 0.
    const entropies = head.map((w) => (w > 0 ? -w * Math.log(w) : 0)).sumRows();
    let share = 0;
    // Row i sees i + 1 keys. Row 0 has no choice: its largest entropy is 0, so it has no share.
    for (let i = 1; i < n; i++) share += entropies.get(i, 0) / Math.log(i + 1);
    means.push(entropies.sum() / n);
    shares.push(share / (n - 1));
  }
  return [Matrix.from(means), Matrix.from(shares)];
}
