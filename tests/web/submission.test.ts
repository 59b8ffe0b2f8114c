import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../web/src/exercises/sha256';
import {
  canonical,
  makeSubmission,
  printSubmission,
  readSubmission,
  SubmissionError,
  seedsOf,
  summaryOf,
} from '../../web/src/exercises/submission';
import { displayTex } from '../../web/src/exercises/tex';
import type { Exercise, Grade } from '../../web/src/exercises/types';
import { PackError } from '../../web/src/state/pack-matrices';
import { packText, unpackText } from '../../web/src/state/pack-text';

const submission = makeSubmission({
  student: 'Ada',
  time: '2026-11-21T18:00:00.000Z',
  versions: { labs: '0.1.0' },
  exercises: [
    {
      ...{ exercise: 'attention', language: 'python', code: 'def attention(): ...\n' },
      ...{ runs: 2, hints: 1, solutionSeen: false, seeds: [1, 2] },
    },
  ],
});

describe('a submission', () => {
  it('is read back as it was written, and says that it is intact', () => {
    const read = readSubmission(printSubmission(submission));
    expect(read).toEqual({ submission, intact: true });
  });

  it('detects any change to it', () => {
    for (const [from, to] of [
      ['Ada', 'Eve'],
      ['def attention', 'def attention_'],
      ['"hints": 1', '"hints": 0'],
    ] as const) {
      const text = printSubmission(submission);
      expect(text).toContain(from);
      expect(readSubmission(text.replace(from, to)).intact).toBe(false);
    }
  });

  it('has the same checksum in any order of its keys', () => {
    const turned = Object.fromEntries(Object.entries(submission).reverse());
    expect(readSubmission(JSON.stringify(turned)).intact).toBe(true);
    expect(canonical({ b: 1, a: [{ d: 2, c: 3 }] })).toBe('{"a":[{"c":3,"d":2}],"b":1}');
  });

  it('is refused with a sentence when the text is not a submission', () => {
    const refused = (text: string): string => {
      try {
        readSubmission(text);
        return 'accepted';
      } catch (error) {
        return error instanceof SubmissionError ? error.message : String(error);
      }
    };
    expect(refused('hello')).toContain('not JSON');
    expect(refused('[]')).toContain('no submission');
    expect(refused(JSON.stringify({ ...submission, v: 7 }))).toContain('version 7');
    const odd = { ...submission, v: { toString: null } };
    expect(refused(JSON.stringify(odd))).toContain('version {"toString":null}');
    expect(refused(JSON.stringify({ ...submission, exercises: [{}] }))).toContain('exercise 1');
  });

  it('summarises a grade without NaN, which JSON lacks', () => {
    const outcome = { prints: '', counts: { multiplyAdds: 0, touched: 0, bytes: 0, largest: 0 } };
    const grade = {
      ...{ exercise: 'attention', language: 'python', passed: false, prints: '' },
      cases: [
        { name: 'right', hidden: false, passed: true, args: [], expected: 1 },
        {
          ...{ name: 'wrong', hidden: true, passed: false, args: [], expected: 1 },
          outcome: { ...outcome, milliseconds: 1, value: 2 },
          mismatch: { part: '', reason: 'value', message: 'off by 1', maxAbsolute: Number.NaN },
        },
      ],
      cost: { passed: false, points: [], slope: Number.NaN, maxSlope: 1.2, message: '' },
      variant: { id: 'no-scale', message: '' },
    } as unknown as Grade;
    const summary = summaryOf(grade, 't');
    expect(JSON.parse(JSON.stringify(summary))).toEqual(summary);
    expect(summary).toMatchObject({ variant: 'no-scale', cost: { slope: -1 } });
    expect(summary.cases[1]).toEqual({
      ...{ name: 'wrong', hidden: true, passed: false, why: 'off by 1' },
    });
  });

  it('lists the seeds of the inputs, also those inside lists', () => {
    const cases = [
      { name: 'a', args: [{ make: 'normal', seed: 5, shape: [2] }, 3, null] },
      { name: 'b', args: [[{ make: 'uniform', seed: 7, shape: [1] }]] },
    ] as unknown as Exercise['cases'];
    expect(seedsOf({ cases })).toEqual([5, 7]);
  });
});

describe('sha256', () => {
  it('is what Node computes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
      }),
    );
  });
});

describe('text in a link', () => {
  it('is unpacked letter for letter', async () => {
    const code = 'def φ(x):\n\treturn "ü\\n" * 3\n'.repeat(20);
    const packed = await packText(code);
    expect(packed).toMatch(/^[\w-]+$/);
    expect(await unpackText(packed as string)).toBe(code);
    expect(await unpackText((await packText('')) as string)).toBe('');
    const marked = '\uFEFFdef f(x):\n\treturn x\n';
    expect(await unpackText((await packText(marked)) as string)).toBe(marked);
  });

  it('is not made where it would be too long, and not read where it is damaged', async () => {
    const noise = Array.from({ length: 20_000 }, (_, i) => sha256(String(i))[i % 64]).join('');
    expect(await packText(noise)).toBeUndefined();
    const packed = (await packText('print(1)  # and more of it')) as string;
    for (const text of ['', 'ä', packed.slice(0, -6), `A${packed.slice(1)}`]) {
      await expect(unpackText(text)).rejects.toBeInstanceOf(PackError);
    }
  });
});

describe('a paragraph', () => {
  it('that is nothing but a formula is set on a line of its own', () => {
    expect(displayTex('$x^2$')).toBe('\\displaystyle x^2');
    expect(displayTex(' $$x^2$$. ')).toBe('\\displaystyle x^2');
    expect(displayTex('So $x^2$ is')).toBeUndefined();
    expect(displayTex('$a$ and $b$')).toBeUndefined();
  });
});
