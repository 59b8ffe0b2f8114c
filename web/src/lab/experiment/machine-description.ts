/** Describes the machine on which times were measured, for captions: "Chrome 131, 8 cores". */
import { language } from '../../strings/language.ts';

/** Browser and version, from what the browser says about itself. */
export function browserOf(userAgent: string): string {
  const [, name, version] =
    /(Edg|OPR|Firefox|Chrome|CriOS|FxiOS)\/(\d+)/.exec(userAgent) ??
    /(Version)\/([\d.]+).*Safari/.exec(userAgent) ??
    [];
  const names: Readonly<Record<string, string>> = {
    Edg: 'Edge',
    OPR: 'Opera',
    CriOS: 'Chrome',
    FxiOS: 'Firefox',
    Version: 'Safari',
  };
  // Edge and Opera also say Chrome.
  const other = /(Edg|OPR)\/(\d+)/.exec(userAgent);
  if (other) return `${names[other[1] ?? ''] ?? other[1]} ${other[2]}`;
  return name ? `${names[name] ?? name} ${version}` : userAgent.slice(0, 60);
}

export function machine(): string {
  const cores = navigator.hardwareConcurrency;
  const word = { en: ['core', 'cores'], de: ['Kern', 'Kerne'] }[language][cores === 1 ? 0 : 1];
  return `${browserOf(navigator.userAgent)}${cores ? `, ${cores} ${word}` : ''}`;
}
