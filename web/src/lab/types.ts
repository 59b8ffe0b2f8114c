/**
 * The lab format: a lab is data and prose in a folder of its own, `web/labs/<id>/`, and one shell
 * shows them all. Adding a lab touches nothing outside its folder.
 *
 * Nothing in here holds a result: what a figure, a prediction or a check compares with is asked of
 * the core when it is shown.
 */
import type { Client, Kept, Matrix, Qkv } from '#client';
import type { EnglishFirst } from '../strings/language';
import type { PartId } from './page/parts.ts';

export interface Lab {
  /** The folder's name, also that of its exercises (`Exercise['lab']`). */
  readonly id: string;
  /** Its place in the course, from 0: the one that comes before all others. */
  readonly number: number;
  /** The part of the course that it belongs to. */
  readonly part: PartId;
  /** The key of its link that takes a sentence, where a figure shows one (`figure.text`): the home page hands its own on. */
  readonly takesText?: string;
  /** Ids of the labs it builds on: advice, nothing is locked. */
  readonly requires: readonly string[];
  /** At the top, loaded with the page and drawn before anything else comes. */
  readonly opening: FigurePlace;
  readonly steps: readonly Step[];
  readonly references: readonly Reference[];
  /** Id of the lab to go on with. */
  readonly next?: string;
  /** How long its experiments take: `run-times.json` in its folder, which `npm run bench:runs` writes. */
  readonly runTimes?: RunTimes;
  /** The words, `words/<language>.md`. A new lab is in English; another language may come later and lack parts. */
  readonly words: EnglishFirst<() => Promise<{ readonly words: LabWords }>>;
}

/** What was measured of the experiments of a lab; `run-times.json` also names the command, the day and the sources. */
export interface RunTimes {
  /** As the system names it: `AMD EPYC`. */
  readonly cpu: string;
  /** `Chromium 156` */
  readonly browser: string;
  /** How long a run with the settings of the page took, by the id of the figure. */
  readonly seconds: Readonly<Partial<Record<string, number>>>;
}

/** A part of the page with a heading; its id is the anchor (`#id`). At most ten. */
export interface Step {
  readonly id: string;
  /** The lab that had this step once: links that lead there come here, and so does what was answered there. */
  readonly formerlyIn?: string;
  readonly blocks: readonly Block[];
}

export type Block =
  /** Paragraphs: `words.prose[id]`; they may speak of a figure that has its place elsewhere: a view of it stands beside them. */
  | { readonly kind: 'prose'; readonly id: string; readonly figure?: FigureRef }
  | { readonly kind: 'figure'; readonly figure: FigurePlace }
  | Prediction
  | Check
  /** Exercises in place, by id. */
  | { readonly kind: 'exercises'; readonly ids: readonly string[] }
  /** Buttons that set a figure's knobs: `words.tries[id]`. */
  | {
      readonly kind: 'tries';
      readonly id: string;
      readonly figure: FigureRef;
      readonly tries: readonly OneTry[];
    };

/** A figure of the lab by its id, or a part of it: which picture (`LabFigure.pictures`), and which knobs beside it. */
export type FigureRef =
  | string
  | { readonly of: string; readonly show?: string; readonly knobs?: readonly string[] };

/** One knob is changed, on the data on screen. */
export interface OneTry {
  readonly id: string;
  readonly values: KnobValues;
  /** Why more than one knob has to change, where that is so: two that mean something only together. */
  readonly together?: string;
}

export type KnobValues = Readonly<Record<string, string | number | boolean>>;

/** A figure in its place. */
export interface FigurePlace {
  /**
   * Unique in the lab. The keys of its knobs in a link have it before them: `curve.n=64`. The
   * opening's have nothing before them.
   */
  readonly id: string;
  /** The custom element, a `LabFigure`. */
  readonly tag: string;
  /** Defines the element; nothing to load for the opening. */
  readonly load?: () => Promise<unknown>;
  /** Values of knobs that differ from the element's defaults. */
  readonly values?: KnobValues;
  /** Knobs that are not offered here. */
  readonly hide?: readonly string[];
  /** The picture that stands here (`LabFigure.pictures`), where it is not all of the figure. */
  readonly show?: string;
  /** The knobs at first sight, where they are not the figure's first ones; the others are in its sheet. */
  readonly knobs?: readonly string[];
}

/**
 * The reader answers before the page shows what happens. The first answer is kept apart from later
 * ones. `words.predictions[id]`.
 */
export interface Prediction {
  readonly kind: 'prediction';
  readonly id: string;
  readonly answer:
    | { readonly kind: 'choice'; readonly options: readonly string[] }
    /** A bar to drag; `log` makes its scale logarithmic. */
    | {
        readonly kind: 'number';
        readonly min: number;
        readonly max: number;
        readonly log?: boolean;
        readonly unit?: string;
      }
    | CurveAnswer;
  /** The option's id or the number, computed now. */
  readonly truth: (tools: LabTools, ask: Ask) => Promise<string | number>;
  /** What the question is about, where `reveal` has no figure of its own: a view of it stands beside the question. */
  readonly figure?: FigureRef;
  /** The knobs for which the question asks; the figure shows exactly these, and its defaults, until it is left. */
  readonly values?: KnobValues;
  /** Ids of figures further down that would tell the answer, too: they show nothing before it is given. */
  readonly veils?: readonly string[];
  /**
   * Knobs of its figure that would tell the answer, in whatever view: they are offered once it is given. A figure may know
   * other names, of an option (`task=fixed`) or of a part of its sheet, and leaves out what `FigurePlace.hide` names.
   */
  readonly withholds?: readonly string[];
  /** Shown once the reader has committed: blocks that make it visible. */
  readonly reveal?: readonly Block[];
}

/** A curve that the reader draws: a height at each place. Its truth is the heights as `curveText` writes them. */
export interface CurveAnswer {
  readonly kind: 'curve';
  /** The places, at most eight, and what they are. */
  readonly x: readonly number[];
  readonly xLabel: string;
  readonly min: number;
  readonly max: number;
  readonly log?: boolean;
  readonly unit?: string;
}

/** A short question with explained answers: `words.checks[id]`. */
export interface Check {
  readonly kind: 'check';
  readonly id: string;
  readonly options: readonly string[];
  /** Ids of the options that are right; more than one: all of them are wanted. */
  readonly right: readonly string[];
}

export interface Reference {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  /** Section, equation or figure. */
  readonly where?: string;
}

/** A paragraph as in `rich()`: `*emphasis*`, `` `code` ``, `[link](address)`, `$TeX$`. A paragraph of `$$…$$` stands alone. */
export type Prose = readonly string[];

/** What a lab says, but for its opening. The build refuses words that lack an entry for a key of the lab's data. */
export interface LabWords {
  /** What the language lacks and says in English for now: `prose.count`, `summary`. */
  readonly inEnglish?: readonly string[];
  /** Title of each step. */
  readonly steps: Readonly<Record<string, string>>;
  readonly prose: Readonly<Record<string, Prose>>;
  readonly predictions: Readonly<
    Record<
      string,
      {
        readonly question: string;
        /** By option; none for a number. */
        readonly options?: Readonly<Record<string, string>>;
        /** Why it came out that way. */
        readonly why: Prose;
      }
    >
  >;
  readonly checks: Readonly<
    Record<
      string,
      {
        readonly question: string;
        /** What each option says, and why it is right or wrong. */
        readonly options: Readonly<Record<string, { readonly text: string; readonly why: string }>>;
      }
    >
  >;
  readonly tries: Readonly<
    Record<string, Readonly<Record<string, { readonly title: string; readonly text: string }>>>
  >;
  /** What is worth a look in each reference. */
  readonly references: Readonly<Record<string, string>>;
  /** For the printed summary: what to take along. */
  readonly summary: Prose;
}

/** What the page says before any script runs, and the course map: what stands above the first step of the words. */
export interface OpeningWords {
  readonly title: string;
  /** The main heading: the lab's one question. */
  readonly question: string;
  readonly lead: string;
  /** What the reader can do afterwards, for the course map. */
  readonly teaches: readonly string[];
  /** For search engines and links. */
  readonly description: string;
}

/** What a question to the core comes with. */
export interface Ask {
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

/** What every figure of a page shares. */
export interface LabTools {
  readonly lab: string;
  /** `lang` of the words of the lab and its own figures, where these are not in the page's language yet. */
  readonly lang?: 'en' | undefined;
  /** The core of this document. */
  readonly client: Client;
  /** The Q, K and V that several figures of the lab use, if the lab has such. */
  readonly data?: LabData | undefined;
  /** For captions: the version of this site. */
  readonly version: string;
}

/** The lab's own data: a sentence, Gaussian entries, or the visitor's matrices. */
export interface LabData {
  /** What it is, for captions: "Gaussian, n = 64, d_k = 16, seed 1". */
  readonly caption: string;
  readonly seed: number;
  readonly causal: boolean;
  /** Factor on q·k; undefined for 1/√d_k. */
  readonly scale: number | undefined;
  /** Q, K and V stay in the core. Undefined while the visitor's own matrices are incomplete. */
  readonly inputs: (ask: Ask) => Promise<
    | {
        readonly qkv: Kept<Qkv>;
        /** The names of the queries, and those of the keys. */
        readonly tokens: readonly string[] | undefined;
        readonly keys: readonly string[] | undefined;
      }
    | undefined
  >;
  readonly onChange: (listener: () => void) => () => void;
}

/** A table of numbers behind a figure: what CSV and JSON hold. */
export interface FigureData {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
  /** Whole matrices beside the table, by name. */
  readonly matrices?: Readonly<Record<string, Matrix>>;
}
