function pagedCache(operations, blocks, blockSize, sequences) {
  const done = Matrix.zeros(1, operations.rows);
  const holders = new Array(blocks).fill(0);
  const tables = [];
  const lengths = [];
  let copies = 0;

  const take = (table) => {
    const block = holders.indexOf(0); // the lowest free one
    holders[block] = 1;
    table.push(block);
  };
  const carryOut = (action, s, number) => {
    if (action === 0) {
      const table = tables[s] ?? [];
      const length = lengths[s] ?? 0;
      const shared = length % blockSize > 0 && holders[table[table.length - 1]] > 1;
      const added = Math.ceil((length + number) / blockSize) - table.length;
      const free = holders.filter((held) => held === 0).length;
      if (added + (shared ? 1 : 0) > free) return false;
      if (shared) {
        // The others keep the block as it is; this one gets a copy to write into.
        copies++;
        holders[table[table.length - 1]]--;
        table.pop();
        take(table);
      }
      for (let k = 0; k < added; k++) take(table);
      tables[s] = table;
      lengths[s] = length + number;
    } else if (action === 1) {
      if (!tables[s] || tables[number]) return false;
      tables[number] = [...tables[s]];
      lengths[number] = lengths[s];
      for (const block of tables[s]) holders[block]++;
    } else {
      if (!tables[s]) return false;
      for (const block of tables[s]) holders[block]--;
      tables[s] = undefined;
      lengths[s] = 0;
    }
    return true;
  };

  for (let at = 0; at < operations.rows; at++) {
    const [action, s, number] = [0, 1, 2].map((c) => operations.get(at, c));
    if (carryOut(action, s, number)) done.set(0, at, 1);
  }
  const shown = Matrix.full(sequences, blocks, -1);
  for (let s = 0; s < sequences; s++) {
    (tables[s] ?? []).forEach((block, place) => {
      shown.set(s, place, block);
    });
  }
  return [done, shown, Matrix.from(holders), copies];
}
