function stridedMask(n, window, stride) {
  const mask = Matrix.zeros(n, n).map((_, i, j) => {
    const back = i - j; // how far column j lies before row i
    return back >= 0 && (back < window || back % stride === 0) ? 1 : 0;
  });
  return [mask, mask.sum()];
}
