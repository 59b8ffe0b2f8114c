/** The attention surgeon as data: one change a try, a view for each part of a figure, exercises at the end. */
import { describe, expect, it } from 'vitest';
import { lab } from '../../web/labs/surgeon/lab';
import { type Scene, scenesOf } from '../../web/src/lab/page/scenes';

const stepOf = (id: string) => {
  const step = lab.steps.find((one) => one.id === id);
  if (!step) throw new Error(`no step ${id}`);
  return step;
};
const shown = (scenes: readonly Scene[]): readonly (string | undefined)[] =>
  scenes.map(({ figure }) => (figure?.show ? `${figure.of}/${figure.show}` : figure?.of));

describe('the attention surgeon', () => {
  it('changes one knob a try, or says why two belong together', () => {
    for (const { blocks } of lab.steps) {
      for (const block of blocks) {
        if (block.kind !== 'tries') continue;
        for (const { id, values, together } of block.tries) {
          const many = Object.keys(values).length > 1;
          expect(together !== undefined, `${block.id}, ${id}`).toBe(many);
        }
      }
    }
  });

  it('has exercises at the end of its steps only', () => {
    for (const { id, blocks } of lab.steps) {
      const at = blocks.findIndex(({ kind }) => kind === 'exercises');
      if (at >= 0) expect(at, id).toBe(blocks.length - 1);
    }
  });

  it('shows a part of a figure beside the text about it, before and after the figure itself', () => {
    expect(shown(scenesOf(stepOf('stages').blocks))).toEqual([
      'table/row',
      'table/weights',
      'table/weights',
      undefined,
    ]);
    expect(shown(scenesOf(stepOf('read').blocks)).slice(0, 2)).toEqual([
      'picture/heads',
      'picture',
    ]);
    expect(shown(scenesOf(stepOf('checks').blocks))).toEqual([
      'rank',
      'dropout',
      'dropout/mean',
      undefined,
    ]);
    expect(shown(scenesOf(stepOf('models').blocks))).toEqual([
      'three',
      'three/attention',
      'three/prefix',
      'three/texts',
      undefined,
    ]);
  });
});
