/** How tokens are shown, in whatever script they are written. */

/** The letters of scripts that are written from right to left, in the blocks that Unicode sets aside for them; of
 * those beyond U+FFFF the first halves. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\ud802\ud803\ud83a\ud83b]/;
/** What turns the text behind it round, in labels of files: the core leaves it out of its tokens. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;

export const hasRightToLeft = (tokens: readonly string[]): boolean =>
  tokens.some((token) => RIGHT_TO_LEFT.test(token));

/** White space alone is drawn as something that can be seen. */
export const shownToken = (token: string): string =>
  token.trim() || !token
    ? token.replace(DIRECTIONS, '')
    : token.replace(/\n/g, '↵').replace(/\s/g, '␣');

/** A token within a sentence, so that its direction is not that of the rest. */
export const inSentence = (token: string): string => {
  const shown = shownToken(token);
  return RIGHT_TO_LEFT.test(shown) ? `\u2068${shown}\u2069` : shown;
};
