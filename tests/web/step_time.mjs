// node step_time.mjs PAGE [SECONDS=20] [chromium|firefox]: trains the homonyms model in the page for a while and prints
// the milliseconds per training step, from its file (one thread) and from a server (every core). Needs what
// page_tests.mjs needs, and an otherwise idle machine.
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Glass, launch, serve } from './browser.mjs';

const [file, seconds = '20', kind = 'chromium'] = process.argv.slice(2);
const browser = await launch(kind);

async function measure(url, where) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const glass = await Glass.open(context, url);
  await glass.until(() => navigator.serviceWorker?.controller || location.protocol == 'file:', 60, 'the service worker');
  await glass.shows('train');
  await glass.click('train');
  await glass.page.mouse.move(640, 5);
  await glass.page.waitForTimeout(5000);  // the first steps warm up
  const step = async () => (await glass.item('step'))[4];
  const [first, start] = [await step(), performance.now()];
  await glass.page.waitForTimeout(1000 * Number(seconds));
  const [last, end] = [await step(), performance.now()];
  const isolated = await glass.page.evaluate(() => window.crossOriginIsolated);
  console.log(`${where}: ${((end - start) / (last - first)).toFixed(1)} ms a step, ${last - first} steps`
    + `${isolated ? ', cross-origin isolated' : ''}`);
  await context.close();
}

await measure(pathToFileURL(file).href, 'from its file');
const server = await serve(join(dirname(file), 'glassformer-web'));
await measure(server.url, 'from a server');
server.close();
await browser.close();
