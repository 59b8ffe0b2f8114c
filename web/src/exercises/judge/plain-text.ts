/**
 * Writes the words of a task for a comment in a source file, where TeX is not rendered: `$\frac{1}{\sqrt{d}}$`
 * becomes 1/√d. An unknown command keeps its name without the backslash.
 */

const symbols: Readonly<Record<string, string>> = {
  alpha: 'α',
  beta: 'β',
  gamma: 'γ',
  delta: 'δ',
  Delta: 'Δ',
  epsilon: 'ε',
  varepsilon: 'ε',
  eta: 'η',
  theta: 'θ',
  kappa: 'κ',
  lambda: 'λ',
  mu: 'μ',
  pi: 'π',
  rho: 'ρ',
  sigma: 'σ',
  tau: 'τ',
  phi: 'φ',
  varphi: 'φ',
  Phi: 'Φ',
  psi: 'ψ',
  omega: 'ω',
  sum: 'Σ',
  prod: 'Π',
  cdot: '·',
  times: '×',
  odot: '⊙',
  otimes: '⊗',
  le: '≤',
  leq: '≤',
  ge: '≥',
  geq: '≥',
  ne: '≠',
  neq: '≠',
  approx: '≈',
  in: '∈',
  to: '→',
  mapsto: '↦',
  infty: '∞',
  ell: 'ℓ',
  pm: '±',
  dots: '…',
  ldots: '…',
  cdots: '…',
  langle: '⟨',
  rangle: '⟩',
  lVert: '‖',
  rVert: '‖',
  Vert: '‖',
  lvert: '|',
  rvert: '|',
  vert: '|',
  lfloor: '⌊',
  rfloor: '⌋',
  lceil: '⌈',
  rceil: '⌉',
  top: 'ᵀ',
  quad: '  ',
  qquad: '  ',
  left: '',
  right: '',
  bigl: '',
  bigr: '',
  Bigl: '',
  Bigr: '',
  big: '',
  Big: '',
  limits: '',
  displaystyle: '',
};
const raised: Readonly<Record<string, string>> = {
  '0': '⁰',
  '1': '¹',
  '2': '²',
  '3': '³',
  '4': '⁴',
  '5': '⁵',
  '6': '⁶',
  '7': '⁷',
  '8': '⁸',
  '9': '⁹',
  '-': '⁻',
  '−': '⁻',
  '*': '*',
  T: 'ᵀ',
  ᵀ: 'ᵀ',
};
/** TeX commands that only change how their argument looks. */
const dress =
  /^(text|mathrm|mathbf|mathcal|mathit|operatorname|boldsymbol|textbf|overline|widehat)$/;

const inBrackets = (text: string) =>
  /^[\p{L}\p{M}\p{N}_.√]*$/u.test(text) ? text : `(${text.trim()})`;
const superscript = (text: string) => {
  const high = [...text].map((letter) => raised[letter]);
  return high.every((letter) => letter !== undefined)
    ? high.join('')
    : `^${[...text].length === 1 ? text : `(${text.trim()})`}`;
};

/** Marks where the name of a function begins and ends. `spaced` replaces the marks when the neighbours are known. */
const functionName = (name: string) => `\uE000${name}\uE001`;

/** Sets the spaces: "log x" and "p log p", but "log(x)"; "1 ≤ k", but "n×d". */
const spaced = (text: string) =>
  text
    .replace(/(?<=[\p{L}\p{N})])\uE000/gu, ' ')
    .replace(/\uE001 *(?=[_(^])/g, '')
    .replaceAll('\uE000', '')
    .replaceAll('\uE001', ' ')
    .replace(/ *([≤≥≠≈∈→↦±⊙⊗]) */g, ' $1 ')
    .replace(/ *([×·]) */g, '$1')
    .replace(/(?<=\S)= /g, ' = ');

class Reader {
  private at = 0;
  constructor(private readonly tex: string) {}

  /** Reads until the closing brace, or to the end. */
  group(): string {
    let out = '';
    while (this.at < this.tex.length && this.tex[this.at] !== '}') out += this.next();
    return out;
  }

  /** Reads the argument of a command: a group or one token. */
  private argument(): string {
    while (this.tex[this.at] === ' ') this.at += 1;
    if (this.at >= this.tex.length) return '';
    if (this.tex[this.at] !== '{') return this.next();
    this.at += 1;
    const inside = this.group();
    this.at += 1;
    return inside;
  }

  private next(): string {
    const letter = this.tex[this.at] ?? '';
    if (letter === '{') return this.argument();
    this.at += 1;
    if (letter === '^') return superscript(this.argument());
    if (letter === '_') return `_${inBrackets(this.argument())}`;
    if (letter === '&') return ' ';
    if (letter !== '\\') return letter;
    const name = /^([A-Za-z]+|.)/.exec(this.tex.slice(this.at))?.[1] ?? '';
    this.at += name.length;
    if (/[A-Za-z]/.test(name)) while (this.tex[this.at] === ' ') this.at += 1;
    return this.command(name);
  }

  private command(name: string): string {
    if (/^[dt]?frac$/.test(name)) {
      return `${inBrackets(this.argument())}/${inBrackets(this.argument())}`;
    }
    if (name === 'sqrt') return `√${inBrackets(this.argument())}`;
    if (name === 'mathbb') return this.argument().replace('R', 'ℝ').replace('E', 'E');
    if (name === 'hat' || name === 'widetilde' || name === 'tilde' || name === 'bar') {
      const marks: Readonly<Record<string, string>> = { hat: '\u0302', bar: '\u0304' };
      return this.argument() + (marks[name] ?? '\u0303');
    }
    if (name === 'begin' || name === 'end') {
      this.argument();
      return ' ';
    }
    if (dress.test(name)) {
      const text = this.argument();
      return name === 'operatorname' ? functionName(text) : text;
    }
    if (/^(log|ln|exp|max|min|arg|tanh|sin|cos)$/.test(name)) return functionName(name);
    if (name === '\\') return '; ';
    if (name === '|') return '‖';
    if (/^[,;: !]$/.test(name)) return name === '!' ? '' : ' ';
    return symbols[name] ?? name;
  }
}

/** A paragraph with its TeX written out and its back-ticks removed. */
export function plainText(paragraph: string): string {
  return paragraph
    .replace(/\$+([^$]+)\$+/g, (_, tex: string) => spaced(new Reader(tex).group()))
    .replaceAll('`', '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Breaks text between words into lines of at most `width` characters. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line && [...line].length + 1 + [...word].length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line ? `${line} ${word}` : word;
    }
  }
  if (line) lines.push(line);
  return lines;
}
