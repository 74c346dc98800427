// node speed.mjs PAGE [SECONDS=20] [chromium|firefox]: opens the page from its file (one thread) and from a server (every
// core), and prints the seconds until its first frame, the frames per second while the pointer moves over the whole
// model, and the milliseconds per training step of homonyms. Needs what page_tests.mjs needs, and an otherwise idle
// machine.
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Glass, launch, serve } from './browser.mjs';

const [file, seconds = '20', kind = 'chromium'] = process.argv.slice(2);
const browser = await launch(kind);

/// The browser's frames per second, each of which draws the page since the pointer has moved.
const frames_per_second = (glass) => glass.page.evaluate(() => new Promise((done) => {
  const canvas = document.getElementById('canvas'), start = performance.now();
  let count = 0;
  const frame = () => {
    const elapsed = (performance.now() - start) / 1000, angle = 3 * elapsed;
    if (elapsed > 5) return done(count / elapsed);
    ++count;
    canvas.dispatchEvent(new MouseEvent('mousemove', { bubbles: true,
      clientX: 500 + 200 * Math.cos(angle), clientY: 350 + 120 * Math.sin(angle) }));
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}));

async function measure(url, where) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const opened = performance.now(), glass = await Glass.open(context, url), first = performance.now() - opened;
  await glass.until(() => navigator.serviceWorker?.controller || location.protocol == 'file:', 60, 'the service worker');
  await glass.shows('train');
  await glass.page.waitForTimeout(3000);
  const frames = await frames_per_second(glass);
  await glass.click('train');
  await glass.page.mouse.move(640, 5);
  await glass.page.waitForTimeout(5000);  // the first steps warm up
  const step = async () => (await glass.item('step'))[4];
  const [before, start] = [await step(), performance.now()];
  await glass.page.waitForTimeout(1000 * Number(seconds));
  const [after, end] = [await step(), performance.now()];
  const isolated = await glass.page.evaluate(() => window.crossOriginIsolated);
  console.log(`${where}: first frame after ${(first / 1000).toFixed(1)} s, ${frames.toFixed(0)} frames a second, `
    + `${((end - start) / (after - before)).toFixed(1)} ms a step${isolated ? ' (cross-origin isolated)' : ''}`);
  await context.close();
}

await measure(pathToFileURL(file).href, 'from its file');
const server = await serve(join(dirname(file), 'glassformer-web'));
await measure(server.url, 'from a server');
server.close();
await browser.close();
