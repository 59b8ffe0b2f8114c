function stateSize(n, d, heads, dK) {
  const dV = d / heads;
  const softmax = n * heads * (dK + dV);
  const linear = heads * dK * (dV + 1);
  const delta = heads * dK * dV;
  const rwkv = 4 * d;
  return [softmax, linear, delta, rwkv];
}
