function eluPlusOne(x) {
  // e^x itself, not e^x − 1 + 1: for x = −80 that would be 0.
  return x.map((value) => (value > 0 ? value + 1 : Math.exp(value)));
}
