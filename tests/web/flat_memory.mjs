// node flat_memory.mjs PAGE [MINUTES=30] [chromium|firefox]: trains in the page from its file, prints the program's
// memory and step every minute, and fails if the memory grows after the first three minutes. Needs what page_tests.mjs
// needs.
import { pathToFileURL } from 'node:url';
import { Glass, launch } from './browser.mjs';

const [file, minutes = '30', kind = 'chromium'] = process.argv.slice(2);
const browser = await launch(kind);
const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
const glass = await Glass.open(context, pathToFileURL(file).href);
const memory = () => glass.page.evaluate(() => window.page.HEAPU8.byteLength / 2 ** 20);
await glass.click('train');
const seen = [await memory()];
console.log(`at the start: ${seen[0].toFixed(1)} MB`);
for (let minute = 1; minute <= Number(minutes); ++minute) {
  await glass.page.waitForTimeout(60000);
  seen.push(await memory());
  console.log(`${minute} min: ${seen.at(-1).toFixed(1)} MB, step ${(await glass.item('step'))[4]}`);
}
await browser.close();
const grown = seen.at(-1) - seen[Math.min(3, seen.length - 1)];
console.log(`${grown.toFixed(1)} MB more than after three minutes; the page reported ${glass.errors.length} errors`);
process.exit(grown > 0 || glass.errors.length ? 1 : 0);
