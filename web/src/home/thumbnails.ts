/** Draws the labs' small pictures when the reader comes near them, and lets them move once. */
import { theCore } from '../core.ts';
import { isDark, onThemeChange } from '../styles/theme.ts';
import { THUMBNAIL, type Thumbnail } from './thumbnail.ts';

/** Every lab's picture, by the address of its file; a lab may have none. */
const files = import.meta.glob<{ readonly thumbnail: Thumbnail }>(
  '../../labs/*/figures/thumbnail.ts',
);
const MOVE_MS = 2400;
const MARGIN = '200px';
const calm = matchMedia('(prefers-reduced-motion: reduce)');

class Picture {
  private draw: ((time: number) => string) | undefined;
  private frame = 0;
  private turn = 0;

  constructor(
    private readonly place: HTMLElement,
    private readonly load: () => Promise<{ readonly thumbnail: Thumbnail }>,
    private readonly sentence: () => string,
  ) {
    const { width, height } = THUMBNAIL;
    place.innerHTML = `<svg viewBox="0 0 ${width} ${height}" focusable="false"></svg>`;
  }

  /** Asks again: for another sentence, or for the colours of the other theme. */
  async ask(): Promise<void> {
    const turn = ++this.turn;
    try {
      const { thumbnail } = await this.load();
      const draw = await thumbnail({
        ...{ client: theCore(), text: this.sentence(), dark: isDark() },
        signal: new AbortController().signal,
      });
      if (turn !== this.turn) return;
      const first = this.draw === undefined;
      this.draw = draw;
      if (first) this.move();
      else this.show(1);
    } catch {
      // A lab without its picture is a lab all the same; the link beside it says what is wrong, if anything is.
      if (turn === this.turn && !this.draw) this.place.hidden = true;
    }
  }

  get asked(): boolean {
    return this.turn > 0;
  }

  private show(time: number): void {
    const svg = this.place.querySelector('svg');
    if (svg && this.draw) svg.innerHTML = this.draw(time);
  }

  move(): void {
    cancelAnimationFrame(this.frame);
    if (calm.matches) {
      this.show(1);
      return;
    }
    let start: number | undefined;
    const step = (now: number): void => {
      start ??= now;
      const time = Math.min(1, (now - start) / MOVE_MS);
      this.show(time);
      if (time < 1) this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }
}

/** @param sentence the one that is in the page's figure now. Returns how to draw again when it has changed. */
export function drawThumbnails(sentence: () => string): () => void {
  const pictures = new Map<Element, Picture>();
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        watch.unobserve(target);
        void pictures.get(target)?.ask();
      }
    },
    { rootMargin: MARGIN },
  );
  for (const place of document.querySelectorAll<HTMLElement>('.lab .thumb')) {
    const entry = place.closest('.lab');
    const [, load] =
      Object.entries(files).find(([file]) => file.includes(`/labs/${entry?.id}/`)) ?? [];
    place.hidden = !load;
    if (!entry || !load) continue;
    const picture = new Picture(place, load, sentence);
    pictures.set(place, picture);
    watch.observe(place);
    entry.addEventListener('pointerenter', () => picture.move());
  }
  const again = (): void => {
    for (const picture of pictures.values()) if (picture.asked) void picture.ask();
  };
  onThemeChange(again);
  return again;
}
