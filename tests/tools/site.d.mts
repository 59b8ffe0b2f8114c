export function pages(site?: string): string[];
export function labs(site?: string): string[];
