/** Whose the functions of the module `exercise` are, as data and as markup. */
import { html, nothing } from 'lit';
import { exerciseList } from '../../exercises/exercise-list.ts';
import type { Work } from '../../exercises/kept-work.ts';
import {
  type OwnCode,
  type PartName,
  partExercises,
  partNames,
} from '../../exercises/python/exercise-parts.ts';
import { exercises } from '../../strings/exercises.ts';
import { coded } from '../exercise/prose.ts';

const words = exercises.scratch.parts;

/** `changed`: the code that had passed is not the code that is there, and so it is not handed out. */
export type Whose = 'yours' | 'ours' | 'changed' | 'none';
export interface Standing {
  readonly name: PartName;
  readonly exercise: string;
  readonly whose: Whose;
}

/** The student's Python that has passed as it stands, by exercise: a grade belongs to the code of its record. */
export const passedCode = (works: readonly Work[]): OwnCode =>
  Object.fromEntries(
    works
      .filter(({ language, grade }) => language === 'python' && grade?.passed)
      .map(({ exercise, code }) => [exercise, code]),
  );

export function standings(works: readonly Work[], onlyOwn: boolean): readonly Standing[] {
  const own = passedCode(works);
  return partNames.map((name) => {
    const exercise = partExercises[name];
    const earlier = works.some(
      (work) => work.exercise === exercise && work.language === 'python' && work.firstPassed,
    );
    const whose = Object.hasOwn(own, exercise)
      ? 'yours'
      : onlyOwn
        ? 'none'
        : earlier
          ? 'changed'
          : 'ours';
    return { name, exercise, whose };
  });
}

const titleOf = (id: string): string =>
  exerciseList.now.list.find((each) => each.id === id)?.title ?? id;

export function renderParts(
  all: readonly Standing[],
  {
    taken,
    onlyOwn,
    choose,
  }: {
    /** The functions that the last run took. */
    readonly taken: readonly string[];
    readonly onlyOwn: boolean;
    readonly choose: (onlyOwn: boolean) => void;
  },
) {
  const yours = all.filter(({ whose }) => whose === 'yours').length;
  const rest = all.length - yours;
  const used = ({ name }: Standing) => taken.includes(name);
  // What the run used comes first; the sort is stable.
  const rows = [...all].sort((a, b) => Number(used(b)) - Number(used(a)));
  return html`<details class="parts" ?open=${taken.length > 0 || onlyOwn}>
    <summary>${coded(onlyOwn ? words.missing(yours, rest) : words.title(yours, rest))}</summary>
    <p class="fine">${words.intro}</p>
    <ul>
      ${rows.map(
        (part) =>
          html`<li data-whose=${part.whose}>
            <code>${part.name}</code>
            <a href="?id=${part.exercise}">${titleOf(part.exercise)}</a>:
            ${words[part.whose]}${used(part) ? html`; <b>${words.taken}</b>` : nothing}
          </li>`,
      )}
    </ul>
    <label>
      <input
        type="checkbox"
        .checked=${onlyOwn}
        @change=${(event: Event) => choose((event.target as HTMLInputElement).checked)}
      />
      ${words.onlyOwn}
    </label>
  </details>`;
}
