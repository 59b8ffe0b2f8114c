function simpleFeatureMap(x) {
  return x;
}
