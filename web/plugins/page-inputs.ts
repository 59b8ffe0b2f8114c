/** What the site is built from: the home page, and every folder of labs and of pages with an `index.html`. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export function pageInputs(web: string): Record<string, string> {
  const inputs: Record<string, string> = { index: join(web, 'index.html') };
  for (const folder of ['labs', 'pages']) {
    if (!existsSync(join(web, folder))) continue;
    for (const name of readdirSync(join(web, folder))) {
      const page = join(web, folder, name, 'index.html');
      if (existsSync(page)) inputs[name] = page;
    }
  }
  return inputs;
}
