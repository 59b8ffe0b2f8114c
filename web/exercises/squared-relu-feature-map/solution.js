function squaredReluFeatureMap(x) {
  return x.maximum(0).map((value) => value * value); // in this order: squares are never negative
}
