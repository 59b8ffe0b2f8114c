const mean = (x) => x.sum() / x.data.length;

function fittedSlope(n, cost) {
  const x = n.map(Math.log);
  const y = cost.map(Math.log);
  const dx = x.minus(mean(x));
  const dy = y.minus(mean(y));
  return dx.mul(dy).sum() / dx.mul(dx).sum();
}
