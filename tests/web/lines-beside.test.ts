import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesBeside } from '../../web/src/exercises/lines-beside';

describe('two pieces of code, line beside line', () => {
  it('mark the lines that only one of them has, and no others', () => {
    const yours = 'import numpy as np\n\ndef f(x):\n    y = np.exp(x)\n    return y / y.sum()\n';
    const ours =
      'import numpy as np\r\n\r\ndef f(x):  \r\n    # stable\r\n    y = np.exp(x - x.max())\r\n    return y / y.sum()';
    expect(linesBeside(yours, ours)).toEqual([
      { yours: 'import numpy as np', ours: 'import numpy as np', same: true },
      { yours: '', ours: '', same: true },
      { yours: 'def f(x):', ours: 'def f(x):', same: true },
      { yours: '    y = np.exp(x)', ours: '    # stable', same: false },
      { ours: '    y = np.exp(x - x.max())', same: false },
      { yours: '    return y / y.sum()', ours: '    return y / y.sum()', same: true },
    ]);
  });

  it('keep every line of both, in order, and call alike only what is alike', () => {
    const code = fc
      .array(fc.constantFrom('a', 'b', '  c', 'd'))
      .map((lines) => `x\n${lines.join('\n')}\ny`);
    fc.assert(
      fc.property(code, code, (yours, ours) => {
        const pairs = linesBeside(yours, ours);
        const kept = (side: 'yours' | 'ours') =>
          pairs.flatMap((pair) => pair[side] ?? []).join('\n');
        expect(kept('yours')).toBe(yours);
        expect(kept('ours')).toBe(ours);
        expect(pairs.every(({ yours: left, ours: right, same }) => !same || left === right)).toBe(
          true,
        );
        expect(pairs.every(({ same }) => same)).toBe(yours === ours);
      }),
    );
  });
});
