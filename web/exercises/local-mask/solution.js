function localMask(n, window, causal) {
  const ahead = causal ? 0 : window;
  const mask = Matrix.zeros(n, n).map((_, i, j) => {
    const back = i - j; // how far column j lies before row i
    return back <= window && -back <= ahead ? 1 : 0;
  });
  return [mask, mask.sum()];
}
