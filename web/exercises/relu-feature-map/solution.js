function reluFeatureMap(x) {
  return x.maximum(0);
}
