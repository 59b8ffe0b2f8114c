// A Vite plugin that writes a call of `hit` (coverage.ts) into every branch of our modules, so that the fuzzer sees
// which inputs reach something new. V8's own coverage has the same information, but reading it takes milliseconds,
// and an input takes only microseconds.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';

const coverage = fileURLToPath(new URL('coverage.ts', import.meta.url));
const SLOTS = 1 << 16;

/** The places where calls are written: `before` and `after` a piece of code, in the order of the walk. */
function placesIn(tree) {
  const places = [];
  const expression = (node) =>
    node && places.push({ from: node.start, to: node.end, open: '(', close: ')' });
  const statement = (node) => {
    if (!node) return;
    if (node.type === 'BlockStatement') places.push({ from: node.start + 1 });
    else places.push({ from: node.start, to: node.end, open: '{', close: '}' });
  };
  const visit = (node) => {
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'CatchClause':
        statement(node.body);
        break;
      case 'ArrowFunctionExpression':
        if (node.body.type === 'BlockStatement') statement(node.body);
        else expression(node.body);
        break;
      case 'IfStatement':
        statement(node.consequent);
        statement(node.alternate);
        break;
      case 'ForStatement':
      case 'ForOfStatement':
      case 'ForInStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
        statement(node.body);
        break;
      case 'SwitchCase':
        if (node.consequent[0]) places.push({ from: node.consequent[0].start });
        break;
      case 'ConditionalExpression':
        expression(node.consequent);
        expression(node.alternate);
        break;
      case 'LogicalExpression':
        expression(node.right);
        break;
    }
    for (const part of Object.values(node)) {
      if (Array.isArray(part)) for (const one of part) one?.type && visit(one);
      else if (part?.type) visit(part);
    }
  };
  visit(tree);
  return places;
}

/** @returns the module's text with its branches counted. */
export function instrumented(code, id) {
  const edits = [];
  // Two modules may share numbers; with a few thousand branches in 65,536 numbers that is rare.
  const first = createHash('sha1').update(id).digest().readUInt16LE(0);
  placesIn(parseAst(code)).forEach(({ from, to, open = '', close = '' }, at) => {
    const call = `__hit(${(first + at) % SLOTS})${open === '(' ? ',' : ';'}`;
    edits.push({ at: from, text: `${open}${call}`, order: at });
    // Parts that were opened last are closed first, and before anything opens at the same place.
    if (to !== undefined) edits.push({ at: to, text: close, order: -1 - at });
  });
  edits.sort((a, b) => a.at - b.at || a.order - b.order);
  let text = `import { hit as __hit } from ${JSON.stringify(coverage)};`;
  let from = 0;
  for (const { at, text: written } of edits) {
    text += code.slice(from, at) + written;
    from = at;
  }
  return text + code.slice(from);
}

/**
 * Whether a module is instrumented: those of the page and of the client are, except words and styles, which make no
 * decisions.
 */
const isOurs = (id) =>
  /\/(web|wasm\/client)\/.*\.ts$/.test(id) && !/\/(words|strings|styles)\/|\.styles\.ts$/.test(id);

export const instrument = () => ({
  name: 'attention-labs:instrument',
  enforce: 'post',
  transform: (code, id) => (isOurs(id) ? { code: instrumented(code, id), map: null } : undefined),
});
