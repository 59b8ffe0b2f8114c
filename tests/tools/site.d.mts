import type { BrowserContext } from 'playwright-core';

export function pages(site?: string, language?: string): string[];
export function labs(site?: string, language?: string): string[];
export const readmeLab: string;
export function patient(context: BrowserContext): Promise<unknown>;
