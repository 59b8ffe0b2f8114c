/** Plays a figure that has steps: automatically, with buttons, or with a slider. */
import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { adopt } from '../../styles/adopt.ts';
import css from './step-player.css?inline';

adopt(css);

export interface Played {
  /** The knob's step, from 0 to `total`. */
  readonly step: number;
  readonly total: number;
  readonly perSecond: number;
  /** The step that a jump leads to, for visitors who want no motion. */
  readonly jump: (step: number) => number;
  /** Called when the playing step has moved: the figure asks the core again. */
  readonly moved: () => void;
  /** Called when the gesture ends: the knob takes the step. */
  readonly settle: (step: number, draft: boolean) => void;
}

export interface PlayerWords {
  readonly transport: string;
  readonly start: string;
  readonly back: string;
  readonly play: string;
  readonly pause: string;
  readonly forward: string;
  readonly end: string;
  readonly scrub: string;
  readonly at: (step: string, total: string) => string;
}

const CALM_MS = 700;
export const isCalm = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

const icon = (path: string): TemplateResult =>
  html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d=${path} /></svg>`;
const PATHS = {
  start: 'M3 3v10M13 3v10L5 8z',
  back: 'M11 3v10L4 8z',
  play: 'M4 2.5v11L13.5 8z',
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  forward: 'M5 3v10l7-5z',
  end: 'M13 3v10M3 3v10l8-5z',
} as const;

export class Player {
  /** The current step while it plays; the knob keeps its value until the player stops. */
  head: number | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private frame = 0;

  constructor(private readonly played: () => Played) {}

  get playing(): boolean {
    return this.head !== undefined;
  }

  get step(): number {
    return Math.min(this.head ?? this.played().step, this.played().total);
  }

  play(): void {
    const { step, total } = this.played();
    this.begin(step >= total ? 0 : step);
  }

  /** Plays from the start without changing the link. */
  begin(from: number): void {
    this.halt();
    this.head = from;
    this.played().moved();
    if (isCalm()) {
      const next = (): void => {
        const { jump, moved, total } = this.played();
        this.head = jump(this.head ?? 0);
        if (this.head >= total) {
          this.rest();
          return;
        }
        moved();
        this.timer = setTimeout(next, CALM_MS);
      };
      this.timer = setTimeout(next, CALM_MS);
      return;
    }
    let [last, owed] = [performance.now(), 0];
    const tick = (now: number): void => {
      const { perSecond, total, moved } = this.played();
      // A page that was hidden for a while goes on from the same step.
      owed += (Math.min(250, now - last) / 1000) * perSecond;
      last = now;
      const whole = Math.floor(owed);
      owed -= whole;
      if (whole > 0) {
        this.head = (this.head ?? 0) + whole;
        if (this.head >= total) {
          this.rest();
          return;
        }
        moved();
      }
      this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }

  /** Stops at the current step. */
  rest(): void {
    if (this.head === undefined) return;
    const { total, settle } = this.played();
    const step = Math.min(total, this.head);
    this.halt();
    settle(step, false);
  }

  halt(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    this.head = undefined;
  }

  private to(step: number, draft = false): void {
    const { total, settle } = this.played();
    this.halt();
    settle(Math.max(0, Math.min(total, step)), draft);
  }

  render(words: PlayerWords, disabled = false): TemplateResult {
    const { total } = this.played();
    const { step, playing } = this;
    const button = (name: keyof typeof PATHS, act: () => void, off = false) =>
      html`<button
        class="button"
        type="button"
        aria-label=${words[name]}
        title=${words[name]}
        ?disabled=${disabled || off}
        @click=${act}
      >
        ${icon(PATHS[name])}
      </button>`;
    const read = (event: Event): number => Number((event.target as HTMLInputElement).value);
    return html`<div class="transport" role="group" aria-label=${words.transport}>
      ${button('start', () => this.to(0), step === 0)}
      ${button('back', () => this.to(step - 1), step === 0)}
      ${playing ? button('pause', () => this.rest()) : button('play', () => this.play())}
      ${button('forward', () => this.to(step + 1), step >= total)}
      ${button('end', () => this.to(total), step >= total)}
      <input
        type="range"
        min="0"
        max=${total}
        step="1"
        .value=${live(String(step))}
        aria-label=${words.scrub}
        aria-valuetext=${words.at(String(step), String(total))}
        ?disabled=${disabled}
        @input=${(event: Event) => this.to(read(event), true)}
        @change=${(event: Event) => this.to(read(event))}
      />
      <span class="tick" aria-hidden="true">${words.at(String(step), String(total))}</span>
    </div>`;
  }
}
