// Writes the typed client from the declarations of the calls (wasm/src/calls) and the prose of the
// core's headers: calls.ts, objects.ts (classes over the calls of one object) and constants.ts in
// build/wasm/client. The declarations themselves go to declarations.json.
// The arrays of the exercises have their own in arrays.ts beside it. build.mjs does this with every build.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { arraysText } from './arrays.mjs';
import { must, root } from './process.mjs';

const folder = join(root, 'build/wasm/client');

// --- Prose ---------------------------------------------------------------------------------------

/** The text without comments, strings and directives: blanks, so that places stay what they are. */
const codeOf = (text) =>
  text.replace(
    /^[ \t]*#(?:[^\n]*\\\n)*[^\n]*|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'/gm,
    (part) => part.replace(/[^\n]/g, ' '),
  );

/** Where the bracket that opens at `open` closes. */
function closing(code, open) {
  const pairs = { '{': '}', '(': ')' };
  const [left, right] = [code[open], pairs[code[open]]];
  for (let depth = 0, at = open; at < code.length; at++) {
    if (code[at] === left) depth++;
    else if (code[at] === right && --depth === 0) return at;
  }
  return code.length;
}

/** The lines of /// that end right before `at`, or the ///< that follows on the same line. */
function proseAt(text, at, end) {
  const lines = text.slice(0, at).split('\n');
  lines.pop();
  const found = [];
  // What stands further on in a line has no lines above it.
  const alone = /^\s*$/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at));
  if (!alone) lines.length = 0;
  for (let line = lines.pop(); /^\s*\/\/\/(?!<)/.test(line ?? ''); line = lines.pop()) {
    found.unshift(line.replace(/^\s*\/\/\/ ?/, ''));
  }
  const trailing = /^[^\n]*\/\/\/< ?([^\n]*)/.exec(text.slice(end));
  return found.length > 0 ? found.join('\n') : (trailing?.[1] ?? '');
}

/** The names that a declaration of members introduces: `Index row = 0, col = 0` has two. */
function declaredNames(statement) {
  const plain = statement.replace(/<[^<>]*(<[^<>]*>[^<>]*)*>/g, '').replace(/\{[^{}]*\}/g, '');
  const call = /(\w+)\s*\(/.exec(plain.split('=')[0]);
  if (call) return [call[1]];
  return plain.split(',').map((one) => /(\w+)\s*(?:\[[^\]]*\]\s*)?(?:=|$)/.exec(one.trim())?.[1]);
}

/** Collects prose: of types by name, of members by `Type.member`, of functions and calls by name. */
function readProse(text, prose) {
  // Declarations of calls are macros; their prose stands before them, as before a function.
  let code = codeOf(text);
  for (const { 0: whole, 1: kind, 2: name, index } of code.matchAll(
    /^ATTN_(\w+)\((?:(?:start|full), )?(\w+)?/gm,
  )) {
    const end = closing(code, index + whole.indexOf('(')) + 1;
    const said = proseAt(text, index, end);
    if (/^(CALL|STEPS)$/.test(kind) && said) prose.declared[name] = said;
    if (/^ARRAY_CALL/.test(kind) && said) prose.arrays[name] = said;
    code = code.slice(0, index) + code.slice(index, end).replace(/[^\n]/g, ' ') + code.slice(end);
  }
  const visit = (from, to, owner) => {
    let start = from;
    for (let at = from; at < to; at++) {
      const c = code[at];
      if (c === '(') at = closing(code, at);
      if (c !== ';' && c !== '{' && !(c === ',' && owner?.choice) && at !== to - 1) continue;
      const begin = start + code.slice(start, at).search(/\S|$/);
      const statement = code.slice(begin, c === ';' || c === ',' || c === '{' ? at : at + 1).trim();
      const type = /^(?:template\s*<[^{]*>\s*)?(struct|class|enum class)\s+(\w+)[^(]*$/.exec(
        statement,
      );
      const end = c === '{' ? closing(code, at) : at;
      const said = statement ? proseAt(text, begin, at + 1) : '';
      if (/^namespace\b/.test(statement) || /^inline namespace/.test(statement)) {
        visit(at + 1, end, undefined);
      } else if (type && c === '{') {
        prose.types[type[2]] ??= said;
        visit(at + 1, end, { name: type[2], choice: type[1] === 'enum class' });
      } else if (statement) {
        const braces = c === '{' && code[end + 1] === ';';
        for (const name of declaredNames(statement.replace(/^template\s*<[^>]*>\s*/, ''))) {
          if (!name) continue;
          if (owner) prose.members[`${owner.name}.${name}`] ??= said;
          else if (said) prose.calls[name] ??= said;
        }
        if (braces) {
          start = end + 2;
          at = end + 1;
          continue;
        }
        // `std::vector<double> x{1, 2};` and what else follows braces up to its semicolon.
      }
      if (c === '{') at = end;
      start = at + 1;
    }
  };
  visit(0, code.length, undefined);
}

function sourcesIn(path) {
  return readdirSync(join(root, path), { recursive: true })
    .filter((name) => /\.(hpp|cpp)$/.test(name))
    .sort()
    .map((name) => readFileSync(join(root, path, name), 'utf8'));
}

const noProse = () => ({ types: {}, members: {}, calls: {}, declared: {}, arrays: {} });

function allProse() {
  const prose = noProse();
  for (const text of sourcesIn('wasm/src')) readProse(text, prose);
  for (const text of sourcesIn('core/include/attn')) readProse(text, prose);
  return prose;
}

// --- TypeScript ----------------------------------------------------------------------------------

const capital = (name) => name[0].toUpperCase() + name.slice(1);
const named = { ShapeError: '`shape`', ValueError: '`value`', CapacityError: '`capacity`' };

/** A TSDoc comment: the core's names become JavaScript's, its errors those of the client. */
function comment(text, names, indent = '') {
  const said = text
    .replace(/@throws/g, '@throws CoreError:')
    .replace(/\b(Shape|Value|Capacity)Error\b/g, (name) => named[name])
    .replace(/`([A-Za-z]\w*)`/g, (whole, name) => (names[name] ? `\`${names[name]}\`` : whole))
    .replace(/\*\//g, '*\\/')
    .trim();
  if (said === '') return '';
  const lines = said.split('\n');
  if (lines.length === 1) return `${indent}/** ${said} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/** What a type is in TypeScript, on the way `in` or `out`. */
function typeText(type, way) {
  const of = () => typeText(type.of, way);
  const texts = {
    number: () => 'number',
    boolean: () => 'boolean',
    string: () => 'string',
    matrix: () => 'Matrix',
    vector: () => 'Vector',
    stack: () => 'Stack',
    codes: () => 'Codes',
    mask: () => 'MaskChoice',
    numbers: () => (way === 'in' ? 'NumberList' : 'Float64Array'),
    integers: () => (way === 'in' ? 'NumberList' : 'Int32Array'),
    bytes: () => 'Uint8Array',
    flags: () => 'readonly boolean[]',
    parameters: () => 'Readonly<Record<string, number>>',
    nothing: () => 'void',
    handle: () => 'number',
    optional: () => `${of()} | null`,
    list: () => (type.of.kind === 'list' ? `readonly (${of()})[]` : `readonly ${of()}[]`),
    tuple: () => `readonly [${Array(type.size).fill(of()).join(', ')}]`,
    struct: () => type.name,
    choice: () => type.name,
    byHand: () => type.name,
  };
  return texts[type.kind]();
}

/** What the prose calls something in C++, in JavaScript. */
function jsNames({ calls, structs, constants }) {
  const lists = [...Object.values(structs), ...calls.map((call) => call.arguments)];
  const all = [...lists.flat(), ...calls].map(({ core, name }) => [core, name]);
  const bounds = constants.map(({ name }) => [`k${capital(name)}`, name]);
  return Object.fromEntries([...all, ...bounds].filter(([core]) => core));
}

const heading =
  "/** Written by wasm/tools/client.mjs from wasm/src/calls and the core's headers: not to be edited. */\n";

/** The bounds and lists of names that pages ask for, as they are in the core. */
function constantsText({ constants }, prose, names) {
  const all = constants.map(({ name, core, value }) => {
    const said = comment(prose.calls[core] ?? prose.calls[`k${capital(name)}`] ?? '', names);
    return `${said}export const ${name} = ${JSON.stringify(value)} as const;\n`;
  });
  return all.join('\n');
}

/**
 * A class for each object that lives in the worker and whose name begins with a capital letter: a method
 * for each call that takes its handle. One argument beside the handle is passed by itself, several as
 * an object.
 */
function objectsText({ calls, structs }, prose, names) {
  const handles = calls.map(({ arguments: [first] }) => first?.type).filter(Boolean);
  const kinds = new Set(handles.filter(({ kind }) => kind === 'handle').map(({ name }) => name));
  const method = (call, name) => {
    const [, ...given] = call.arguments;
    const input = `${capital(call.name)}Input`;
    const mayBeLeftOut = given.every(
      ({ flat, maybe, type }) => !flat && (maybe || type.kind === 'optional'),
    );
    const alone = given.length === 1 && !given[0].flat && !mayBeLeftOut ? given[0].name : undefined;
    const whole = `input: WithoutHandle<${input}>${mayBeLeftOut ? ' = {}' : ''}, `;
    const all = alone ? `${alone}: ${input}['${alone}'], ` : whole;
    const passed = `{ ${alone ?? '...input'}, ...this.handle }`;
    const [own] = (prose.declared[call.core] ?? '').split(/^@param /m);
    const said = comment(own.trim() || ofMethod(call.core, prose), names, '  ');
    return `${said}  ${name}(${given.length > 0 ? all : ''}options?: CallOptions): Promise<${typeText(call.result, 'out')}${call.first ? ' & Timed' : ''}> {
    return this.calls.${call.name}(${given.length > 0 ? passed : 'this.handle'}, options);
  }
`;
  };
  const classes = [...kinds].filter((kind) => /^[A-Z]/.test(kind));
  const texts = classes.map((type) => {
    const prefix = type[0].toLowerCase() + type.slice(1);
    const own = calls.filter((call) => call.arguments[0]?.type?.name === type);
    const that = (does) => own.filter((call) => call.arguments[0].type.does === does);
    const [ends] = that('ends');
    // What `…Make` is called, `create`; other ways to make one keep their own names.
    const nameOf = (call) =>
      call.name.slice(prefix.length).replace(/^./, (letter) => letter.toLowerCase());
    const makers = that('makes').map((call) => {
      const name = nameOf(call);
      const how = name === 'make' ? '' : (prose.declared[call.core] ?? '').trim();
      return `${comment(`${how} Makes one in the worker of \`calls\`, a client.`.trim(), names, '  ')}  static async ${name === 'make' ? 'create' : name}(
    calls: ${type}Calls, input: WithoutHandle<${capital(call.name)}Input>, options?: CallOptions,
  ): Promise<${type}> {
    const made = new ${type}(calls);
    await calls.${call.name}({ ...input, ...made.handle }, options);
    return made;
  }
`;
    });
    const methods = that('uses').map((call) => method(call, nameOf(call)));
    return `/** The calls behind \`${type}\`. */
export type ${type}Calls = Pick<FullCalls, ${own.map(({ name }) => `'${name}'`).join(' | ')}>;

${comment(prose.types[type] ?? '', names)}export class ${type} extends WorkerObject {
  private constructor(private readonly calls: ${type}Calls) {
    super();
  }

${makers.join('\n')}${methods.join('')}
  protected override delete(): Promise<void> {
    return this.calls.${ends.name}(this.handle);
  }
}
`;
  });
  const text = texts.join('\n');
  const used = (all) => all.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).join(', ');
  const inputs = calls.map(({ name }) => `${capital(name)}Input`);
  return `${heading}import { WorkerObject, type WithoutHandle } from '../../../wasm/client/full/handles';
import type { CallOptions, ${used(['Codes', 'Matrix', 'Stack', 'Timed', 'Vector'])} } from '../../../wasm/client/primitives';
import type { FullCalls, ${used([...Object.keys(structs), ...inputs])} } from './calls';

${text}`;
}

function clientText(declared, prose, names) {
  const { calls, structs, choices } = declared;

  // A struct that is read somewhere is described as it is read.
  const read = new Set();
  const mark = (fields) => {
    for (const { flat, type } of fields) {
      for (let inner = flat ?? type; inner; inner = inner.of) {
        if (inner.kind !== 'struct' || read.has(inner.name)) continue;
        read.add(inner.name);
        mark(structs[inner.name]);
      }
    }
  };
  for (const call of calls) mark(call.arguments);

  const proseOfMember = (struct, member) =>
    prose.members[`${struct}.${member}`] ?? prose.members[`${aliases[struct]}.${member}`] ?? '';

  const body = (fields, way, said) =>
    fields
      .filter(({ flat, type }) => !flat && type.name !== '')
      .map(({ name, core, type, maybe, ifAny, otherwise }) => {
        const optional = type.kind === 'optional';
        const mark = optional || maybe || ifAny ? '?' : '';
        const byDefault = otherwise === undefined ? '' : ` Default ${JSON.stringify(otherwise)}.`;
        const text = typeText(optional ? type.of : type, way);
        const told = comment(`${said(core)}${way === 'in' ? byDefault : ''}`, names, '  ');
        return `${told}  readonly ${name}${mark}: ${text};\n`;
      })
      .join('');
  const bases = (fields) => {
    const flat = fields.filter((field) => field.flat).map((field) => field.flat.name);
    return flat.length > 0 ? ` extends ${flat.join(', ')}` : '';
  };

  let text = `${heading}import type {
  CallOptions, Codes, MaskChoice, Matrix, NumberList, PatternChoice, Stack, Timed, Vector,
} from '../../../wasm/client/primitives';

`;
  for (const [name, values] of Object.entries(choices)) {
    const said = [prose.types[name] ?? ''];
    for (const value of values) {
      const each = prose.members[`${name}.k${capital(value)}`];
      if (each) said.push(`- \`${value}\`: ${each.replace(/\n/g, ' ')}`);
    }
    const all = values.map((value) => `'${value}'`).join(' | ');
    text += `${comment(said.join('\n'), names)}export type ${name} = ${all};\n\n`;
  }
  for (const [name, fields] of Object.entries(structs)) {
    const way = read.has(name) ? 'in' : 'out';
    const type = comment(prose.types[name] ?? prose.types[aliases[name]] ?? '', names);
    const inside = body(fields, way, (member) => proseOfMember(name, member));
    text += `${type}export interface ${name}${bases(fields)} {\n${inside}}\n\n`;
  }
  const written = (call) => {
    // A declaration's own prose stands before that of the function; parameters add to either.
    const own = prose.declared[call.core] ?? '';
    const ofFunction = prose.calls[call.core] ?? ofMethod(call.core, prose);
    const all = own === '' || own.startsWith('@param') ? `${ofFunction}\n${own}` : own;
    const [said, ...parameters] = all.split(/^@param /m);
    const parameter = Object.fromEntries(
      parameters.map((one) => /^(\w+)\s+([\s\S]*)$/.exec(one.trim())?.slice(1) ?? ['', '']),
    );
    const last = parameters.at(-1)?.match(/^@throws[\s\S]*/m)?.[0] ?? '';
    const input = `${capital(call.name)}Input`;
    let text = '';
    if (call.arguments.length > 0) {
      const fields = body(call.arguments, 'in', (name) =>
        (parameter[name] ?? '').replace(/^@throws[\s\S]*/m, '').trim(),
      );
      text = `/** What \`${call.name}\` takes. */\nexport interface ${input}${bases(call.arguments)} {\n${fields}}\n\n`;
    }
    const steps = call.first ? '\nIn steps: reports progress and can be stopped.' : '';
    const result = typeText(call.result, 'out') + (call.first ? ' & Timed' : '');
    const given = call.arguments.length > 0 ? `input: ${input}` : 'input?: undefined';
    const told = comment(`${said.trim()}${steps}\n${last}`, names, '  ');
    return [text, `${told}  ${call.name}(${given}, options?: CallOptions): Promise<${result}>;\n`];
  };
  const of = (module) => calls.filter((call) => call.module === module);
  const quoted = (list) => list.map(({ name }) => `  '${name}',\n`).join('');
  for (const [module, base] of [
    ['start', ''],
    ['full', ' extends StartCalls'],
  ]) {
    const parts = of(module).map(written);
    text += parts.map(([input]) => input).join('');
    const inside = parts.map(([, call]) => call).join('\n');
    text += `/** Calls of the module \`${module}\`. */\nexport interface ${capital(module)}Calls${base} {\n${inside}}\n\n`;
  }
  text += `export const startNames = [\n${quoted(of('start'))}] as const satisfies readonly (keyof StartCalls)[];\n\n`;
  text += `export const fullNames = [\n  ...startNames,\n${quoted(of('full'))}] as const satisfies readonly (keyof FullCalls)[];\n\n`;
  const first = calls.filter((call) => call.first);
  text += '/** Calls that the module makes in steps, and how large the first step is. */\n';
  text += `export const firstSteps = {\n${first.map(({ name, first }) => `  ${name}: ${first},\n`).join('')}} as const;\n`;
  const alone = calls.filter((call) => call.arguments.length === 0);
  text += `\n/** Calls that take nothing. */\nexport const callsWithoutInput: readonly string[] = [\n${quoted(alone)}];\n`;
  return text;
}

/** The prose of `KvCache::append` for kv_cache_append. */
function ofMethod(core, prose) {
  const words = core.split('_');
  for (let i = words.length - 1; i > 0; i--) {
    const type = words.slice(0, i).map(capital).join('');
    const said = prose.members[`${type}.${words.slice(i).join('_')}`];
    if (said) return said;
  }
  return '';
}

/** Structs that have another name in JavaScript, by it. */
const aliases = {
  KvCacheInfo: 'KvCache',
  LinearDecoderInfo: 'LinearDecoder',
  MechanismInfo: 'Mechanism',
};

/** Writes a file unless it says that already: what watches it is not woken for nothing. */
function write(name, text) {
  const file = join(folder, name);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

/** The methods of `Arrays`; its headers have functions whose names others have, too. */
function arraysClientText(declared) {
  const prose = noProse();
  const calls = readFileSync(join(root, 'wasm/src/arrays/arrays.cpp'), 'utf8');
  readProse(calls, prose);
  readProse(readFileSync(join(root, 'core/include/attn/array/array.hpp'), 'utf8'), prose);
  const byHand = [...calls.matchAll(/^ATTN_EXPORT\((\w+)\)/gm)].map(([, name]) => name);
  const said = (name) => comment(prose.arrays[name] ?? prose.calls[name] ?? '', {}, '  ');
  return arraysText(declared, byHand, said);
}

function described(preset, program) {
  const file = join(root, `build/${preset}/${program}.cjs`);
  return must(process.execPath, [file], 'describing the calls failed: see above.').stdout;
}

/** Writes what the client is typed and made from, as the preset's programs that describe the calls tell it. */
export function writeClient(preset) {
  const declarations = described(preset, 'describe');
  mkdirSync(folder, { recursive: true });
  write('declarations.json', declarations);
  const declared = JSON.parse(declarations);
  const prose = allProse();
  const names = jsNames(declared);
  write('calls.ts', clientText(declared, prose, names));
  write('objects.ts', objectsText(declared, prose, names));
  write('constants.ts', `${heading}\n${constantsText(declared, prose, names)}`);
  write('arrays.ts', arraysClientText(JSON.parse(described(preset, 'describe_arrays'))));
}
