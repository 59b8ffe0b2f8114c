/** On what times were measured, for captions: "Chrome 131, 8 cores". */
import { language } from '../strings/language.ts';

const names: Readonly<Record<string, string>> = {
  Edg: 'Edge',
  OPR: 'Opera',
  CriOS: 'Chrome',
  FxiOS: 'Firefox',
  Version: 'Safari',
};

export function browserOf(userAgent: string): string {
  const match =
    /\b(Edg|OPR)\/(\d+)/.exec(userAgent) ??
    /\b(Firefox|FxiOS|CriOS|Chrome)\/(\d+)/.exec(userAgent) ??
    /\b(Version)\/([\d.]+).*Safari/.exec(userAgent);
  const [, name = '', version = ''] = match ?? [];
  return name ? `${names[name] ?? name} ${version}` : userAgent.slice(0, 60);
}

export function machine(): string {
  const cores = navigator.hardwareConcurrency;
  const word = { en: ['core', 'cores'], de: ['Kern', 'Kerne'] }[language][cores === 1 ? 0 : 1];
  return `${browserOf(navigator.userAgent)}${cores ? `, ${cores} ${word}` : ''}`;
}
