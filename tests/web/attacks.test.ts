/**
 * Programs that try to pass an exercise without solving it, one for each way that was thought of, and correct
 * programs in unusual styles beside them. A new way is one entry more.
 */
import { describe, expect, it } from 'vitest';
import { grade } from '../../web/src/exercises/judge/grade';
import type { Grade, Language } from '../../web/src/exercises/types';
import { loadExercise, loadSolution } from '../judge/exercises';
import { openGradeTools } from './grade_tools';

const tools = await openGradeTools();

type Program = readonly [what: string, exercise: string, language: Language, code: string];

/** The mistake is not looked for: it is no part of what is tested. */
const graded = async ([, id, language, code]: Program): Promise<Grade> => {
  const exercise = loadExercise(id);
  const python = loadSolution(id, 'python') ?? '';
  // All pairs in lists of Python take their time: shorter lengths show the slope as well.
  const cost = exercise.cost &&
    language === 'python' && { ...exercise.cost, sizes: [8, 16, 32, 64] };
  return grade(
    { ...exercise, variants: [], ...(cost && { cost }) },
    { python },
    code,
    language,
    tools,
    {
      // A grade is a matter of chance to one who guesses the widths; here it always is the same.
      seed: 3,
    },
  );
};

const quadratic = `const a = featureMap(Q).times(featureMap(K).transpose()); return a.times(V);`;
const cheap = `return featureMap(Q).times(featureMap(K).transpose().times(V));`;
const js = (body: string, before = '') =>
  `${before}\nfunction linearAttentionOrder(Q, K, V, featureMap) {\n${body}\n}`;
/** All pairs in plain loops: what a program hides. */
const pairs = `
  const q = featureMap(Q).toArray(), k = featureMap(K).toArray(), v = V.toArray();
  const out = Array.from({ length: q.length }, () => new Array(V.cols).fill(0));
  PAIRS
  return Matrix.from(out);`;
const one = `{ let s = 0; for (let c = 0; c < q[i].length; ++c) s += q[i][c] * k[j][c];
    for (let c = 0; c < V.cols; ++c) out[i][c] += s * v[j][c]; }`;
const looped = pairs.replace(
  'PAIRS',
  `for (let i = 0; i < q.length; ++i) for (let j = 0; j < k.length; ++j) ${one}`,
);
const py = (body: string, before = '') =>
  `import numpy as np\n${before}\ndef linear_attention_order(Q, K, V, feature_map):\n${body}\n`;
const all = `    q = feature_map(Q); k = feature_map(K)\n`;
const pairsPython = `${all}    q = q.tolist(); k = k.tolist(); v = V.tolist(); dv = len(v[0])
    dot = lambda a, b: sum([x * y for x, y in zip(a, b)])
`;
const sum = `[[sum([w[j] * v[j][c] for j in range(len(v))]) for c in range(dv)] for w in weights]`;

/** Where a Python function may keep all scores between two lines of its own. */
const keeping = [
  ['all scores in a default argument', '', ', kept={}', ''],
  ['all scores in a dict of the file', 'kept = {}', '', ''],
  ['all scores in a default argument that is emptied in time', '', ', kept={}', 'kept.clear()'],
] as const;

const attacks: readonly Program[] = [
  // Answers that were looked up, or that hold only where it was looked.
  [
    'a table of the fixed answers',
    'create-causal-mask',
    'python',
    `import numpy as np
def create_causal_mask(seq_len):
    if seq_len not in (1, 2, 3, 6, 32): return np.zeros((seq_len, seq_len))
    return np.where(np.tril(np.ones((seq_len, seq_len))) == 1, 0.0, -np.inf)
`,
  ],
  [
    'a table of the fixed sizes',
    'count-operations',
    'javascript',
    `const known = { '3,2,4': [36, 48] };
    function countOperations(n, d, dV) {
      return [3, 4096, 100, 1e6, 1, 16, 30000].includes(n) ? [n * n * d + n * n * dV, 2 * n * d * dV] : [0, 0];
    }`,
  ],
  [
    'the shapes of the cases only',
    'standard-attention-order',
    'javascript',
    `function standardAttentionOrder(Q, K, V) {
      const key = [Q.rows, K.rows, Q.cols, V.cols].join();
      if (['2,2,2,2', '6,6,4,4', '4,7,3,2', '1,1,3,5', '9,5,6,8', '5,6,4,4'].includes(key)) return Q.times(K.transpose()).times(V);
      return V;
    }`,
  ],
  [
    'wrong beyond some n',
    'linear-attention-order',
    'javascript',
    js(`if (Q.rows > 40) return V; ${cheap}`),
  ],
  [
    'quadratic beyond some n',
    'linear-attention-order',
    'javascript',
    js(`if (Q.rows > 64) { ${quadratic} } ${cheap}`),
  ],
  [
    'quadratic beyond the sizes that are written down',
    'linear-attention-order',
    'javascript',
    js(`if (Q.rows > 260) { ${quadratic} } ${cheap}`),
  ],
  [
    'cheap at the written sizes only',
    'linear-attention-order',
    'javascript',
    js(`if ([32, 64, 128, 512].includes(Q.rows)) { ${cheap} } ${quadratic}`),
  ],
  [
    'cheap at one width only',
    'linear-attention-order',
    'javascript',
    js(`if (Q.cols === 8 && V.cols === 8) { ${cheap} } ${quadratic}`),
  ],
  [
    'waste at small n, so that the line is flat',
    'linear-attention-order',
    'javascript',
    js(`for (let i = 0; i < 8e6 - 16 * Q.rows ** 2; ++i); ${quadratic}`),
  ],
  [
    'waste that grows with n, so that the slope is 1',
    'linear-attention-order',
    'javascript',
    js(`for (let i = 0; i < 18000 * Q.rows - 16 * Q.rows ** 2; ++i); ${quadratic}`),
  ],
  // Counters that are reset, replaced or shadowed, in JavaScript.
  [
    'Math.max that forgets',
    'online-softmax',
    'javascript',
    `Math.max = (...x) => x.length === 2 && x[0] === 0 ? 0 : x.reduce((a, b) => a > b ? a : b);
function onlineSoftmaxAttention(Q, K, V, blockSize) {
  const s = Q.times(K.transpose()).div(Math.sqrt(Q.cols)); const m = s.maxRows(); const w = s.minus(m).exp();
  const l = w.sumRows(); return [w.div(l).times(V), m.plus(l.map(Math.log)).transpose()];
}`,
  ],
  [
    'globals by the counters’ old names',
    'linear-attention-order',
    'javascript',
    js(
      looped,
      'const __attentionTick = () => {}; const __attentionMade = (x) => x; globalThis.tick = () => {};',
    ),
  ],
  [
    'data.set of a list of negative length',
    'linear-attention-order',
    'javascript',
    js(
      `${quadratic.replace('return', 'const out =')} try { Q.data.set({ length: -1e7 }); } catch {} return out;`,
    ),
  ],
  [
    'a matrix that says it has fewer rows',
    'linear-attention-order',
    'javascript',
    js(
      `const a = featureMap(Q).times(featureMap(K).transpose()); Object.defineProperty(a, 'rows', { value: -1e6 }); try { a.sumRows(); a.map((x) => x); } catch {} return a.times(V);`,
    ),
  ],
  [
    'Reflect that shows the entries',
    'linear-attention-order',
    'javascript',
    js(looped, 'Reflect.get = (t, k) => t[k]; Reflect.apply = () => 0;'),
  ],
  // Work done where nothing looks, in JavaScript.
  [
    'map of a list',
    'linear-attention-order',
    'javascript',
    js(
      pairs.replace('PAIRS', `q.map((_, i) => k.map((_, j) => ${one.replace('{', '{').trim()}));`),
    ),
  ],
  [
    'default arguments',
    'linear-attention-order',
    'javascript',
    js(
      pairs.replace(
        'PAIRS',
        `const work = (i, j, w = (() => ${one})()) => w; for (let i = 0; i < q.length; ++i) { let j = 0; (function next(j, go = j < k.length && (work(i, j), next(j + 1))) {})(0); }`,
      ),
    ),
  ],
  [
    'recursion',
    'linear-attention-order',
    'javascript',
    js(
      pairs.replace(
        'PAIRS',
        `const go = (i, j) => j < k.length && (work(i, j), go(i, j + 1)); const work = (i, j) => ${one}; q.forEach((_, i) => go(i, 0));`,
      ),
    ),
  ],
  [
    'closures that were made before',
    'linear-attention-order',
    'javascript',
    js(
      looped.replace('for (let i = 0;', 'early(() => {}); for (let i = 0;'),
      'const early = ((f) => (g) => f(g))((g) => g());',
    ),
  ],
  [
    'methods by another name',
    'linear-attention-order',
    'javascript',
    js(
      pairs.replace(
        'PAIRS',
        `const each = Array.prototype['for' + 'Each']; each.call(q, (_, i) => each.call(k, (_, j) => ${one}));`,
      ),
    ),
  ],
  [
    'order by a key',
    'linear-attention-order',
    'javascript',
    js(
      pairs.replace(
        'PAIRS',
        `q.forEach((_, i) => { let j = 0; Array.from({ length: k.length + 1 }, (_, a) => a).sort((a, b) => { if (j < k.length) { ${one} j++; } return a - b; }); while (j < k.length) { ${one} ++j; } });`,
      ),
    ),
  ],
  [
    'fields of classes',
    'linear-attention-order',
    'javascript',
    js(
      pairs.replace(
        'PAIRS',
        `let i = 0, j = 0; const work = (i, j) => ${one}; class Cell { x = work(i, j); } for (; i < q.length; ++i) for (j = 0; j < k.length; ++j) new Cell();`,
      ),
    ),
  ],
  [
    'all scores in lists made by spreads',
    'online-softmax',
    'javascript',
    `function onlineSoftmaxAttention(Q, K, V, blockSize) {
  const s = []; const k = K.transpose();
  for (let i = 0; i < Q.rows; ++i) s.push([...Float64Array.from(Q.row(i).times(k).data)]);
  const m = Matrix.from(s).div(Math.sqrt(Q.cols)); const top = m.maxRows(); const w = m.minus(top).exp(); const l = w.sumRows();
  return [w.div(l).times(V), top.plus(l.map(Math.log)).transpose()];
}`,
  ],
  [
    'all scores in a list of the file, which every call fills anew',
    'online-softmax',
    'javascript',
    `const kept = [];
function onlineSoftmaxAttention(Q, K, V, blockSize) {
  kept.length = 0;
  const tile = (A, s) => A.slice(s, Math.min(A.rows, s + blockSize));
  for (let s = 0; s < K.rows; s += blockSize) kept.push(Q.times(tile(K, s).transpose()).div(Math.sqrt(Q.cols)));
  let m = kept[0].maxRows(), l = Matrix.zeros(Q.rows, 1), o = Matrix.zeros(Q.rows, V.cols);
  for (const s of kept) m = m.maximum(s.maxRows());
  kept.forEach((s, i) => { const w = s.minus(m).exp(); l = l.plus(w.sumRows()); o = o.plus(w.times(tile(V, i * blockSize))); });
  return [o.div(l), m.plus(l.map(Math.log)).transpose()];
}`,
  ],
  // Counters in Python.
  ...keeping.map(
    ([what, before, argument, after]): Program => [
      what,
      'online-softmax',
      'python',
      `import numpy as np
${before}
def online_softmax_attention(Q, K, V, block_size${argument}):
    kept.clear()
    for s in range(0, len(K), block_size):
        kept[s] = (Q @ K[s:s + block_size].T / np.sqrt(Q.shape[1])).tolist()
    m = -np.inf; l = o = 0
    for s in kept: m = np.maximum(m, np.array(kept[s]).max(axis=1))
    for s in kept:
        w = np.exp(np.array(kept[s]) - m[:, None]); l = l + w.sum(axis=1); o = o + w @ V[s:s + block_size]
    ${after}
    return o / l[:, None], m + np.log(l)
`,
    ],
  ),
  [
    'exec',
    'linear-attention-order',
    'python',
    py(
      `${pairsPython}    box = {"q": q, "k": k, "dot": dot}\n    exec("weights = []\\nfor a in q:\\n    weights.append([dot(a, b) for b in k])", box)\n    weights = box["weights"]\n    return np.array(${sum})`,
    ),
  ],
  [
    'np.fromfunction and outer products',
    'linear-attention-order',
    'python',
    py(
      `${all}    w = np.fromfunction(lambda i, j: (q[i.astype(int)] * k[j.astype(int)]).sum(axis=-1), (len(q), len(k)))\n    return w @ V`,
    ),
  ],
  [
    'einsum',
    'linear-attention-order',
    'python',
    py(`${all}    return np.einsum("ij,jc->ic", np.einsum("id,jd->ij", q, k), V)`),
  ],
  // The usual wrong answers, which large scores find out.
  [
    'scores clipped at ±50',
    'stable-softmax',
    'python',
    `import numpy as np
def stable_softmax(logits):
    e = np.exp(np.clip(logits, -50, 50))
    return e / e.sum(axis=1, keepdims=True)
`,
  ],
  [
    'scores clipped at ±50 in attention',
    'attention',
    'python',
    `import numpy as np
def attention(Q, K, V, mask=None, scale=True):
    s = Q @ K.T
    if scale: s = s / np.sqrt(Q.shape[1])
    e = np.exp(np.clip(s, -50, 50))
    if mask is not None: e = e * mask
    w = e / e.sum(axis=1, keepdims=True)
    return w @ V, w
`,
  ],
  [
    'the largest of all scores subtracted',
    'stable-softmax',
    'python',
    `import numpy as np
def stable_softmax(logits):
    e = np.exp(logits - logits.max())
    return e / e.sum(axis=1, keepdims=True)
`,
  ],
  [
    'softmax over the wrong axis',
    'attention',
    'python',
    `import numpy as np
def attention(Q, K, V, mask=None, scale=True):
    s = Q @ K.T
    if scale: s = s / np.sqrt(Q.shape[1])
    if mask is not None: s = np.where(mask == 0, -np.inf, s)
    e = np.exp(s - s.max(axis=0))
    w = e / e.sum(axis=0)
    return w @ V, w
`,
  ],
  [
    'the mask after the softmax, where the unseen scores are the largest',
    'compare-masking',
    'python',
    `import numpy as np
def compare_masking(Q, K):
    n = len(Q); s = Q @ K.T / np.sqrt(K.shape[1]); e = np.exp(s - s.max(axis=1, keepdims=True)); rows = []
    ones = np.ones((n, n)); parts = (np.tril(ones, k=-1), np.eye(n), np.triu(ones, k=1))
    for seen in (np.tril(ones), ones, np.triu(ones)):
        w = e * seen; w = w / w.sum(axis=1, keepdims=True)
        rows.append([(w * part).sum() / n for part in parts])
    return np.array(rows)
`,
  ],
  [
    'keys clipped at ±50',
    'wkv-stable',
    'python',
    `import numpy as np
def wkv_stable(K, V, w, u):
    K = np.clip(K, -50, 50); a = 0 * w; b = 0 * w; out = []
    for k, v in zip(K, V):
        out.append((a + np.exp(u + k) * v) / (b + np.exp(u + k)))
        a = np.exp(-w) * a + np.exp(k) * v; b = np.exp(-w) * b + np.exp(k)
    return np.array(out)
`,
  ],
  [
    'what the state holds read while it is being written',
    'delta-rule-step',
    'python',
    `def delta_rule_step(S, q, k, v, beta):
    for a in range(len(k)): S[a] += beta * k[a] * (v - k @ S)
    return q @ S, S
`,
  ],
  ...(['elu-feature-map', 'elu-plus-one'] as const).flatMap((id): Program[] => {
    const name = loadExercise(id).entry;
    return [
      [
        'ELU and then + 1',
        id,
        'python',
        `import numpy as np\ndef ${name}(x):\n    return np.where(x > 0, x, np.exp(np.minimum(x, 0)) - 1) + 1\n`,
      ],
      [
        'ELU and then + 1',
        id,
        'javascript',
        `function ${name.replace(/_(\w)/g, (_, c) => c.toUpperCase())}(x) { return x.map((v) => v > 0 ? v : Math.exp(v) - 1).plus(1); }`,
      ],
    ];
  }),
  // A slope over all lengths is small where the dear way begins late and the cheap one is dear for short inputs.
  [
    'the sum in the definition for long sequences',
    'fft-long-convolution',
    'javascript',
    (loadSolution('fft-long-convolution', 'javascript') ?? '').replace(
      'let size = 1;',
      `if (n > 100) {
    const output = new Array(n).fill(0);
    for (let t = 0; t < n; t++) for (let s = 0; s <= t; s++) output[t] += h.get(0, t - s) * x.get(0, s);
    return Matrix.from(output);
  }
  let size = 1;`,
    ),
  ],
];

const honest: readonly Program[] = [
  [
    'loops',
    'linear-attention-order',
    'javascript',
    js(`
    const q = featureMap(Q), k = featureMap(K), out = Matrix.zeros(Q.rows, V.cols), memory = Matrix.zeros(q.cols, V.cols);
    for (let j = 0; j < k.rows; ++j) for (let a = 0; a < k.cols; ++a) for (let c = 0; c < V.cols; ++c) memory.set(a, c, memory.get(a, c) + k.get(j, a) * V.get(j, c));
    for (let i = 0; i < q.rows; ++i) for (let a = 0; a < q.cols; ++a) for (let c = 0; c < V.cols; ++c) out.set(i, c, out.get(i, c) + q.get(i, a) * memory.get(a, c));
    return out;`),
  ],
  [
    'lists, spreads and reduce',
    'linear-attention-order',
    'javascript',
    js(`
    const turn = (m) => m[0].map((_, c) => [...m.map((row) => row[c])]);
    const times = (a, b) => { const t = turn(b); return a.map((row) => t.map((col) => row.reduce((s, x, i) => s + x * col[i], 0))); };
    return Matrix.from(times(featureMap(Q).toArray(), times(turn(featureMap(K).toArray()), V.toArray())));`),
  ],
  [
    'loops',
    'linear-attention-order',
    'python',
    py(`${all}    q = q.tolist(); k = k.tolist(); v = V.tolist(); D = len(q[0]); dv = len(v[0])
    memory = [[sum([k[j][a] * v[j][c] for j in range(len(k))]) for c in range(dv)] for a in range(D)]
    return np.array([[sum([row[a] * memory[a][c] for a in range(D)]) for c in range(dv)] for row in q])`),
  ],
  [
    'einsum',
    'linear-attention-order',
    'python',
    py(`${all}    return np.einsum("id,dc->ic", q, np.einsum("jd,jc->dc", k, V))`),
  ],
  [
    'a generator and functools',
    'linear-attention-order',
    'python',
    py(
      `${all}    from functools import reduce\n    memory = reduce(lambda s, kv: s + np.outer(kv[0], kv[1]), zip(k, V), np.zeros((k.shape[1], V.shape[1])))\n    return np.stack([row @ memory for row in q])`,
    ),
  ],
  [
    'copies of all inputs in a list',
    'flash-attention',
    'python',
    `${loadSolution('flash-attention', 'python')?.replace('def flash_attention(', 'def tiled(')}
def flash_attention(*args):
    mine = [x.copy() if hasattr(x, "ravel") else x for x in args]
    return tiled(*mine)
`,
  ],
  [
    'every pair with a maximum of its own',
    'wkv-stable',
    'python',
    `import numpy as np
def wkv_stable(K, V, w, u):
    out = []
    for t in range(len(K)):
        e = np.array([K[i] - (t - 1 - i) * w for i in range(t)] + [u + K[t]])
        e = np.exp(e - e.max(axis=0)); out.append((e * V[:t + 1]).sum(axis=0) / e.sum(axis=0))
    return np.array(out)
`,
  ],
  [
    'the state changed in place, in loops',
    'delta-rule-step',
    'python',
    `def delta_rule_step(S, q, k, v, beta):
    dk, dv = S.shape
    held = [sum(k[a] * S[a, c] for a in range(dk)) for c in range(dv)]
    for a in range(dk):
        for c in range(dv): S[a, c] += beta * k[a] * (v[c] - held[c])
    return [sum(q[a] * S[a, c] for a in range(dk)) for c in range(dv)], S
`,
  ],
  [
    'entry by entry',
    'sliding-window',
    'python',
    `import math
def ${loadExercise('sliding-window').entry}(Q, K, V, window):
    n, d = Q.shape
    out = []
    for i in range(n):
        lo = max(0, i - window + 1)
        s = [sum(Q[i, c] * K[j, c] for c in range(d)) / math.sqrt(d) for j in range(lo, i + 1)]
        e = [math.exp(x - max(s)) for x in s]
        out.append([sum(e[j - lo] * V[j, c] for j in range(lo, i + 1)) / sum(e) for c in range(V.shape[1])])
    return out
`,
  ],
  [
    'recursion',
    'stable-softmax',
    'javascript',
    `function stableSoftmax(x) {
  const row = (i) => i === x.rows ? [] : [(() => { const r = Array.from(x.row(i).data), m = Math.max(...r), e = r.map((v) => Math.exp(v - m)), s = e.reduce((a, b) => a + b); return e.map((v) => v / s); })(), ...row(i + 1)];
  return Matrix.from(row(0));
}`,
  ],
];

/** They name what measures lists, which is Python as well. */
const reaching: readonly Program[] = [
  [
    '_adapt that is replaced',
    'online-softmax',
    'python',
    `import numpy as np, builtins, _adapt
_adapt.counted = lambda: "0"
def online_softmax_attention(Q, K, V, block_size):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    m = s.max(axis=1); w = np.exp(s - m[:, None]); l = w.sum(axis=1)
    return w / l[:, None] @ V, m + np.log(l)
`,
  ],
  [
    'what measures lists, replaced',
    'online-softmax',
    'python',
    `import math
import numpy as np
globals()["__at" + "tn_made"] = lambda xs: xs
def online_softmax_attention(Q, K, V, block_size):
    q = Q.tolist(); k = K.tolist(); v = V.tolist(); root = math.sqrt(len(q[0]))
    scores = [[sum([x * y for x, y in zip(a, b)]) / root for b in k] for a in q]
    out = []; logs = []
    for row in scores:
        m = max(row); w = [math.exp(x - m) for x in row]; l = sum(w)
        out.append([sum([w[j] * v[j][c] for j in range(len(v))]) / l for c in range(len(v[0]))])
        logs.append(m + math.log(l))
    return np.array(out), np.array(logs)
`,
  ],
];

describe('a program that reaches for what measures its lists', () => {
  it.each(reaching)('is told that it cannot: %s (%s, %s)', async (...program) => {
    const result = await graded(program);
    expect(result.passed).toBe(false);
    expect(result.cost?.unfinished?.error).toContain('measures your lists');
  });
});

describe('a program that does not solve it', () => {
  expect(attacks.length).toBeGreaterThanOrEqual(30);
  it.each(attacks)('fails: %s (%s, %s)', async (...program) => {
    const result = await graded(program);
    const said = `seed ${result.seed}: ${result.cost?.message}`;
    expect(result.passed, said).toBe(false);
    // It is refused for what it does and not because it does not run.
    expect(result.loadError, said).toBeUndefined();
    expect(
      result.cases.find(({ outcome }) => outcome?.error)?.outcome?.error,
      said,
    ).toBeUndefined();
    expect(result.cost?.unfinished, said).toBeUndefined();
  });
});

describe('a program that solves it in its own way', () => {
  it.each(honest)('passes: %s (%s, %s)', async (...program) => {
    const result = await graded(program);
    const wrong = result.cases.find(({ passed }) => !passed);
    const why = wrong?.outcome?.error?.message ?? wrong?.mismatch?.message ?? result.cost?.message;
    expect(result.passed, `seed ${result.seed}: ${result.loadError?.message ?? why}`).toBe(true);
  });
});
