/** Words of a text, and which of them are function words: in English these are closed lists. */
import type { Matrix } from '#client';
import type { Piece } from '../shared/book-pieces.ts';

const LEADING =
  'a an the this that these those my thy his her its our your their no every each some any such what which of in to for with on at from by about as into like through after over between out against during without before under around among upon off up down';
const OTHERS =
  'i me we us you thou thee he him she it they them who whom whose myself himself itself themselves and or but nor so yet if then than because while when where though although until unless is are was were be been being am do does did have has had will would shall should can could may might must not there here now how why all both few more most other one very too only own same just ever never also again once';

const leading = new Set(LEADING.split(' '));
const functional = new Set([...leading, ...OTHERS.split(' ')]);

export interface TokenWord {
  /** Which word the token belongs to; none for spaces and marks. */
  readonly word: number | undefined;
  readonly leads: boolean;
  readonly content: boolean;
  /** A mark at which a phrase ends. */
  readonly mark: boolean;
}

/** For each token of a piece the word that most of its letters belong to. */
export function wordsOf({ texts }: Piece): readonly TokenWord[] {
  const whole = texts.join('');
  const found = [...whole.matchAll(/[a-z]+/gi)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    text: match[0].toLowerCase(),
  }));
  let at = 0;
  return texts.map((text) => {
    const [from, to] = [at, at + text.length];
    at = to;
    const shared = found.map((one) => Math.min(to, one.to) - Math.max(from, one.from));
    const most = Math.max(0, ...shared);
    const word = most > 0 ? shared.indexOf(most) : undefined;
    const said = word === undefined ? '' : (found[word]?.text ?? '');
    return {
      word,
      leads: leading.has(said),
      content: word !== undefined && !functional.has(said),
      mark: word === undefined && /[.,;:!?]/.test(text),
    };
  });
}

export type Relation = 'syntactic' | 'semantic' | 'content';

/** Which cells have the relation: rows are tokens, columns earlier tokens. */
export function relationOf(relation: Relation, piece: Piece): Matrix {
  const { tokens } = piece;
  const n = tokens.length;
  const words = wordsOf(piece);
  const data = new Float32Array(n * n);
  for (let i = 0; i < n; i++) {
    const query = words[i];
    for (let j = i - 1; j >= 0; j--) {
      const key = words[j];
      if (relation === 'semantic') {
        if (tokens[i] === tokens[j]) data[i * n + j] = 1;
      } else if (relation === 'content') {
        if (key?.content && key.word !== query?.word) data[i * n + j] = 1;
      } else if (query?.content && key) {
        // The last leading word before this one, if no mark stands between.
        if (key.mark) break;
        if (!key.leads) continue;
        for (let k = j; k >= 0 && words[k]?.word === key.word; k--) data[i * n + k] = 1;
        break;
      }
    }
  }
  return { rows: n, cols: n, data };
}
