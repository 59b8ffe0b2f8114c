import { beforeAll, describe, expect, it } from 'vitest';
import { type DrawnFigure, figuresOf } from '../../web/src/exercises/drawings';
import type { Python } from '../../web/src/exercises/python/interpreter';
import { readLoaded } from '../../web/src/exercises/sandbox/read-outcome';
import type { Value } from '../../web/src/exercises/types';
import { openPython } from '../tools/python-parts.mjs';

let python: Python;

beforeAll(async () => {
  const { createPython } = await openPython();
  python = await createPython();
}, 60_000);

const imports = `import numpy as np
import torch
import matplotlib.pyplot as plt
import seaborn as sns
w = np.array([[1.0, 0.0], [0.25, 0.75]])
tokens = ['the', 'cat']
`;

function draw(code: string): readonly DrawnFigure[] {
  const { error, drawings } = python.runScript(imports + code);
  expect(error?.message).toBeUndefined();
  return figuresOf(drawings);
}
const errorOf = (code: string) => python.runScript(imports + code).error;

const labelled = {
  kind: 'image',
  matrix: { rows: 2, cols: 2, data: Float32Array.of(1, 0, 0.25, 0.75) },
  rowLabels: ['the', 'cat'],
  colLabels: ['the', 'cat'],
};

describe('the page’s matplotlib records', () => {
  it.each([
    ['plt.imshow(w); plt.xticks(range(2), tokens); plt.yticks(np.arange(2), tokens)'],
    ['plt.matshow(w); plt.xticks([0, 1], tokens, rotation=90); plt.yticks([0, 1], labels=tokens)'],
    [
      'fig, ax = plt.subplots()\nax.matshow(w)\nax.set_xticks([0, 1]); ax.set_yticks([0, 1])\nax.set_xticklabels(tokens); ax.set_yticklabels(tokens)',
    ],
    ['sns.heatmap(w, xticklabels=tokens, yticklabels=tokens, cmap="Blues", annot=True)'],
    ['ax = sns.heatmap(w)\nax.set_xticklabels(tokens); ax.set_yticklabels(tokens, rotation=0)'],
    [
      'ax = plt.figure(figsize=(3, 3)).add_subplot(111)\nax.imshow(torch.tensor(w), cmap="viridis")\nax.set_xticks(range(2), labels=tokens); ax.set_yticks(range(2), labels=tokens)',
    ],
  ])('a picture with its tokens, whatever the calls: %s', (code) => {
    const figures = draw(code);
    expect(figures).toHaveLength(1);
    expect(figures[0]?.parts).toMatchObject([{ ...labelled, low: 0, high: 1 }]);
  });

  it('a copy, and the ends of the colours', () => {
    const [figure] = draw('plt.imshow(w, vmin=-1, vmax=2)\nw[0, 0] = 9\nplt.title("before")');
    expect(figure?.parts).toMatchObject([
      { title: 'before', low: -1, high: 2, matrix: { data: Float32Array.of(1, 0, 0.25, 0.75) } },
    ]);
  });

  it('a grid in its order, without the places that are left over', () => {
    const [figure] = draw(`fig, axes = plt.subplots(2, 2)
for head, ax in reversed(list(enumerate(axes.flat))):
    if head == 3:
        ax.axis('off')
        continue
    ax.imshow(w * (head + 1))
    ax.set_title(f'Head {head}')
fig.suptitle('All')`);
    expect(figure).toMatchObject({ title: 'All', cols: 2 });
    expect(figure?.parts.map(({ title }) => title)).toEqual(['Head 0', 'Head 1', 'Head 2']);
  });

  it.each([
    ['np.array(plt.subplots(1, 2)[1]).flatten()', 2],
    ['np.atleast_1d(plt.subplots(1, 1)[1])', 1],
    ['plt.subplots(2, 3)[1].ravel()', 6],
    ['[ax for row in plt.subplots(2, 2)[1] for ax in row]', 4],
    ['plt.subplots(3, 1, squeeze=False)[1][:, 0]', 3],
  ])('axes as NumPy holds them: %s', (code, count) => {
    const [figure] = draw(`for ax in ${code}:\n    ax.imshow(w)`);
    expect(figure?.parts).toHaveLength(count);
  });

  it('texts, by the cell that they lie in', () => {
    const [figure] = draw(`plt.imshow(w)
for i in range(2):
    for j in range(2):
        plt.text(j, i, f'{w[i, j]:.2f}', ha='center', va='center', color='w')
plt.text(9, 9, 'outside')`);
    const [part] = figure?.parts ?? [];
    expect(part?.kind === 'image' && [...part.texts]).toEqual([
      [0, '1.00'],
      [1, '0.00'],
      [2, '0.25'],
      [3, '0.75'],
    ]);
  });

  it('lines, with their names and scales', () => {
    const [figure] = draw(`plt.plot([1, 2, 3], [4, 5, 6], 'o-', label='a')
plt.plot([7, 8, 9])
plt.xscale('log'); plt.xlabel('d_k')`);
    expect(figure?.parts).toMatchObject([
      {
        kind: 'lines',
        xLog: true,
        yLog: false,
        xName: 'd_k',
        lines: [
          { label: 'a', x: [1, 2, 3], y: [4, 5, 6] },
          { label: '', x: [0, 1, 2], y: [7, 8, 9] },
        ],
      },
    ]);
  });

  it('texts between lines, each at its place', () => {
    const [figure] = draw(`plt.plot([1, 2, 3], [4, 5, 6])
plt.text(2, 5, 'here', ha='center')
plt.gca().text(3, 4.5, 7)`);
    expect(figure?.parts).toMatchObject([
      {
        kind: 'lines',
        texts: [
          { x: 2, y: 5, text: 'here' },
          { x: 3, y: 4.5, text: '7' },
        ],
      },
    ]);
  });

  it('a new figure after show, and none of the run before', () => {
    expect(draw('plt.imshow(w); plt.show(); plt.imshow(w); plt.show()')).toHaveLength(2);
    expect(draw('plt.figure(); plt.show()')).toHaveLength(0);
    expect(python.runScript('x = 1').drawings).toBeUndefined();
  });
});

describe('what is not here, or wrong, is one plain sentence', () => {
  it.each([
    ['plt.hist(w)', 'AttributeError', /^plt\.hist is not here; this page's matplotlib knows /],
    ['plt.gca().bar([1], [2])', 'AttributeError', /^ax\.bar is not here; /],
    ['plt.gcf().canvas', 'AttributeError', /^fig\.canvas is not here; /],
    ['sns.lineplot(w)', 'AttributeError', /^sns\.lineplot is not here; /],
    ['plt.imshow(w[0])', 'TypeError', /^Invalid shape \(2,\) for image data/],
    ['plt.imshow(w, vmim=0)', 'TypeError', /^vmim is not a parameter/],
    ['plt.imshow(w, origin="lower")', 'ValueError', /first row of a picture is at its top/],
    [
      'plt.xticks(range(3), tokens)',
      'ValueError',
      /\(3\) does not match the number of labels \(2\)/,
    ],
    ['plt.gca().set_xticklabels(tokens)', 'ValueError', /labels need places/],
    ['plt.colorbar()', 'RuntimeError', /draw with imshow first/],
    ['plt.plot([1, 2], [1, 2, 3])', 'ValueError', /same first dimension/],
    ['plt.savefig("a.png")', 'RuntimeError', /^files are not here/],
    ['import matplotlib.animation', 'ModuleNotFoundError', /only matplotlib\.pyplot/],
  ])('%s', (code, type, message) => {
    const error = errorOf(code);
    expect(error?.type).toBe(type);
    expect(error?.message).toMatch(message);
    expect(error?.message).not.toMatch(/\n/);
  });
});

describe('a function that is graded by what it draws', () => {
  const call = (body: string, args: readonly Value[] = []): Value | undefined => {
    const code = `${imports}def f():\n    ${body}`;
    const { loadError } = python.load({ code, entry: 'f', parameters: [], draws: true });
    expect(loadError).toBeUndefined();
    const outcome = python.call(args);
    expect(outcome.error?.message).toBeUndefined();
    return outcome.value;
  };

  it('gives its pictures, whatever it returns', () => {
    const value = call('plt.imshow(w); plt.title("now"); return 7');
    expect(value).toMatchObject({
      entries: { figures: 1, pictures: [{ entries: { title: 'now' } }] },
    });
  });

  it('gives none of the call before', () => {
    call('plt.imshow(w)');
    expect(python.call([])).toMatchObject({ value: { entries: { figures: 1 } } });
    expect(call('pass')).toMatchObject({ entries: { figures: 0, pictures: [] } });
  });
});

it('what a worker says was drawn is checked before it is used', () => {
  expect(readLoaded({ prints: '', drawings: [{ kind: 'array', shape: [9], data: [] }] })).toEqual({
    prints: '',
  });
  const odd: Value[] = [
    3,
    'text',
    { kind: 'dict', entries: { axes: 'none' } },
    { kind: 'dict', entries: { axes: [{ kind: 'dict', entries: { image: 5, lines: [1] } }] } },
  ];
  expect(figuresOf(odd)).toEqual([]);
});
