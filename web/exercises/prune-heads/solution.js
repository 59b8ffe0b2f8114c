function pruneHeads(heads, WO, importance, keep, fillMean) {
  // The most important first; of equal ones the earlier head, because sort keeps their order.
  const order = heads.map((_, h) => h).sort((a, b) => importance.get(0, b) - importance.get(0, a));
  const kept = Matrix.zeros(1, heads.length);
  for (const h of order.slice(0, keep)) kept.set(0, h, 1);
  let merged = null;
  heads.forEach((head, h) => {
    // What stands in the place of a pruned head: nothing, or what it says on average in this text.
    const filling = fillMean ? head.sumCols().div(head.rows) : Matrix.zeros(1, head.cols);
    const part = kept.get(0, h) > 0 ? head : Matrix.zeros(head.rows, head.cols).plus(filling);
    merged = merged ? merged.concatCols(part) : part;
  });
  return [merged.times(WO), kept];
}
