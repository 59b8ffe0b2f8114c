function memoryOfOrders(n, d, dV, bytesPerNumber) {
  const standard = n * n * bytesPerNumber; // one score for every pair of tokens
  const linear = d * dV * bytesPerNumber; // the tokens are summed over
  return [standard, linear];
}
