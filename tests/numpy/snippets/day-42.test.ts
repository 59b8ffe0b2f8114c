// The snippets of the text on attention mechanisms on the scratch sheet: as a student pastes them, as the sheet offers
// them, and with the student's own solutions in the module `exercise`.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { day42 } from '../../../web/src/components/scratch/day-42';
import {
  exerciseModules,
  type OwnCode,
  partExercises,
  partNames,
  sheetOf,
} from '../../../web/src/exercises/python/exercise-parts';
import { openPython } from '../../tools/python-parts.mjs';

const root = new URL('../../../', import.meta.url);
// One of them is no Python.
const snippet = (name: string) =>
  readFileSync(
    new URL(`tests/numpy/snippets/day-42-${name}.${name === 'causal' ? 'txt' : 'py'}`, root),
    'utf8',
  );
const solution = (id: string) =>
  readFileSync(new URL(`web/exercises/${id}/solution.py`, root), 'utf8');
let tools: Awaited<ReturnType<typeof openPython>>;

beforeAll(async () => {
  tools = await openPython();
}, 60_000);

/** What the sheet does with a text: its missing imports go before it, and the student's solutions into `exercise`. */
async function sheet(text: string, own: OwnCode = {}, onlyOwn = false) {
  const python = await tools.createPython();
  const { before } = tools.missingImports(text);
  const { loadError, prints, taken } = python.load({
    ...{ code: before + text, entry: '', parameters: [] },
    modules: exerciseModules(own, onlyOwn),
  });
  return { error: loadError && `${loadError.type}: ${loadError.message}`, prints, taken };
}

/** The file of each snippet, and how the sheet calls it. */
const files = {
  verify: 'verify',
  basic: 'basic',
  sparse: 'sparse',
  cache: 'cache',
  causal: 'causal',
  stability: 'numerical-stability',
  minus: 'nan',
  memory: 'memory',
  device: 'device',
  checkpoint: 'out-of-memory',
  overflow: 'overflow',
} as const;
type Name = keyof typeof files;
const names = Object.keys(files) as Name[];

describe('a snippet of day 42, pasted alone,', () => {
  const wanted: Partial<Record<Name, RegExp>> = {
    verify:
      /^PyTorch version: 2\.0 .*\nCUDA available: False\n✅ All dependencies installed successfully!\n$/,
    basic:
      /^Input shape: torch\.Size\(\[2, 10, 512\]\)\nOutput shape: torch\.Size\(\[2, 10, 512\]\)\nAttention weights shape: torch\.Size\(\[2, 8, 10, 10\]\)\n$/,
    sparse: /^Sparse attention output: torch\.Size\(\[1, 512, 512\]\)\n$/,
    cache: /^(Step (\d+): Cache length = \2\n){10}$/,
    memory:
      /^UserWarning: torch\.cuda\.amp\.autocast .* there is none here: this block runs in float32/,
  };
  it.each(names.filter((name) => name !== 'causal'))(
    '%s, runs to its end',
    async (name) => {
      const { error, prints } = await sheet(snippet(files[name]));
      expect(error).toBeUndefined();
      expect(prints).toMatch(wanted[name] ?? /^$/);
    },
    60_000,
  );

  it('causal, is no Python, and the sheet says where', async () => {
    expect((await sheet(snippet('causal'))).error).toMatch(/^SyntaxError: .*∞/);
  });

  it('slow, is comments only', async () => {
    expect(await sheet(snippet('slow'))).toEqual({
      error: undefined,
      prints: '',
      taken: undefined,
    });
  });
});

describe('a snippet of day 42, as the sheet offers it,', () => {
  it.each(names)('%s, has the text’s lines unchanged', (name) => {
    if (name === 'causal') {
      for (const line of snippet('causal').trim().split('\n')) {
        expect(day42.causal).toContain(`\n#   ${line}\n`);
      }
    } else expect(day42[name]).toContain(snippet(files[name]));
  });

  const numbers = (text: string) =>
    text.match(/-?(?:\d+\.?\d*(?:e[-+]?\d+)?|nan|inf)/g)?.map(Number);

  it('basic, has rows that sum to 1', async () => {
    const { error, prints, taken } = await sheet(day42.basic);
    expect(error).toBeUndefined();
    expect(prints).toContain('Rows that do not sum to 1: 0\n');
    expect(taken).toEqual(['multi_head_attention']);
  }, 60_000);

  it('sparse, sees the window and itself', async () => {
    const { error, prints, taken } = await sheet(day42.sparse);
    expect(error).toBeUndefined();
    // 64 to either side, and at both ends as many less as the window reaches over.
    expect(prints).toContain('sees: 129\n');
    const cells = 512 * 129 - 64 * 65;
    expect(prints).toContain(`cells: ${(cells / 512 ** 2).toFixed(3)}\n`);
    expect(taken).toEqual(['local_mask', 'masked_softmax']);
  }, 60_000);

  it('cache, holds ten tokens of eight heads', async () => {
    const { error, prints } = await sheet(day42.cache);
    expect(error).toBeUndefined();
    expect(prints).toContain('Keys: (1, 8, 10, 64)\n');
  }, 60_000);

  it('causal, gives each row to what came before', async () => {
    const { error, prints } = await sheet(day42.causal);
    expect(error).toBeUndefined();
    const weights = numbers(prints.split('tensor')[2] ?? '');
    expect(weights).toHaveLength(16);
    weights?.forEach((w, at) => {
      const [i, j] = [Math.floor(at / 4), at % 4];
      expect(w).toBeCloseTo(j > i ? 0 : 1 / (i + 1), 4);
    });
  });

  it('stability, has NaN before and 0 afterwards, and still overflows', async () => {
    const { error, prints } = await sheet(day42.stability);
    expect(error).toBeUndefined();
    const [, before = '', clean = '', large = ''] = prints.split('tensor');
    expect(before.match(/nan/g)).toHaveLength(3);
    expect(numbers(clean)?.slice(-3)).toEqual([0, 0, 0]);
    expect(large).toContain('nan');
  });

  it('minus, spreads a hidden row over everything', async () => {
    const { error, prints } = await sheet(day42.minus);
    expect(error).toBeUndefined();
    expect(numbers(prints)).toEqual([0.5, 0.5, 0, 0, 0.25, 0.25, 0.25, 0.25]);
  });

  it('memory, returns two things in float32', async () => {
    const { error, prints } = await sheet(day42.memory);
    expect(error).toBeUndefined();
    expect(prints).toMatch(/tuple.* torch\.Size\(\[2, 10, 512\]\) torch\.float32\n/);
    expect(prints).toContain('a cache of its own? False');
  }, 60_000);

  it.each(['verify', 'device', 'checkpoint'] as const)('%s, runs', async (name) => {
    const { error, prints } = await sheet(day42[name]);
    expect(error).toBeUndefined();
    expect(prints).not.toBe('');
  });

  it('overflow, passes its check and does not fit', async () => {
    const { error, prints } = await sheet(day42.overflow);
    expect(prints).toBe('In the cache: 5 of 8; to come: 4\n');
    expect(error).toMatch(
      /^ValueError: Sequence too long for cache: it holds 5 of 8 tokens, and 4 more came/,
    );
  }, 60_000);
});

it('says once for each kind of autocast that nothing is cast', async () => {
  const { error, prints } = await sheet(`import torch
from torch.cuda.amp import autocast
@torch.autocast("cpu")
def twice(x):
    return x * 2
with autocast(), torch.amp.autocast("cuda", enabled=False):
    print(twice(torch.ones(1)).dtype)
for _ in range(3):
    with torch.cuda.amp.autocast():
        twice(torch.ones(1))
`);
  expect(error).toBeUndefined();
  expect(prints.split('\n')).toEqual([
    expect.stringMatching(/^UserWarning: torch\.cuda\.amp\.autocast .* runs in float32/),
    expect.stringMatching(/^UserWarning: torch\.autocast .* 16 bits.* runs in float32/),
    'torch.float32',
    '',
  ]);
});

describe('the module `exercise`', () => {
  it('has the functions that the exercises ask for', () => {
    for (const name of partNames) {
      expect(solution(partExercises[name])).toMatch(new RegExp(`^def ${name}\\(`, 'm'));
      const spec = readFileSync(
        new URL(`web/exercises/${partExercises[name]}/exercise.ts`, root),
        'utf8',
      );
      expect(spec).toContain(`entry: '${name}'`);
    }
  });

  // A right solution that can be told from ours: it prints.
  const mine = (id: string, name: string) =>
    solution(id).replace(
      new RegExp(`def ${name}\\((.*)\\):\\n`),
      `def ${name}($1):\n    print('mine: ${name}')\n`,
    );

  it.each([
    ['multi_head_attention', 'basic'],
    ['local_mask', 'sparse'],
    ['masked_softmax', 'sparse'],
    ['kv_cache', 'cache'],
    ['kv_cache_step', 'cache'],
  ] as const)(
    'hands out the student’s own %s',
    async (name, text) => {
      const id = partExercises[name];
      const { error, prints, taken } = await sheet(day42[text], { [id]: mine(id, name) });
      expect(error).toBeUndefined();
      expect(prints).toContain(`mine: ${name}\n`);
      expect(taken).toContain(name);
      // Without it nobody prints that.
      expect((await sheet(day42[text])).prints).not.toContain('mine');
    },
    60_000,
  );

  it('takes what the student’s function returns', async () => {
    const own = {
      'local-mask':
        'import numpy as np\ndef local_mask(n, window, causal):\n    return np.eye(n), n\n',
    };
    const { prints } = await sheet(day42.sparse, own);
    expect(prints).toContain('sees: 1\n');
  }, 60_000);

  it('says whose each function is', async () => {
    const own = { 'local-mask': solution('local-mask') };
    const text =
      'import exercise\nprint(exercise.whose()["local_mask"], exercise.whose()["kv_cache"])\n';
    expect((await sheet(text, own)).prints).toBe('yours ours\n');
    expect((await sheet(text, own, true)).prints).toBe('yours kv-cache\n');
  });

  it('hands helpers of the same name to their own file only', async () => {
    const with_ = (name: string, args: string, size: string) =>
      `import numpy as np\ndef helper(n):\n    return ${size}\ndef ${name}(${args}):\n    return helper(n), 0\n`;
    const own = {
      'local-mask': with_('local_mask', 'n, window, causal', 'np.eye(n)'),
      'strided-mask': with_('strided_mask', 'n, window, stride', 'np.ones((n, n))'),
    };
    const text =
      'from exercise import local_mask, strided_mask\nprint(local_mask(2, 0, False)[0].sum(), strided_mask(2, 1, 1)[0].sum())\n';
    expect((await sheet(text, own)).prints).toBe('2.0 4.0\n');
  });

  it.each([
    ['from exercise import local_mask\n', 'local_mask', 'local-mask'],
    [snippet('basic'), 'multi_head_attention', 'multi-head-attention'],
    [snippet('sparse'), 'local_mask', 'local-mask'],
    [snippet('cache').replace(/\nfor[\s\S]*/, ''), 'kv_cache', 'kv-cache'],
  ])(
    'names the exercise that fills a name, where the reader wants no code of ours',
    async (text, name, id) => {
      const { error } = await sheet(text, {}, true);
      expect(error).toContain(
        `ImportError: ${name} is not yours yet: the exercise ${id} fills it (pages/exercises/?id=${id})`,
      );
    },
  );

  it('says what it has, where nobody fills a name', async () => {
    const { error } = await sheet('from exercise import FlashAttention\n');
    expect(error).toMatch(
      /^ImportError: exercise has no FlashAttention, and no exercise fills it\. It has AttentionConfig, MultiHeadAttention,/,
    );
  });

  it('says in whose function an error was', async () => {
    const own = { 'local-mask': 'def local_mask(n, window, causal):\n    return 1 / 0\n' };
    const { error } = await sheet(snippet('sparse'), own);
    expect(error).toMatch(/^RuntimeError: in your local_mask: ZeroDivisionError/);
  });

  it('cannot be filled where an exercise is graded', async () => {
    const python = await tools.createPython();
    const { loadError } = python.load({
      ...{ code: 'from exercise import local_mask\ndef f(): pass\n', entry: 'f', parameters: [] },
      modules: exerciseModules({}),
    });
    expect(loadError?.type).toBe('ModuleNotFoundError');
  });

  it.each(Object.entries(sheetOf))(
    'takes %s in the preset %s, from the student',
    async (name, preset) => {
      const text = day42[preset.replace('day42', '') as Name];
      const id = partExercises[name as keyof typeof sheetOf];
      const { error, taken } = await sheet(text, { [id]: solution(id) });
      expect(error).toBeUndefined();
      expect(taken).toContain(name);
    },
  );

  it.each(['strided', 'random'])('has the pattern %s, with masks', async (pattern) => {
    const { error, prints } = await sheet(`from exercise import AttentionConfig, SparseAttention
import torch
config = AttentionConfig(16, 2, sparse_pattern="${pattern}", window_size=2, stride=3, random_keys=2)
layer = SparseAttention(config)
x = torch.randn(2, 9, 16)
y, w = layer(x, return_attention=True, mask=torch.tril(torch.ones(9, 9)))
print(tuple(y.shape), ((w > 0) != (w.tril() > 0)).sum().item(), bool(torch.isfinite(y).all()))
`);
    expect(error).toBeUndefined();
    expect(prints).toBe('(2, 9, 16) 0 True\n');
  });
});
