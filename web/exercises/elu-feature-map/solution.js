function eluFeatureMap(x) {
  return x.map((value) => (value > 0 ? value + 1 : Math.exp(value)));
}
