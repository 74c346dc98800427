// node pack_page.mjs PAGE SCRIPT PROGRAM OUTPUT: the page with the script and the compressed program inside.
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const [page, script, program, output] = process.argv.slice(2);
const parts = {
  SCRIPT: readFileSync(script, 'utf8').replaceAll('</script', '<\\/script'),
  PROGRAM: gzipSync(readFileSync(program), { level: 9 }).toString('base64'),
};
writeFileSync(output, readFileSync(page, 'utf8').replace(/\{\{\{ (\w+) \}\}\}/g, (_, name) => parts[name]));
