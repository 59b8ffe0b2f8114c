/** The table of what a link to this page holds. */
import { defineState, integer, type StateOf, text } from '../../src/state/url.ts';

const table = {
  lab: text({ key: 'lab', maxLength: 80, default: '' }),
  exercise: text({ key: 'exercise', maxLength: 80, default: '' }),
  /** The step of the lab, or its figure, where it begins. */
  step: text({ key: 'step', maxLength: 80, default: '' }),
  /** The query of the lab or the exercise, without its `?`. */
  query: text({ key: 'q', label: 'query', default: '' }),
  /** Empty for that of this page. */
  language: text({ key: 'in', label: 'language', maxLength: 8, default: '' }),
  height: integer({ key: 'height', min: 200, max: 5000, default: 800 }),
  /** 0 for as wide as the page around. */
  width: integer({ key: 'width', min: 0, max: 5000, default: 0 }),
};

export const embedState = defineState(table);
export type EmbedState = StateOf<typeof table>;
