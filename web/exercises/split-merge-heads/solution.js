function splitAndMerge(X, numHeads, gates) {
  const dHead = X.cols / numHeads;
  const heads = [];
  let merged = null;
  for (let h = 0; h < numHeads; h++) {
    // The columns of one head lie side by side.
    const head = X.slice(0, X.rows, h * dHead, (h + 1) * dHead);
    const gated = head.mul(gates.get(0, h));
    heads.push(head);
    merged = merged ? merged.concatCols(gated) : gated;
  }
  return [heads, merged];
}
