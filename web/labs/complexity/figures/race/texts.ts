/** The texts that are raced through, cut into sections. */

export interface RaceText {
  /** One for each section; empty where it has no title. */
  readonly titles: readonly string[];
  readonly sections: readonly string[];
}

/** Reads the file that web/plugins/book.ts writes. */
export function chaptersOf(file: string): RaceText {
  const parts = file.split('\f').map((part) => {
    const end = part.indexOf('\n');
    return end < 0 ? ['', part] : [part.slice(0, end), part.slice(end + 1)];
  });
  return {
    titles: parts.map(([title = '']) => title),
    sections: parts.map(([, text = '']) => text),
  };
}

/** A text of the reader's own is one section. */
export const ownText = (text: string): RaceText => ({ titles: [''], sections: [text] });
