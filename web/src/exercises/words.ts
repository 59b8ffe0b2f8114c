/**
 * The words of an exercise in another language than English, the language of its specification. Everything that the
 * judge works with (names, inputs, the reference) exists only once.
 */
import type {
  ArgumentOrder,
  CaseReport,
  CostReport,
  Exercise,
  Grade,
  Language,
  Mismatch,
  Parameter,
} from './types.ts';

type Texts = Readonly<Record<string, string>>;

/** All texts of an exercise that a student reads, each under the name of the part that it belongs to. */
export interface ExerciseWords {
  readonly title: string;
  readonly summary: string;
  readonly task: readonly string[];
  readonly parameters: Texts;
  readonly results: Texts;
  /** The texts of the cases, by the English name of the case. */
  readonly cases: Texts;
  readonly tolerance: string;
  readonly cost?: string;
  readonly hints: readonly string[];
  readonly variants: Texts;
  readonly figure: {
    readonly caption: string;
    readonly knobs: Texts;
    readonly rows?: string;
    readonly cols?: string;
    readonly y?: string;
  };
  readonly where: string;
}

type Named<Names extends string> = Readonly<Record<Names, string>>;
type AsMany<T extends readonly unknown[]> = { readonly [K in keyof T]: string };

/**
 * The words of one particular specification. The type refuses a missing text, and a text for a part that the
 * specification does not have.
 */
export type WordsOf<E extends Exercise> = {
  readonly title: string;
  readonly summary: string;
  readonly task: AsMany<E['task']>;
  readonly parameters: Named<E['parameters'][number]['name']>;
  readonly results: Named<E['results'][number]['name']>;
  readonly cases: Named<E['cases'][number]['name']>;
  readonly tolerance: string;
  readonly hints: AsMany<E['hints']>;
  readonly variants: Named<E['variants'][number]['id']>;
  readonly figure: {
    readonly caption: string;
    readonly knobs: Named<keyof E['figure']['knobs'] & string>;
  } & (E['figure']['draw'] extends { readonly kind: 'matrix' }
    ? { readonly rows: string; readonly cols: string }
    : E['figure']['draw'] extends { readonly kind: 'curve' }
      ? { readonly y: string }
      : unknown);
  readonly where: string;
} & (E extends { readonly cost: object } ? { readonly cost: string } : unknown);

/** The exercise with its words in another language. A text that is missing stays English. */
export function inLanguage(exercise: Exercise, words: ExerciseWords | undefined): Exercise {
  if (!words) return exercise;
  const { title, summary, task, where } = words;
  const { cost, tolerance, figure, source, variants, hints } = exercise;
  const [first, second, third] = words.hints;
  const told = (parameters: readonly Parameter[], texts: Texts): readonly Parameter[] =>
    parameters.map((one) => ({ ...one, what: texts[one.name] ?? one.what }));
  return {
    ...exercise,
    ...{ title, summary, task },
    parameters: told(exercise.parameters, words.parameters),
    results: told(exercise.results, words.results),
    cases: exercise.cases.map((one) => ({ ...one, name: words.cases[one.name] ?? one.name })),
    tolerance: { ...tolerance, reason: words.tolerance },
    ...(cost ? { cost: { ...cost, wanted: words.cost ?? cost.wanted } } : {}),
    hints: [first ?? hints[0], second ?? hints[1], third ?? hints[2]],
    variants: variants.map((one) => ({ ...one, message: words.variants[one.id] ?? one.message })),
    figure: {
      ...figure,
      caption: words.figure.caption,
      knobs: Object.fromEntries(
        Object.entries(figure.knobs).map(([name, knob]) => [
          name,
          { ...knob, label: words.figure.knobs[name] ?? knob.label },
        ]),
      ),
      draw: drawn(figure.draw, words.figure),
    },
    source: { ...source, where },
  };
}

function drawn(
  draw: Exercise['figure']['draw'],
  { rows, cols, y }: ExerciseWords['figure'],
): Exercise['figure']['draw'] {
  if (draw.kind === 'drawing') return draw;
  return draw.kind === 'matrix'
    ? { ...draw, rows: rows ?? draw.rows, cols: cols ?? draw.cols }
    : { ...draw, y: y ?? draw.y };
}

/** The judge's sentences about a run in a language other than English. */
export interface JudgeWords {
  readonly mismatch: (found: Mismatch, language: Language) => string;
  /** `wanted` as the exercise's words say it. */
  readonly cost: (
    report: CostReport,
    wanted: string,
    of: 'work' | 'largest',
    language: Language,
  ) => string;
  /** Name of the nth drawn case. */
  readonly drawn: (nth: number) => string;
  readonly order: (order: ArgumentOrder) => string;
}

/** The translated cases of a report, kept so that the same cases always give the same array. */
const toldCases = new WeakMap<
  readonly CaseReport[],
  { readonly words: ExerciseWords | undefined; readonly cases: readonly CaseReport[] }
>();

/** The grade in the given words and those of the judge. The grade that is kept and handed in stays English. */
export function gradeInLanguage(
  grade: Grade,
  exercise: Exercise,
  words: ExerciseWords | undefined,
  judge: JudgeWords | undefined,
): Grade {
  if (!words && !judge) return grade;
  const { variant, order, cost, language } = grade;
  let told = toldCases.get(grade.cases);
  if (!told || told.words !== words) {
    const cases = grade.cases.map((one) => ({
      ...{
        ...one,
        name: (one.drawn && judge?.drawn(one.drawn)) || (words?.cases[one.name] ?? one.name),
      },
      ...(one.mismatch &&
        judge && {
          mismatch: { ...one.mismatch, message: judge.mismatch(one.mismatch, language) },
        }),
    }));
    told = { words, cases };
    toldCases.set(grade.cases, told);
  }
  return {
    ...{ ...grade, cases: told.cases },
    ...(variant && {
      variant: {
        ...variant,
        message:
          (order && judge ? judge.order(order) : words?.variants[variant.id]) ?? variant.message,
      },
    }),
    ...(cost &&
      judge && {
        cost: {
          ...cost,
          message: judge.cost(
            cost,
            words?.cost ?? exercise.cost?.wanted ?? '',
            exercise.cost?.of ?? 'work',
            language,
          ),
        },
      }),
  };
}
