/**
 * Reads the words of a lab, which are Markdown (`labs/<lab>/words/<language>.md`; web/README.md says how one is
 * written), and compares them with the lab's data. Markdown-it finds headings, paragraphs and lists; the marks inside
 * a text stay as they are, because `prose()` draws them on the page.
 */
import MarkdownIt from 'markdown-it';
import type { Block, Lab, LabWords, OpeningWords, Prose } from '../src/lab/types.ts';

/** Something in the file that `lab.ts` names, in the order of the file. */
interface Part {
  readonly kind: 'step' | 'prose' | 'prediction' | 'check' | 'tries' | 'references' | 'summary';
  readonly id: string;
  readonly line: number;
  /** The ids of its list. */
  readonly options: string[];
}

export interface ParsedWords {
  readonly file: string;
  readonly opening: OpeningWords;
  readonly words: LabWords;
  readonly parts: readonly Part[];
  /** The knobs that numbers in the prose belong to. */
  readonly knobs: readonly {
    readonly figure: string;
    readonly knob: string;
    readonly line: number;
  }[];
}

/** A paragraph, a heading or an item of a list, with the line it begins in. */
interface Text {
  readonly text: string;
  readonly line: number;
}
type Piece =
  | (Text & { readonly kind: 'heading'; readonly level: number; readonly id: string | undefined })
  | (Text & { readonly kind: 'paragraph' | 'mark' })
  | { readonly kind: 'list'; readonly line: number; readonly items: readonly Text[][] };

const ID = '[A-Za-z][\\w-]*';
const MARK = new RegExp(`^\\{#(${ID})\\}$`);
const HEADING = new RegExp(`^(.*?)\\s*\\{#(${ID})\\}$`);
const ITEM = new RegExp(`^(${ID}):\\s+(.*)$`);
/** A number in the prose: `[what it is](knob:figure.knob)`. */
export const KNOB = /\[([^\]]+)\]\(knob:([^)]*)\)/g;
const KINDS = { Prediction: 'prediction', Check: 'check', Tries: 'tries' } as const;

const markdown = MarkdownIt('zero').enable(['heading', 'list']);
// The text inside of a block is not taken apart here.
markdown.core.ruler.disable(['inline', 'text_join']);
/** A formula on a line of its own may hold lines that would begin a list elsewhere. */
markdown.block.ruler.before(
  'list',
  'display-formula',
  (state, start, end, silent) => {
    const lineAt = (line: number): string =>
      state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
    if (!lineAt(start).startsWith('$$')) return false;
    let last = start;
    while (last < end && !/\S.*\$\$\s*$|^\$\$\s*$/.test(lineAt(last).slice(last === start ? 2 : 0)))
      last++;
    // A formula that does not end is left to the paragraph, whose dollars are counted.
    if (last >= end) return false;
    if (silent) return true;
    const token = state.push('display_formula', '', 0);
    token.map = [start, last + 1];
    token.content = Array.from({ length: last + 1 - start }, (_, i) => lineAt(start + i)).join(' ');
    state.line = last + 1;
    return true;
  },
  { alt: ['paragraph', 'list'] },
);

const oneLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join(' ');

/** The headings, paragraphs and lists of a file. A list in a list is refused. */
function piecesOf(source: string, wrong: (line: number, said: string) => void): Piece[] {
  const pieces: Piece[] = [];
  let heading = 0;
  let items: Text[][] | undefined;
  let depth = 0;
  for (const { type, tag, map, content } of markdown.parse(source, {})) {
    const line = (map?.[0] ?? 0) + 1;
    if (type === 'heading_open') heading = Number(tag.slice(1));
    else if (type === 'heading_close') heading = 0;
    else if (type === 'bullet_list_open' || type === 'ordered_list_open') {
      if (type === 'ordered_list_open' || depth > 0)
        wrong(line, 'a numbered list, or a list in a list; wanted: a plain list of `- …`');
      if (depth++ === 0) {
        items = [];
        pieces.push({ kind: 'list', line, items });
      }
    } else if (type === 'bullet_list_close' || type === 'ordered_list_close') {
      if (--depth === 0) items = undefined;
    } else if (type === 'list_item_open') items?.push([]);
    else if (type === 'inline' || type === 'display_formula') {
      const add = (text: string, at: number): void => {
        if (items) items.at(-1)?.push({ text, line: at });
        else pieces.push({ kind: 'paragraph', text, line: at });
      };
      if (heading > 0) {
        if (items)
          wrong(line, 'a heading in a list; wanted: an empty line and no indent before it');
        const [, text = content, id] = HEADING.exec(content) ?? [];
        pieces.push({ kind: 'heading', level: heading, text: text.trim(), id, line });
        continue;
      }
      const [first = '', ...rest] = content.split('\n');
      const mark = type === 'inline' ? MARK.exec(first.trim())?.[1] : undefined;
      if (mark === undefined) add(oneLine(content), line);
      else {
        if (items) wrong(line, `{#${mark}} in a list; wanted: no indent before it`);
        pieces.push({ kind: 'mark', text: mark, line });
        if (rest.length > 0) add(oneLine(rest.join('\n')), line + 1);
      }
    }
  }
  return pieces;
}

/** An error for authors: every wrong place with its line, what is there and what is wanted. */
export class WordsError extends Error {
  override name = 'WordsError';
}

/** The path as an editor opens it from the root of the repository. */
const shortPath = (file: string): string => file.replace(/^.*?[\\/](?=web[\\/]labs[\\/])/, '');
const quote = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

class Problems {
  private readonly all: { readonly line: number; readonly said: string }[] = [];

  constructor(private readonly file: string) {}

  readonly add = (line: number, said: string): void => {
    this.all.push({ line, said });
  };

  throw(): void {
    if (this.all.length === 0) return;
    const lines = this.all
      .sort((a, b) => a.line - b.line)
      .map(({ line, said }) => `${shortPath(this.file)}:${line}: ${said}`);
    throw new WordsError(lines.join('\n'));
  }
}

/** Why a text cannot be drawn; undefined when it can. */
function fault(text: string): string | undefined {
  if (text.split('$').length % 2 === 0)
    return `an odd number of $ in “${quote(text)}”; wanted: a $ on each side of the TeX`;
  if (text.split('`').length % 2 === 0)
    return `an odd number of \` in “${quote(text)}”; wanted: a \` on each side of the code`;
  const plain = text.replace(/\$[^$]*\$|`[^`]*`/g, '');
  const unknown = /\*\*|__|!\[|<\/?[a-z]+>/.exec(plain)?.[0];
  if (unknown !== undefined)
    return `'${unknown}' in “${quote(text)}”; wanted: only *emphasis*, \`code\`, [links](address) and $TeX$`;
  if (text.includes('$$') && !/^\$\$[^$]+\$\$$/.test(text))
    return `$$ within “${quote(text)}”; wanted: a formula between $$ in a paragraph of its own`;
  return undefined;
}

/** Reads a file of words; `file` is for errors. */
export function parseWords(source: string, file: string): ParsedWords {
  const problems = new Problems(file);
  const wrong = problems.add;
  const parts: Part[] = [];
  const knobs: { figure: string; knob: string; line: number }[] = [];
  const opening = { title: '', question: '', lead: '', teaches: [] as string[], description: '' };
  const steps: Record<string, string> = {};
  const prose: Record<string, string[]> = {};
  const predictions: Record<
    string,
    { question: string; options?: Record<string, string>; why: string[] }
  > = {};
  const checks: Record<
    string,
    { question: string; options: Record<string, { text: string; why: string }> }
  > = {};
  const tries: Record<string, Record<string, { title: string; text: string }>> = {};
  const references: Record<string, string> = {};
  const summary: string[] = [];

  const checked = ({ text, line }: Text, inWords = true): string => {
    const why = text === '' ? 'nothing; wanted: a text' : fault(text);
    if (why) wrong(line, why);
    for (const [, , target = ''] of text.matchAll(KNOB)) {
      const [, figure, knob] = /^([\w-]+)\.(\w+)$/.exec(target) ?? [];
      if (!inWords) wrong(line, 'a knob; wanted: knobs only in the prose below the opening');
      else if (figure && knob) knobs.push({ figure, knob, line });
      else wrong(line, `knob:${target}; wanted: knob:figure.knob`);
    }
    return text;
  };
  const plain = (text: Text): string => {
    if (text.text.includes('$'))
      wrong(text.line, `TeX in “${quote(text.text)}”; wanted: none here`);
    return checked(text, false);
  };
  const begin = (kind: Part['kind'], id: string, line: number): Part => {
    if (parts.some((one) => one.kind === kind && one.id === id)) {
      wrong(line, `a second ${nameOf({ kind, id })}; wanted: one`);
    }
    const part: Part = { kind, id, line, options: [] };
    parts.push(part);
    return part;
  };
  /** The items `- id: text`, with the id that each begins with. */
  const named = (items: readonly Text[][], count: number, part: Part): [string, string[]][] =>
    items.flatMap((texts): [string, string[]][] => {
      const [first = { text: '', line: part.line }, ...more] = texts;
      const [, id, text = ''] = ITEM.exec(first.text) ?? [];
      if (id === undefined) {
        wrong(first.line, `“${quote(first.text)}”; wanted: - id: text`);
        return [];
      }
      if (part.options.includes(id)) wrong(first.line, `a second ${id}; wanted: one`);
      if (texts.length !== count) {
        const paragraphs =
          count === 1 ? 'one paragraph' : `${count} paragraphs, the second indented`;
        wrong(first.line, `${id} with ${texts.length} paragraphs; wanted: ${paragraphs}`);
      }
      part.options.push(id);
      return [[id, [{ ...first, text }, ...more].map((one) => checked(one))]];
    });

  /** Takes the next paragraph or list; undefined where none is wanted. */
  let take: ((piece: Exclude<Piece, { kind: 'heading' | 'mark' }>) => void) | undefined;
  let wanted = '# Title';
  const intoProse = (id: string, line: number): void => {
    begin('prose', id, line);
    const into: string[] = [];
    prose[id] = into;
    wanted = 'paragraphs';
    take = (piece) => {
      if (piece.kind === 'list') wrong(piece.line, 'a list; wanted: paragraphs');
      else into.push(checked(piece));
    };
  };
  const paragraphs = (into: (piece: Text) => void) => {
    wanted = 'paragraphs';
    take = (piece) => {
      if (piece.kind === 'list') wrong(piece.line, 'a list; wanted: paragraphs');
      else into(piece);
    };
  };
  const openQuestion = (
    kind: (typeof KINDS)[keyof typeof KINDS],
    id: string,
    line: number,
  ): void => {
    wanted = 'a question';
    if (kind === 'tries') {
      const part = begin(kind, id, line);
      const into: (typeof tries)[string] = {};
      tries[id] = into;
      wanted = '- id: title, and an indented paragraph; or {#id} before other prose';
      take = (piece) => {
        if (piece.kind !== 'list') wrong(piece.line, `“${quote(piece.text)}”; wanted: ${wanted}`);
        else
          for (const [one, [title = '', text = '']] of named(piece.items, 2, part))
            into[one] = { title, text };
      };
    } else if (kind === 'check') {
      const part = begin(kind, id, line);
      const into: (typeof checks)[string] = { question: '', options: {} };
      checks[id] = into;
      take = (piece) => {
        if (piece.kind === 'list') {
          for (const [one, [text = '', why = '']] of named(piece.items, 2, part))
            into.options[one] = { text, why };
        } else if (into.question === '') into.question = checked(piece);
        else
          wrong(
            piece.line,
            `“${quote(piece.text)}”; wanted: one question, then options, and {#id} before other prose`,
          );
      };
    } else {
      const part = begin(kind, id, line);
      const into: (typeof predictions)[string] = { question: '', why: [] };
      predictions[id] = into;
      take = (piece) => {
        if (piece.kind !== 'list') {
          if (into.question === '') into.question = checked(piece);
          else into.why.push(checked(piece));
          return;
        }
        if (into.why.length > 0) wrong(piece.line, 'options after the explanation; wanted: before');
        const options = named(piece.items, 1, part).map(([one, [text = '']]) => [one, text]);
        into.options = Object.fromEntries(options);
      };
    }
  };

  let place: 'start' | 'title' | 'opening' | 'step' | 'end' = 'start';
  let step: { readonly id: string; first: boolean } | undefined;
  for (const piece of piecesOf(source, wrong)) {
    if (piece.kind === 'heading') {
      const { level, text, id, line } = piece;
      const seen = `${'#'.repeat(level)} ${quote(text)}${id ? ` {#${id}}` : ''}`;
      step = undefined;
      take = undefined;
      if (level === 1) {
        if (place !== 'start' || id) wrong(line, `${seen}; wanted: one # title, the first line`);
        opening.title = plain({ text, line });
        place = 'title';
        wanted = '## the question of the lab';
      } else if (level === 2 && place === 'title' && !id) {
        opening.question = plain({ text, line });
        place = 'opening';
        wanted = 'the lead, one paragraph';
        take = (one) => {
          if (one.kind === 'list' || opening.lead) wrong(one.line, `more; wanted: ${wanted}`);
          else opening.lead = plain(one);
        };
      } else if (level === 3 && place === 'opening' && text === 'Outcomes') {
        wanted = 'a list of what one can do afterwards';
        take = (one) => {
          if (one.kind !== 'list') wrong(one.line, `“${quote(one.text)}”; wanted: ${wanted}`);
          else
            opening.teaches.push(...one.items.map(([item]) => plain(item ?? { text: '', line })));
        };
      } else if (level === 3 && place === 'opening' && text === 'Description') {
        paragraphs((one) => {
          if (opening.description) wrong(one.line, 'a second paragraph; wanted: one description');
          opening.description = plain(one);
        });
      } else if (level === 2 && id && place !== 'start' && place !== 'end') {
        begin('step', id, line);
        steps[id] = plain({ text, line });
        place = 'step';
        step = { id, first: true };
        wanted = '{#id} before prose, or a heading';
      } else if (level === 2 && !id && text === 'References' && place === 'step') {
        const part = begin('references', '', line);
        place = 'end';
        wanted = 'a list of - id: text';
        take = (one) => {
          if (one.kind !== 'list') wrong(one.line, `“${quote(one.text)}”; wanted: ${wanted}`);
          else for (const [key, [said = '']] of named(one.items, 1, part)) references[key] = said;
        };
      } else if (
        level === 2 &&
        !id &&
        text === 'Summary' &&
        (place === 'end' || place === 'step')
      ) {
        begin('summary', '', line);
        place = 'end';
        paragraphs((one) => summary.push(checked(one)));
      } else if (level === 3 && id && place === 'step' && text in KINDS) {
        openQuestion(KINDS[text as keyof typeof KINDS], id, line);
      } else {
        const may = {
          start: '# Title',
          title: '## the question of the lab, without an id',
          opening: '### Outcomes, ### Description, or the first step: ## Title {#id}',
          step: '## Title {#id}, ### Prediction {#id}, ### Check {#id}, ### Tries {#id}, ## References or ## Summary',
          end: '## References and ## Summary, and nothing after them',
        };
        wrong(line, `${seen}; wanted: ${may[place]}`);
        take = () => {};
      }
      continue;
    }
    if (piece.kind === 'mark') {
      if (place === 'step') intoProse(piece.text, piece.line);
      else wrong(piece.line, `{#${piece.text}}; wanted: prose only below a step`);
      step = undefined;
      continue;
    }
    // What stands right below the title of a step is the prose with the id of the step.
    if (step && piece.kind === 'paragraph') intoProse(step.id, piece.line);
    step = undefined;
    if (take) take(piece);
    else
      wrong(
        piece.line,
        `${piece.kind === 'list' ? 'a list' : `“${quote(piece.text)}”`}; wanted: ${wanted}`,
      );
  }

  const end = source.split('\n').length;
  for (const [name, found] of Object.entries(opening)) {
    if (found.length === 0) {
      const how = {
        title: '# Title',
        question: '## Question',
        lead: 'a paragraph below the question',
      };
      const which = { ...how, teaches: '### Outcomes', description: '### Description' }[name];
      wrong(1, `no ${name} of the lab; wanted: ${which}`);
    }
  }
  for (const { kind, id, line } of parts) {
    const empty =
      (kind === 'prose' && prose[id]?.length === 0) ||
      (kind === 'prediction' && (!predictions[id]?.question || !predictions[id]?.why.length)) ||
      (kind === 'check' && !checks[id]?.question);
    if (!empty) continue;
    const needs = { prose: 'a paragraph', prediction: 'a question and an explanation' };
    const need = kind === 'prose' || kind === 'prediction' ? needs[kind] : 'a question';
    wrong(line, `${nameOf({ kind, id })} without words; wanted: ${need}`);
  }
  if (parts.length === 0) wrong(end, 'no step; wanted: ## Title {#id}');
  problems.throw();
  return {
    ...{ file, opening, parts, knobs },
    words: { steps, prose, predictions, checks, tries, references, summary },
  };
}

/** What `lab.ts` wants said, in its order. */
function expected({ steps, references }: Lab): Omit<Part, 'line'>[] {
  const ofBlock = (block: Block): Omit<Part, 'line'>[] => {
    switch (block.kind) {
      case 'prose':
        return [{ kind: 'prose', id: block.id, options: [] }];
      case 'check':
        return [{ kind: 'check', id: block.id, options: [...block.options] }];
      case 'tries':
        return [{ kind: 'tries', id: block.id, options: block.tries.map(({ id }) => id) }];
      case 'prediction': {
        const options = block.answer.kind === 'choice' ? [...block.answer.options] : [];
        const own = { kind: 'prediction', id: block.id, options } as const;
        return [own, ...(block.reveal ?? []).flatMap(ofBlock)];
      }
      default:
        return [];
    }
  };
  return [
    ...steps.flatMap(({ id, blocks }): Omit<Part, 'line'>[] => [
      { kind: 'step', id, options: [] },
      ...blocks.flatMap(ofBlock),
    ]),
    { kind: 'references', id: '', options: references.map(({ id }) => id) },
    { kind: 'summary', id: '', options: [] },
  ];
}

/** The figures of some blocks, by the ids of their places. */
export const figuresIn = (blocks: readonly Block[]): readonly string[] =>
  blocks.flatMap((block) => {
    if (block.kind === 'figure') return [block.figure.id];
    return block.kind === 'prediction' ? figuresIn(block.reveal ?? []) : [];
  });

/** The figures of a lab, its opening first. */
export const figuresOf = (lab: Lab): readonly string[] => [
  lab.opening.id,
  ...lab.steps.flatMap(({ blocks }) => figuresIn(blocks)),
];

const nameOf = ({ kind, id }: Pick<Part, 'kind' | 'id'>): string =>
  id ? `${kind} {#${id}}` : kind;

/**
 * Compares words with the data of their lab; throws a `WordsError`. Only English has to be complete: another language
 * may lack parts, and its pages show them in English.
 */
export function checkWords({ parts, knobs, file }: ParsedWords, lab: Lab, complete: boolean): void {
  const problems = new Problems(file);
  const all = expected(lab);
  const indexOf = ({ kind, id }: Pick<Part, 'kind' | 'id'>): number =>
    all.findIndex((one) => one.kind === kind && one.id === id);
  let before: Part | undefined;
  for (const part of parts) {
    const at = indexOf(part);
    if (at < 0) {
      const missing = all.filter(
        ({ kind, id }) =>
          kind === part.kind && !parts.some((one) => one.kind === kind && one.id === id),
      );
      const ids = (missing.length > 0 ? missing : all.filter(({ kind }) => kind === part.kind)).map(
        ({ id }) => `{#${id}}`,
      );
      problems.add(
        part.line,
        `${nameOf(part)}, which lab.ts does not have; wanted: ${ids.join(', ') || 'none'}`,
      );
      continue;
    }
    if (before && at < indexOf(before)) {
      const next = all[at + 1];
      problems.add(
        part.line,
        `${nameOf(part)} after ${nameOf(before)}; wanted: the order of lab.ts, where it stands ${next ? `before ${nameOf(next)}` : 'last'}`,
      );
    } else before = part;
    const options = all[at]?.options ?? [];
    const without = options.filter((id) => !part.options.includes(id));
    const unknown = part.options.filter((id) => !options.includes(id));
    if (without.length + unknown.length > 0) {
      const seen = [
        ...(without.length > 0 ? [`without ${without.join(', ')}`] : []),
        ...(unknown.length > 0 ? [`with ${unknown.join(', ')}`] : []),
      ];
      const or = complete ? '' : '; or leave the whole part out, and it is shown in English';
      problems.add(
        part.line,
        `${nameOf(part)} ${seen.join(' and ')}; wanted: ${options.join(', ') || 'no options'}${or}`,
      );
    }
  }
  if (complete) {
    for (const [i, one] of all.entries()) {
      if (parts.some(({ kind, id }) => kind === one.kind && id === one.id)) continue;
      const earlier = parts.findLast((part) => indexOf(part) >= 0 && indexOf(part) < i);
      problems.add(
        earlier?.line ?? 1,
        `no ${nameOf(one)} after ${earlier ? nameOf(earlier) : 'the opening'}; wanted, because lab.ts has it`,
      );
    }
  }
  const figures = figuresOf(lab);
  for (const { figure, knob, line } of knobs) {
    if (!figures.includes(figure))
      problems.add(
        line,
        `knob:${figure}.${knob}; wanted: a figure of lab.ts, ${figures.join(', ')}`,
      );
  }
  problems.throw();
}

/** The words of another language; what it lacks is taken from the English ones and named in `inEnglish`. */
export function withEnglish(words: LabWords, english: LabWords): LabWords {
  const inEnglish: string[] = [];
  const filled = <T>(
    kind: string,
    own: Readonly<Record<string, T>>,
    all: Readonly<Record<string, T>>,
  ) =>
    Object.fromEntries(
      Object.entries(all).map(([id, one]) => {
        if (!Object.hasOwn(own, id)) inEnglish.push(`${kind}.${id}`);
        return [id, own[id] ?? one];
      }),
    );
  const merged: LabWords = {
    steps: filled('steps', words.steps, english.steps),
    prose: filled<Prose>('prose', words.prose, english.prose),
    predictions: filled('predictions', words.predictions, english.predictions),
    checks: filled('checks', words.checks, english.checks),
    tries: filled('tries', words.tries, english.tries),
    references: filled('references', words.references, english.references),
    summary: words.summary.length > 0 ? words.summary : english.summary,
  };
  if (words.summary.length === 0) inEnglish.push('summary');
  return inEnglish.length > 0 ? { ...merged, inEnglish } : merged;
}

/** Every text in an object of words. */
export function* textsIn(words: unknown): Generator<string> {
  if (typeof words === 'string') yield words;
  else if (typeof words === 'object' && words !== null)
    for (const one of Object.values(words)) yield* textsIn(one);
}
