function quantizeInt8(x, perChannel) {
  const size = x.map(Math.abs);
  // The largest size in each group decides: a token is a row, a channel is a column.
  const largest = perChannel ? size.transpose().maxRows().transpose() : size.maxRows();
  const scales = largest.div(127);
  // A group of zeros has scale 0. Dividing by 1 there gives the codes 0.
  const codes = x.div(scales.map((scale) => (scale === 0 ? 1 : scale))).map(Math.round);
  return [codes, perChannel ? scales : scales.transpose(), codes.mul(scales)];
}
