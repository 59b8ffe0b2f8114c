/** What every chart says, in each language. Pages may have words of their own. */
import { formatNumber } from '../../plot/format.ts';
import type { LanguageId } from '../../strings/language.ts';

export interface PointWords {
  readonly name: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly x: number;
  readonly y: number;
  readonly low: number;
  readonly high: number;
  readonly label?: string;
}

export interface ChartWords {
  readonly role: string;
  readonly keys: string;
  readonly legend: string;
  readonly hint: string;
  readonly hintTouch: string;
  readonly empty: string;
  readonly point: (at: PointWords) => string;
}

const pointIn =
  (spread: (low: string, high: string) => string) =>
  ({ name, xLabel, yLabel, x, y, low, high, label }: PointWords): string => {
    const said = `${[name, label].filter(Boolean).join(', ')}: ${xLabel} ${formatNumber(x, 4)}, ${yLabel} ${formatNumber(y, 4)}`;
    return low === high ? said : `${said}, ${spread(formatNumber(low), formatNumber(high))}`;
  };

export const chartWords: Readonly<Record<LanguageId, ChartWords>> = {
  en: {
    role: 'chart',
    keys: 'Left and right arrow keys move along a line, Page Up and Page Down in larger steps, up and down from line to line, Home and End to its ends, Escape lets go.',
    legend: 'Lines',
    hint: 'Hover or use the arrow keys to read a point.',
    hintTouch: 'Tap a point to read it.',
    empty: 'There is nothing to draw yet.',
    point: pointIn((low, high) => `from ${low} to ${high}`),
  },
  de: {
    role: 'Diagramm',
    keys: 'Die Pfeiltasten links und rechts gehen eine Linie entlang, Bild auf und Bild ab in größeren Schritten, hoch und runter von Linie zu Linie, Pos1 und Ende zu ihren Enden, Escape lässt los.',
    legend: 'Linien',
    hint: 'Zeig auf einen Punkt oder geh mit den Pfeiltasten hin, um ihn zu lesen.',
    hintTouch: 'Tipp auf einen Punkt, um ihn zu lesen.',
    empty: 'Hier gibt es noch nichts zu zeichnen.',
    point: pointIn((low, high) => `von ${low} bis ${high}`),
  },
};
