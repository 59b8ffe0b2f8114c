import { html, nothing, type TemplateResult } from 'lit';
import { exerciseList } from '../../exercises/exercise-list.ts';
import type { Exercise } from '../../exercises/types.ts';
import { exercises } from '../../strings/exercises.ts';
import { prose, type RenderedTex } from './prose.ts';

const words = exercises.facts;

/** How hard an exercise is, how long it takes, and what it builds on, by its name in the page's language. */
export const facts = (
  { difficulty, minutes, buildsOn }: Pick<Exercise, 'difficulty' | 'minutes' | 'buildsOn'>,
  formulas: RenderedTex,
): TemplateResult => {
  const { list, groups } = exerciseList.now;
  const known = buildsOn.flatMap(
    (id) => list.find((one) => one.id === id) ?? groups.find((one) => one.id === id) ?? [],
  );
  return html`<p class="fine facts">
    <span class="difficulty-${difficulty}">${words.difficulty[difficulty]}</span> ·
    ${words.minutes(minutes)}${
      known.length > 0
        ? html` · ${words.buildsOn}
            ${known.map(
              ({ title, lang }, i) =>
                html`${i > 0 ? ', ' : ''}<span lang=${lang ?? nothing}>${prose(title, formulas)}</span>`,
            )}`
        : nothing
    }
  </p>`;
};
