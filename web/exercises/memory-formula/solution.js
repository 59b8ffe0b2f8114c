function memoryFormula(batch, heads, dHead, layers, n, window, bytesPerNumber) {
  const pairs = batch * heads; // one n×n matrix for each text and each head
  const scores = pairs * n * n * bytesPerNumber;
  // A token sees w keys, except the first ones, which have fewer before them.
  const w = Math.min(window, n);
  const local = pairs * (n * w - (w * (w - 1)) / 2) * bytesPerNumber;
  // The weight, the weight after dropout, and a byte that says whether it was dropped.
  const training = layers * pairs * n * n * (2 * bytesPerNumber + 1);
  const cache = 2 * layers * pairs * n * dHead * bytesPerNumber;
  return [scores, local, training, cache];
}
