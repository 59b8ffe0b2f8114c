function countOperations(n, d, dV) {
  // (n×d)·(d×n), then (n×n)·(n×d_v)
  const standard = n * n * d + n * n * dV;
  // (d×n)·(n×d_v), then (n×d)·(d×d_v)
  const linear = d * n * dV + n * d * dV;
  return [standard, linear];
}
