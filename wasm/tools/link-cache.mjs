// Links with em++, or takes what the same link made before. ccache keeps objects but no links, and with link-time
// optimisation the links of the modules take longer than everything that is compiled for them. CMake calls this as its
// linker launcher:
//
//   node wasm/tools/link-cache.mjs em++ … -o <module>
//
// What a link made is kept in the folder `attention-labs-links` of ccache's folder, under a hash of all that goes into
// it: the compiler, its options, and the contents of every file among its arguments. ATTN_LINK_CACHE says how many links
// are kept (120 unless told, about 200 MB); 0 links every time.
import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { capture, main, root, Stop } from './process.mjs';

const kept = Number(process.env.ATTN_LINK_CACHE ?? 120);

/** The folder of all kept links, or undefined where ccache has no folder. */
function cacheFolder() {
  if (process.env.CCACHE_DISABLE) return undefined;
  const { code, stdout } = process.env.CCACHE_DIR
    ? { code: 0, stdout: process.env.CCACHE_DIR }
    : capture('ccache', ['-k', 'cache_dir']);
  return code === 0 ? join(stdout.trim(), 'attention-labs-links') : undefined;
}

/** A hash of all that goes into a link, or undefined where an argument hides files that it names. */
function keyOf(command, output) {
  // A file of more arguments is not read here, and the option `--js-library=file` would hide a file.
  if (command.some((word) => word.startsWith('@') || /^--[\w-]+=.*\//.test(word))) return undefined;
  const hash = createHash('sha256');
  hash.update(capture(command[0], ['-v'], { cwd: process.cwd() }).out);
  for (const name of Object.keys(process.env).sort()) {
    if (/^(EMCC|EM|EMMAKEN)_/.test(name)) hash.update(`${name}=${process.env[name]}\0`);
  }
  for (const word of command.slice(1)) {
    // Another clone has the same link elsewhere.
    hash.update(`${word.replaceAll(root, '/')}\0`);
    if (word === output || !fs.existsSync(word) || !fs.statSync(word).isFile()) continue;
    hash.update(createHash('sha256').update(fs.readFileSync(word)).digest());
  }
  return hash.digest('hex');
}

/** The files that a link makes: the module, and the WebAssembly beside it unless that is inside. */
function filesOf(output) {
  const beside = output.slice(0, -extname(output).length);
  return [...new Set([output, `${beside}.wasm`])];
}

/** Removes the links that were used longest ago. */
function prune(folder) {
  const links = fs
    .readdirSync(folder)
    .map((name) => ({ path: join(folder, name), used: fs.statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.used - a.used);
  for (const { path } of links.slice(kept)) fs.rmSync(path, { recursive: true, force: true });
}

/** Copies the files of a kept link to where this link is to put them; false where there is none. */
function restore(entry, files) {
  try {
    for (const name of fs.readdirSync(entry)) {
      fs.copyFileSync(
        join(entry, name),
        files.find((file) => basename(file) === name),
      );
    }
    const now = new Date();
    fs.utimesSync(entry, now, now);
    return true;
  } catch {
    // It was never kept, or another build has just removed it.
    return false;
  }
}

/** Keeps what a link made. The entry is renamed when it is whole, so that no other link finds half of it. */
function keep(entry, files) {
  const whole = `${entry}.${randomUUID()}`;
  try {
    fs.mkdirSync(whole, { recursive: true });
    for (const file of files) {
      if (fs.existsSync(file)) fs.copyFileSync(file, join(whole, basename(file)));
    }
    fs.renameSync(whole, entry);
    prune(dirname(entry));
  } catch {
    // The disk is full, or another build kept the same link meanwhile. The link itself has succeeded.
    if (fs.existsSync(whole)) fs.rmSync(whole, { recursive: true });
  }
}

function link(command) {
  const { status, error } = spawnSync(command[0], command.slice(1), { stdio: 'inherit' });
  if (error) throw new Stop(`${command[0]}: ${error.message}`);
  return status ?? 1;
}

await main(() => {
  const command = process.argv.slice(2);
  const output = command[command.indexOf('-o') + 1];
  const folder = kept > 0 && command.includes('-o') ? cacheFolder() : undefined;
  const key = folder && keyOf(command, output);
  if (!key) process.exit(link(command));
  const entry = join(folder, key);
  const files = filesOf(output);
  if (restore(entry, files)) return;
  // What an earlier link left beside the module would be kept as if this one had made it.
  for (const file of files) fs.rmSync(file, { force: true });
  const status = link(command);
  if (status === 0) keep(entry, files);
  process.exit(status);
});
