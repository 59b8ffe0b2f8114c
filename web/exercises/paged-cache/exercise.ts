import { array, arrayOf, numberOf } from '../../src/exercises/matrix-values';
import type { Draw, Exercise, Input } from '../../src/exercises/types';

type Operation = readonly [action: number, sequence: number, count: number];
const APPEND = 0;
const FORK = 1;
const FREE = 2;

const list = (operations: readonly Operation[]): Input => ({
  make: 'values',
  dtype: 'int64',
  shape: [operations.length, 3],
  data: operations.flat(),
});

/**
 * A history in which everything happens: a prompt whose last block is not full, a fork, a write into the shared block
 * by the one and by the other, a sequence of full blocks, one given up, its blocks used again, a fork of full blocks,
 * and what does not fit.
 */
function history(draw: Draw, blockSize: number): readonly Input[] {
  const prompt = blockSize * draw.integer(1, 2) + draw.integer(1, blockSize - 1);
  const operations: Operation[] = [
    [APPEND, 0, prompt],
    [FORK, 0, 1],
    [APPEND, 1, draw.integer(1, 2)],
    [APPEND, 0, 1],
    [APPEND, 2, 2 * blockSize],
    [FREE, 0, 0],
    [FORK, 0, 2],
    [FORK, 1, 2],
    [FORK, 2, 0],
    [APPEND, 0, 1],
    [FORK, 1, 3],
    [APPEND, 3, 2 * blockSize],
    [APPEND, 2, 20 * blockSize],
    [APPEND, 2, 1],
  ];
  return [list(operations), 12, blockSize, 4];
}

export const exercise = {
  id: 'paged-cache',
  lab: 'long-texts',
  order: 10,
  difficulty: 3,
  minutes: 40,
  buildsOn: ['kv-cache'],
  title: 'Pages for many texts',
  summary: 'Blocks, tables, reference counts, and a copy before a shared block is written.',
  task: [
    'A cache that reserves room for the longest text wastes most of it. Paged caches cut the memory into blocks of `block_size` tokens and give each sequence a table: its first tokens lie in block table[0], the next in table[1], wherever these are. Only the last block of a sequence can have free places.',
    'Keep the books of such a cache; no keys and values are needed for that. It has `blocks` blocks, all free, and no sequences. Each row of `operations` is an action, a sequence and a number:',
    '`0, s, t`: $t$ tokens more for sequence $s$, which begins if there is none. First they fill the last block of $s$. If that block has a free place and other sequences hold it too, it must not be written: $s$ gets a copy in a new block, which takes its place in the table. Then new blocks follow as they are needed. If the new blocks, that of a copy included, are more than are free, the operation is refused and nothing changes.',
    '`1, s, z`: sequence $z$ begins as a fork of $s$: it gets the same table, and every block in it has one holder more. Refused if there is no $s$, or a $z$ already. `2, s, 0`: sequence $s$ ends, and its blocks have one holder less. Refused if there is no $s$.',
    'A new block is always the free one, held by nobody, with the lowest number. Sequences are numbered from 0 to `sequences` − 1. Return which operations were carried out, 1 or 0 each; the tables at the end, −1 behind the last block of each; the number of holders of each block; and how many blocks were copied.',
  ],
  entry: 'paged_cache',
  parameters: [
    { name: 'operations', type: 'matrix', shape: 'r×3', what: 'action, sequence, number' },
    { name: 'blocks', type: 'integer', what: 'blocks of the memory' },
    { name: 'block_size', type: 'integer', what: 'tokens of a block' },
    { name: 'sequences', type: 'integer', what: 'how many sequences there can be' },
  ],
  results: [
    { name: 'done', type: 'vector', shape: 'r', what: '1 if it was carried out, 0 if refused' },
    { name: 'tables', type: 'matrix', shape: 'sequences×blocks', what: 'blocks in order, then −1' },
    { name: 'holders', type: 'vector', shape: 'blocks', what: 'how many sequences hold a block' },
    { name: 'copies', type: 'integer', what: 'how many blocks were copied' },
  ],
  cases: [
    {
      name: 'two texts, one after the other',
      args: [
        list([
          [APPEND, 0, 5],
          [APPEND, 1, 2],
          [APPEND, 0, 4],
        ]),
        6,
        4,
        2,
      ],
    },
    {
      name: 'a fork, and a write into the shared block',
      args: [
        list([
          [APPEND, 0, 6],
          [FORK, 0, 1],
          [APPEND, 1, 1],
          [APPEND, 0, 1],
        ]),
        5,
        4,
        3,
      ],
    },
    {
      name: 'a fork of full blocks needs no copy',
      args: [
        list([
          [APPEND, 0, 8],
          [FORK, 0, 1],
          [APPEND, 1, 1],
          [APPEND, 0, 3],
        ]),
        5,
        4,
        2,
      ],
    },
    {
      name: 'blocks come back and are used again',
      args: [
        list([
          [APPEND, 0, 4],
          [APPEND, 1, 4],
          [APPEND, 2, 4],
          [FREE, 0, 0],
          [FREE, 1, 0],
          [APPEND, 3, 3],
          [APPEND, 2, 2],
        ]),
        4,
        4,
        4,
      ],
    },
    {
      name: 'a shared block outlives the first holder',
      hidden: true,
      args: [
        list([
          [APPEND, 0, 3],
          [FORK, 0, 1],
          [FREE, 0, 0],
          [APPEND, 2, 2],
          [APPEND, 1, 1],
        ]),
        3,
        4,
        3,
      ],
    },
    {
      name: 'what does not fit is refused whole',
      hidden: true,
      args: [
        list([
          [APPEND, 0, 3],
          [APPEND, 0, 6],
          [APPEND, 1, 5],
          [APPEND, 0, 1],
          [APPEND, 1, 4],
        ]),
        2,
        4,
        2,
      ],
    },
    {
      name: 'a copy needs a block too',
      hidden: true,
      args: [
        list([
          [APPEND, 0, 5],
          [FORK, 0, 1],
          [APPEND, 1, 1],
          [FREE, 1, 0],
          [APPEND, 0, 1],
        ]),
        2,
        4,
        2,
      ],
    },
    {
      name: 'orders that make no sense',
      hidden: true,
      args: [
        list([
          [FREE, 0, 0],
          [FORK, 1, 2],
          [APPEND, 1, 3],
          [APPEND, 2, 1],
          [FORK, 1, 2],
          [FORK, 1, 0],
          [FREE, 1, 0],
          [FREE, 1, 0],
        ]),
        4,
        2,
        3,
      ],
    },
    {
      name: 'blocks of one token',
      hidden: true,
      args: [
        list([
          [APPEND, 0, 3],
          [FORK, 0, 1],
          [APPEND, 1, 2],
          [FREE, 0, 0],
          [APPEND, 2, 1],
        ]),
        6,
        1,
        3,
      ],
    },
    {
      name: 'a fork of a fork',
      hidden: true,
      args: [
        list([
          [APPEND, 0, 2],
          [FORK, 0, 1],
          [FORK, 1, 2],
          [APPEND, 2, 3],
          [APPEND, 1, 1],
          [APPEND, 0, 1],
        ]),
        6,
        3,
        3,
      ],
    },
  ],
  drawn: (draw) => history(draw, draw.integer(3, 5)),
  tolerance: { rtol: 0, atol: 0, reason: 'Blocks, holders and copies are small whole numbers.' },
  hints: [
    'Keep for each sequence its table and its length, and for each block how many hold it. Free means that nobody does.',
    'Before an append count what it needs: blocks up to ⌈(length + t)/block_size⌉, less those in the table, and one more if the last block is shared and has free places.',
    'If it fits: first the copy (the old block loses a holder, the new one takes its place in the table), then new blocks at the end, each the lowest free one.',
  ],
  variants: [
    {
      id: 'no-copy',
      message:
        'You write into a block that another sequence holds too. Its text changes with it: copy the block first.',
      python: [['shared = length % block_size > 0 and holders[table[-1]] > 1', 'shared = False']],
      javascript: [
        ['length % blockSize > 0 && holders[table[table.length - 1]] > 1', 'length < 0'],
      ],
      cpp: [['length % block_size > 0 && holders(table.back()) > 1', 'length < 0']],
    },
    {
      id: 'full-block-copied',
      message:
        'You copy shared blocks that are full. Nothing is written into them any more: only a block with a free place is copied.',
      python: [['length % block_size > 0 and', 'length > 0 and']],
      javascript: [['length % blockSize > 0 &&', 'length > 0 &&']],
      cpp: [['length % block_size > 0 &&', 'length > 0 &&']],
    },
    {
      id: 'own-block-copied',
      message: 'You copy a last block that nobody else holds. Its only holder may write into it.',
      python: [['and holders[table[-1]] > 1', 'and holders[table[-1]] > 0']],
    },
    {
      id: 'copy-needs-nothing',
      message: 'Your test for free blocks forgets the copy. It needs a new block like any other.',
      evidence: 'fixed',
      python: [['needed = new + shared', 'needed = new']],
    },
    {
      id: 'old-block-still-held',
      message:
        'After a copy the old block still counts the sequence as a holder. It holds the copy now: one holder less.',
      python: [['                holders[table[-1]] -= 1\n', '']],
      javascript: [['        holders[table[table.length - 1]]--;\n', '']],
      cpp: [['        holders(table.back()) -= 1;\n', '']],
    },
    {
      id: 'fork-without-holders',
      message:
        'A fork adds no holders in your books, so shared blocks look as if they belonged to one sequence.',
      python: [['                holders[block] += 1', '                holders[block] += 0']],
      javascript: [['for (const block of tables[s]) holders[block]++;', '']],
      cpp: [['holders(block) += 1;', 'holders(block) += 0;']],
    },
    {
      id: 'fork-by-copy',
      message:
        'Your fork copies every block. It shares them: the copy comes when one of the two writes, and only of the last block.',
      python: [
        [
          `            tables[number], lengths[number] = list(tables[s]), lengths[s]
            for block in tables[s]:
                holders[block] += 1`,
          `            tables[number], lengths[number] = [], lengths[s]
            for block in tables[s]:
                copies += 1
                take(tables[number])`,
        ],
      ],
    },
    {
      id: 'freed-for-all',
      message:
        'A sequence that ends frees its blocks for everybody. Others may still hold them: one holder less.',
      python: [['                holders[block] -= 1', '                holders[block] = 0']],
      javascript: [
        [
          'for (const block of tables[s]) holders[block]--;',
          'for (const block of tables[s]) holders[block] = 0;',
        ],
      ],
    },
    {
      id: 'never-freed',
      message: 'A sequence that ends keeps its blocks in your books. They have one holder less.',
      python: [['                holders[block] -= 1', '                holders[block] -= 0']],
    },
    {
      id: 'partly-appended',
      message: 'You append as much as fits. An operation is carried out whole or not at all.',
      python: [
        [
          `                continue
            if shared:`,
          `                if not shared:
                    tables[s] = table
                    while (holders == 0).any():
                        take(table)
                    lengths[s] = len(table) * block_size
                continue
            if shared:`,
        ],
      ],
    },
    {
      id: 'last-block-not-filled',
      message:
        'Every append begins with a new block. First the free places of the last one are filled.',
      python: [
        [
          'new = -(-(length + number) // block_size) - len(table)',
          'new = -(-number // block_size)',
        ],
      ],
    },
    {
      id: 'highest-free',
      message: 'You take a free block with a high number. Take the lowest free one.',
      python: [['int(np.argmax(holders == 0))', 'int(np.nonzero(holders == 0)[0][-1])']],
      javascript: [['holders.indexOf(0)', 'holders.lastIndexOf(0)']],
    },
    {
      id: 'fork-over',
      message:
        'A fork to a number that is in use replaces that sequence in your books. It is refused.',
      python: [['s not in tables or number in tables', 's not in tables']],
      javascript: [['!tables[s] || tables[number]', '!tables[s]']],
    },
    {
      id: 'all-done',
      message: 'You report every operation as done. Those that are refused count 0.',
      python: [['done = np.zeros(len(operations))', 'done = np.ones(len(operations))']],
      javascript: [
        [
          'const done = Matrix.zeros(1, operations.rows)',
          'const done = Matrix.full(1, operations.rows, 1)',
        ],
      ],
    },
    {
      id: 'copies-forgotten',
      message: 'Your books are right, but copies are not counted.',
      python: [['                copies += 1\n', '']],
      javascript: [['        copies++;\n', '']],
    },
  ],
  figure: {
    knobs: {
      blockSize: { label: 'tokens of a block', min: 1, max: 16, value: 4 },
      prompt: { label: 'tokens of the shared beginning', min: 1, max: 40, value: 10 },
      forks: { label: 'forks', min: 0, max: 6, value: 3 },
    },
    args: ({ blockSize = 4, prompt = 10, forks = 3 }) => [
      list([
        [APPEND, 0, prompt],
        ...Array.from({ length: forks }, (_, at) => [FORK, 0, at + 1] as const),
        // Each fork writes on, more than the one before.
        ...Array.from({ length: forks }, (_, at) => [APPEND, at + 1, 2 * (at + 1)] as const),
      ]),
      24,
      blockSize,
      forks + 1,
    ],
    draw: {
      kind: 'matrix',
      path: [1],
      rows: 'sequences',
      cols: 'place in the table',
      signed: true,
    },
    caption:
      'The block at each place of the tables. Forks share the first columns; where they write on they have blocks of their own.',
  },
  source: {
    title: 'Efficient Memory Management for Large Language Model Serving with PagedAttention',
    url: 'https://arxiv.org/abs/2309.06180',
    where: 'section 4.4: reference counts and copy on write',
  },
  reference: async ({ core }, [rows, memory, size, most]) => {
    const { shape, data } = arrayOf(rows);
    const [blocks, blockSize, sequences] = [numberOf(memory), numberOf(size), numberOf(most)];
    const count = shape[0] ?? 0;
    const actions = ['append', 'fork', 'free'] as const;
    const operations = Array.from({ length: count }, (_, at) => ({
      action: actions[data[3 * at] as number] ?? 'append',
      sequence: data[3 * at + 1] as number,
      count: data[3 * at + 2] as number,
    }));
    // The keys and values do not matter: one number each, as many as could be appended.
    const tokens = operations.reduce(
      (sum, one) => sum + (one.action === 'append' ? one.count : 0),
      0,
    );
    const zeros = (length: number) => ({ rows: length, cols: 1, data: new Float32Array(length) });
    const trace = await core.pagedTrace({
      ...{ operations, blocks, blockSize, sequences },
      k: zeros(tokens),
      v: zeros(tokens),
      q: zeros(sequences),
    });
    const last = count - 1;
    const tables = new Float64Array(sequences * blocks).fill(-1);
    const { cols } = trace.tables;
    for (let s = 0; s < sequences; s++) {
      const from = (last * sequences + s) * cols;
      tables.set(trace.tables.data.subarray(from, from + cols), s * blocks);
    }
    const holders = trace.references.data.slice(last * blocks, count * blocks);
    return [
      array([count], trace.ok),
      array([sequences, blocks], tables),
      array([blocks], holders),
      // It says for each operation how many it copied.
      trace.blocksCopied.reduce((sum, one) => sum + one, 0),
    ];
  },
} as const satisfies Exercise;
