// node pack_page.mjs PAGE SCRIPT PROGRAM FILES OFFLINE OUTPUT.html OUTPUT [THREADS]: the page with the script and,
// compressed, the program and the folder of files that it finds at its root: all in one file, and as a folder to host,
// whose page gets them from beside it and whose service worker (OFFLINE) keeps them. That has the program of the build
// in THREADS, too, for where a page may have threads.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const [page, script, program, files, offline, one, folder, threads] = process.argv.slice(2);

// [[path, bytes], …] as a line of JSON, then the files one after the other.
function packed(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`.slice(folder.length))
    .sort()
    .map((path) => [path, readFileSync(folder + path)]);
  const index = JSON.stringify(entries.map(([path, bytes]) => [path, bytes.length]));
  return Buffer.concat([Buffer.from(index + '\n'), ...entries.map(([, bytes]) => bytes)]);
}

const filled = (text, parts) => text.replace(/\{\{\{ (\w+) \}\}\}/g, (_, name) => parts[name]);
const compressed = (bytes) => gzipSync(bytes, { level: 9 });
const template = readFileSync(page, 'utf8');
const ICON = readFileSync(new URL('../packaging/icon.svg', import.meta.url)).toString('base64');
const parts = { program: compressed(readFileSync(program)), files: compressed(packed(files.replace(/\/$/, ''))) };

const inside = ([name, bytes]) =>
  `<script id="${name}" type="application/octet-stream">${bytes.toString('base64')}</script>\n`;
writeFileSync(one, filled(template, {
  PARTS: Object.entries(parts).map(inside).join('') +
    `<script>${readFileSync(script, 'utf8').replaceAll('</script', '<\\/script')}</script>`,
  SIZES: '{}', ICON,
}));

// No name ends with .gz: some servers would say that the browser is to unpack it.
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const scripts = { 'glassformer.js': readFileSync(script) };
if (threads) {
  parts.threads = compressed(readFileSync(`${threads}/glassformer.wasm`));
  scripts['glassformer.threads.js'] = readFileSync(`${threads}/glassformer.js`);
}
const sizes = Object.fromEntries(Object.entries(parts).map(([name, bytes]) => [name, bytes.length]));
const contents = {
  'index.html': Buffer.from(filled(template, {
    PARTS: '', SIZES: JSON.stringify(sizes), ICON })),
  ...scripts,
  ...Object.fromEntries(Object.entries(parts).map(([name, bytes]) => [`glassformer.${name}`, bytes])),
};
const version = createHash('sha256');
for (const [name, bytes] of Object.entries(contents)) {
  writeFileSync(`${folder}/${name}`, bytes);
  version.update(bytes);
}
writeFileSync(`${folder}/offline.js`, filled(readFileSync(offline, 'utf8'),
  { VERSION: version.digest('hex').slice(0, 16), NAMES: JSON.stringify(['./', ...Object.keys(contents)]) }));
