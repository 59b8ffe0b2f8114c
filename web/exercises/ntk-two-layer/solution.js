function ntkTwoLayer(X) {
  const products = X.times(X.transpose());
  return products.map((product, i, j) => {
    const length = Math.sqrt(products.get(i, i) * products.get(j, j));
    // Rounding can leave a cosine slightly above 1.
    const angle = Math.acos(Math.max(-1, Math.min(1, product / length)));
    const slope = (Math.PI - angle) / (2 * Math.PI);
    const lastLayer = (length * Math.sin(angle)) / (2 * Math.PI) + slope * product;
    return lastLayer + slope * product;
  });
}
