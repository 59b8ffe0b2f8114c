export function pages(site?: string, language?: string): string[];
export function labs(site?: string, language?: string): string[];
