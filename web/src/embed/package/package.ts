/**
 * A lab as a package that a learning system takes: SCORM 1.2 or 2004, with the lab in it or with a page that shows the lab
 * of another host. Pure functions from files to a zip, for the command line and for a page.
 */
import { zipSync } from 'fflate';
import type { ScormVersion } from '../host/scorm.ts';
import { isShort } from '../short-name.ts';
import { readable } from '../to-embed.ts';
import type { ShellOptions } from './shell.ts';

export interface SiteFile {
  /** From the site's root: `labs/kernels/index.html`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface PackageOptions {
  readonly scorm: ScormVersion;
  /** The folder of a lab; empty for an exercise alone. */
  readonly lab: string;
  /** The id of an exercise, where it is no lab. */
  readonly exercise?: string;
  readonly language?: 'en' | 'de';
  /** What the gradebook calls it. */
  readonly title: string;
  /** Of the site. */
  readonly version: string;
  /** What the link of the page says behind its `?`: knobs, and what the four lists below do not say. */
  readonly query?: string;
  /** The step, or the figure, where it begins. */
  readonly step?: string;
  /** The steps and exercises that count; everything that asks, where neither is given. */
  readonly steps?: readonly string[];
  readonly exercises?: readonly string[];
  /** Knobs, steps and parts of exercises that are taken away. */
  readonly hide?: readonly string[];
  /** The root of a host that has the site: the package then holds nothing but the way there. */
  readonly remote?: string;
  /** The text of `shell.ts`, bundled. */
  readonly shell: string;
}

/** What cannot be packed. The message says why. */
export class PackageError extends Error {
  override name = 'PackageError';
}

const SHELL = 'package.html';
const SCRIPT = 'package.js';
const EXERCISES = 'pages/exercises/index.html';
const IN_ENGLISH = 'pages/exercises/english.html';
/** What belongs to every copy of the site. */
const ALWAYS = ['licenses.txt'];
/** Text, in which other files are named. */
const NAMES_OTHERS = /\.(?:html|js|css)$/;
/** What may be the name of a file, of whatever kind: which of them the site has decides. */
const NAME = /[\w.~-]+\.\w+/g;

const inLanguage = (path: string, language: PackageOptions['language'] = 'en'): string =>
  language === 'en' ? path : `${language}/${path}`;

type Of = Pick<PackageOptions, 'lab' | 'language'>;

/** The page of a lab, or that of the exercises, from the site's root. */
export const labPage = ({ lab, language }: Of): string =>
  inLanguage(lab ? `labs/${lab}/index.html` : EXERCISES, language);

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** What the page calls itself. */
export const titleIn = (page: string): string | undefined =>
  /<title>([^<]*)<\/title>/
    .exec(page)?.[1]
    ?.replace(/&(amp|lt|gt|quot);/g, (_, name: string) => entities[name] ?? '');

/**
 * The files that a lab needs: what its page and the page of exercises name, what is named there, and so on. Built files
 * have names that occur once, so a name in a text is that file.
 *
 * @param paths every file of the site
 * @param read gives one of them
 */
export async function filesOfLab(
  options: Of,
  paths: readonly string[],
  read: (path: string) => Uint8Array | Promise<Uint8Array>,
): Promise<SiteFile[]> {
  const page = labPage(options);
  if (!paths.includes(page)) throw new PackageError(`the site has no page ${page}`);
  const byName = new Map(
    paths.filter((path) => !path.endsWith('.html')).map((path) => [path.replace(/.*\//, ''), path]),
  );
  // An exercise that the language lacks is shown by a page of its own there.
  const exercises = [EXERCISES, IN_ENGLISH].map((path) => inLanguage(path, options.language));
  const wanted = new Set([
    page,
    ...[...exercises, ...ALWAYS].filter((path) => paths.includes(path)),
  ]);
  const files: SiteFile[] = [];
  // Whatever is known by name is read together, because a page asks a server that is far away.
  for (let next = [...wanted]; next.length > 0; ) {
    const found = await Promise.all(next.map(async (path) => ({ path, bytes: await read(path) })));
    files.push(...found);
    const known = wanted.size;
    for (const { path, bytes } of found) {
      if (!NAMES_OTHERS.test(path)) continue;
      for (const [name] of new TextDecoder().decode(bytes).matchAll(NAME)) {
        const named = byName.get(name);
        if (named !== undefined) wanted.add(named);
      }
    }
    next = [...wanted].slice(known);
  }
  const pages = paths.filter((path) => path.endsWith('.html') && !wanted.has(path));
  const stub = new TextEncoder().encode(elsewhere(options.language));
  return [...files, ...pages.map((path) => ({ path, bytes: stub }))];
}

const words = {
  en: {
    elsewhere: 'This page is not part of the package. Go back in your browser.',
    alone: 'No learning system was found: nothing that you do here is handed over or kept.',
    noscript: 'The lab needs JavaScript.',
  },
  de: {
    elsewhere: 'Diese Seite gehört nicht zum Paket. Geh in deinem Browser zurück.',
    alone:
      'Es wurde keine Lernplattform gefunden: Nichts von dem, was du hier tust, wird übergeben oder aufgehoben.',
    noscript: 'Das Labor braucht JavaScript.',
  },
} as const;

/** In place of the pages of the site that a package leaves out. */
const elsewhere = (language: 'en' | 'de' = 'en'): string =>
  `<!doctype html>\n<html lang="${language}"><meta charset="utf-8"><title>Attention Labs</title><p>${words[language].elsewhere}</p></html>\n`;

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** What the lab's link says: its knobs, what counts and what is hidden. */
function queryOf({ lab, exercise = '', query = '', step = '', ...named }: PackageOptions): string {
  const pairs = new URLSearchParams(query);
  for (const name of ['v', 'id', 'host', 'keeper', 'sent']) pairs.delete(name);
  const { steps = [], exercises = [], hide = [] } = named;
  for (const [key, names] of Object.entries({ steps, exercises, hide })) {
    for (const name of names) {
      if (!/^[\w.-]+$/.test(name)) throw new PackageError(`${key}: ${name} is no name`);
    }
    if (names.length > 0) pairs.set(key, names.join(','));
  }
  if (step && !isShort(step)) throw new PackageError(`step: ${step} is no name`);
  if (!lab && !isShort(exercise)) throw new PackageError(`exercise: ${exercise} is no name`);
  const all = [lab ? '' : `id=${exercise}`, readable(pairs)].filter(Boolean).join('&');
  return `${all && `?v=1&${all}`}${step && `#${step}`}`;
}

/** The address of the lab, from the package's page. */
function addressOf(options: PackageOptions): string {
  const page = labPage(options) + queryOf(options);
  if (options.remote === undefined) return page;
  let root: URL;
  try {
    root = new URL(options.remote.replace(/\/?$/, '/'));
  } catch {
    throw new PackageError(`remote: ${options.remote} is no address`);
  }
  // A page that came by https shows no frame that comes by http, but for this machine's own.
  const local = ['localhost', '127.0.0.1'].includes(root.hostname);
  if (root.protocol !== 'https:' && !local) {
    throw new PackageError(`remote: ${options.remote} does not begin with https://`);
  }
  return new URL(page, root).href;
}

function shellPage(options: PackageOptions): string {
  const { scorm, title, language = 'en' } = options;
  const said: ShellOptions = {
    ...{ scorm, title, page: addressOf(options), alone: words[language].alone },
  };
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<script type="application/json" id="package">${JSON.stringify(said).replaceAll('<', '\\u003c')}</script>
<script defer src="${SCRIPT}"></script>
</head>
<body><noscript><p>${words[language].noscript}</p></noscript></body>
</html>
`;
}

const HEADS: Readonly<Record<ScormVersion, { head: string; schema: string; sco: string }>> = {
  '1.2': {
    head: `xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
  xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2"`,
    schema: '1.2',
    sco: 'adlcp:scormtype="sco"',
  },
  '2004': {
    head: `xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"
  xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_v1p3"
  xmlns:imsss="http://www.imsglobal.org/xsd/imsss"`,
    schema: '2004 4th Edition',
    sco: 'adlcp:scormType="sco"',
  },
};

/**
 * One organisation, one item, one page. No mastery score: with one, Moodle would fail whoever is not done at the end of the
 * first session, and close the attempt.
 */
function manifest(options: PackageOptions, paths: readonly string[]): string {
  const { head, schema, sco } = HEADS[options.scorm];
  const title = escaped(options.title);
  return `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="attention-labs-${escaped(options.lab || (options.exercise ?? ''))}" version="${escaped(options.version)}"
  ${head}>
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>${schema}</schemaversion>
  </metadata>
  <organizations default="course">
    <organization identifier="course">
      <title>${title}</title>
      <item identifier="lab" identifierref="page" isvisible="true">
        <title>${title}</title>
      </item>${options.scorm === '2004' ? '\n      <imsss:sequencing/>' : ''}
    </organization>
  </organizations>
  <resources>
    <resource identifier="page" type="webcontent" ${sco} href="${SHELL}">
${paths.map((path) => `      <file href="${escaped(path)}"/>`).join('\n')}
    </resource>
  </resources>
</manifest>
`;
}

/**
 * The zip. The same files and options give the same bytes.
 *
 * @param files what `filesOfLab` gives; none are needed for a remote package
 */
export function makePackage(files: readonly SiteFile[], options: PackageOptions): Uint8Array {
  const own = options.remote === undefined ? files : [];
  if (options.remote === undefined && !own.some(({ path }) => path === labPage(options))) {
    throw new PackageError(`the page ${labPage(options)} is not among the files`);
  }
  for (const { path } of own) {
    // Learning systems do not know `.mjs`, and then no script of that name runs.
    if (path.endsWith('.mjs') || /[^\w./~-]|^\/|\.\./.test(path)) {
      throw new PackageError(`${path} cannot be in a package`);
    }
  }
  const text = (content: string): Uint8Array => new TextEncoder().encode(content);
  const all: SiteFile[] = [
    { path: SHELL, bytes: text(shellPage(options)) },
    { path: SCRIPT, bytes: text(options.shell) },
    ...[...own].sort((a, b) => (a.path < b.path ? -1 : 1)),
  ];
  const paths = all.map(({ path }) => path);
  const entries = Object.fromEntries(all.map(({ path, bytes }) => [path, bytes]));
  // The manifest comes first, and lies in no folder: some systems read no further.
  return zipSync(
    { 'imsmanifest.xml': text(manifest(options, paths)), ...entries },
    // A zip has no time zone, and the hours of this one are written.
    { level: 9, mtime: new Date(2000, 0, 1) },
  );
}
