// node pack_page.mjs PAGE SCRIPT PROGRAM FILES OUTPUT: the page with the script and, compressed, the program and the
// folder of files that it finds at its root.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const [page, script, program, files, output] = process.argv.slice(2);

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

const compressed = (bytes) => gzipSync(bytes, { level: 9 }).toString('base64');
const parts = {
  SCRIPT: readFileSync(script, 'utf8').replaceAll('</script', '<\\/script'),
  PROGRAM: compressed(readFileSync(program)),
  FILES: compressed(packed(files.replace(/\/$/, ''))),
};
writeFileSync(output, readFileSync(page, 'utf8').replace(/\{\{\{ (\w+) \}\}\}/g, (_, name) => parts[name]));
