function createCausalMask(seqLen) {
  // Without the diagonal: a token may see itself.
  return Matrix.zeros(seqLen, seqLen).map((_, i, j) => (j > i ? -Infinity : 0));
}
