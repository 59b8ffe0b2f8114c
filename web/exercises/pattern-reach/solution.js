function patternReach(mask, layers) {
  const n = mask.rows;
  let reach = Matrix.identity(n); // reach[i, j]: news of j is at i
  let hops = reach.map((_, i, j) => (i === j ? 0 : -1));
  const share = Matrix.zeros(1, layers);
  for (let layer = 0; layer < layers; layer++) {
    // What the tokens have that it sees, and what it has already.
    const ways = mask.times(reach).plus(reach);
    const reached = ways.map((count) => (count > 0 ? 1 : 0));
    const before = reach;
    hops = hops.map((hop, i, j) => (reached.get(i, j) > before.get(i, j) ? layer + 1 : hop));
    reach = reached;
    share.set(0, layer, reach.sum() / ((n * (n + 1)) / 2));
  }
  return [share, hops];
}
