// For the page's tests: a browser with the page, and the page's items (app/ui/items.h) to inspect and click.
import { createServer } from 'node:http';
import { createReadStream, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { chromium, firefox } from 'playwright-core';

// Where Firefox saves downloads, which it does not report through WebDriver BiDi.
const downloads = mkdtempSync(join(tmpdir(), 'glassformer-downloads-'));
process.on('exit', () => rmSync(downloads, { recursive: true, force: true }));

const launchers = {
  // WebGL without a graphics card.
  chromium: (args = []) => chromium.launch({ executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...(args.length ? args
      : ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'])] }),
  // It draws with Mesa only in a window, for which web_test.sh provides a screen.
  firefox: (args = []) => firefox.launch({ channel: 'moz-firefox', executablePath: '/usr/bin/firefox-esr',
    headless: !process.env.DISPLAY,
    firefoxUserPrefs: { 'browser.download.folderList': 2, 'browser.download.dir': downloads,
      ...(args.length ? { 'webgl.disabled': true } : { 'webgl.force-enabled': true }) } }),
};

/// How much longer than usual to wait, for a busy machine.
export const patience = Number(process.env.PATIENCE ?? 1);

export async function launch(kind, without_webgl = false) {
  return launchers[kind](without_webgl ? ['--disable-3d-apis'] : []);
}

/// Serves the page's folder on a port of this machine; `asked` collects the names that are requested.
export async function serve(folder) {
  const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8' };
  const asked = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://host').pathname, name = path == '/' ? 'index.html' : path.slice(1);
    asked.push(name);
    const file = join(folder, name);
    if (!/^[\w.-]+$/.test(name) || !existsSync(file)) return response.writeHead(404).end();
    response.setHeader('Content-Type', types[extname(name)] ?? 'application/octet-stream');
    createReadStream(file).pipe(response);
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return { url: `http://127.0.0.1:${server.address().port}/`, asked, close: () => server.close() };
}

export class Glass {
  constructor(page) {
    this.page = page;
    this.errors = [];
    page.on('pageerror', (error) => this.errors.push(String(error)));
    page.on('console', (line) => line.type() == 'error' && this.errors.push(line.text()));
  }

  static async open(context, url, wait = 120) {
    const glass = new Glass(await context.newPage());
    const start = Date.now();
    await glass.page.goto(url, { waitUntil: 'commit', timeout: 60000 * patience });
    await glass.until(() => window.page && document.getElementById('sentence').hidden, wait, 'the first frame');
    await glass.shows('top', () => true, wait);
    glass.started = Date.now() - start;
    return glass;
  }

  async until(done, seconds, what, argument) {
    const end = Date.now() + 1000 * seconds * patience;
    while (!(await this.page.evaluate(done, argument).catch(() => false))) {  // the page may be reloading itself
      if (Date.now() > end) throw new Error(`waited ${seconds} s for ${what}`);
      await this.page.waitForTimeout(100);
    }
  }

  /// Returns label → [left, top, right, bottom, value, text, whether the value is a control's state], in CSS pixels.
  items() {
    return this.page.evaluate(() => {
      const all = window.page.items(), ratio = window.devicePixelRatio;
      for (const item of Object.values(all)) for (let i = 0; i < 4; ++i) item[i] /= ratio;
      return all;
    });
  }

  async item(label) {
    return (await this.items())[label];
  }

  /// Waits until the item is there and `is` accepts it; the label `top` means any item at all.
  async shows(label, is = () => true, seconds = 60) {
    const end = Date.now() + 1000 * seconds * patience;
    for (;;) {
      const all = await this.items(), item = label == 'top' ? Object.values(all)[0] : all[label];
      if (item && is({ value: item[4], text: item[5] })) return item;
      if (Date.now() > end)
        throw new Error(`waited ${seconds} s for ${label}; it is ${JSON.stringify(item)}, beside `
          + Object.keys(all).filter((name) => name.startsWith(label.split('/')[0])).slice(0, 20).join(', '));
      await this.page.waitForTimeout(100);
    }
  }

  async gone(label, seconds = 60) {
    const end = Date.now() + 1000 * seconds * patience;
    while (await this.item(label)) {
      if (Date.now() > end) throw new Error(`${label} is still there after ${seconds} s`);
      await this.page.waitForTimeout(100);
    }
  }

  async middle(label) {
    const [left, top, right, bottom] = await this.shows(label);
    return [(left + right) / 2, (top + bottom) / 2];
  }

  async click(label, options = {}) {
    const [x, y] = await this.middle(label);
    await this.page.mouse.move(x, y);
    await this.page.waitForTimeout(150);
    await this.page.mouse.down(options);
    await this.page.waitForTimeout(60);
    await this.page.mouse.up(options);
    await this.page.waitForTimeout(250);
  }

  async press(key) {
    await this.page.keyboard.press(key, { delay: 60 });
    await this.page.waitForTimeout(250);
  }

  /// Runs a command of the palette.
  async command(name, more = '') {
    await this.press('Control+k');
    await this.shows('palette/card');
    await this.page.keyboard.type(name);
    await this.shows('palette/chosen', (chosen) => chosen.text == name);
    await this.press('Enter');
    if (!more) return;
    await this.page.waitForTimeout(300);
    await this.press('Control+a');
    await this.page.keyboard.type(more);
    await this.page.waitForTimeout(300);
    await this.press('Enter');
  }

  /// Opens a link's scene, as "Copy link" writes it.
  async open_scene(scene) {
    const text = Buffer.from(JSON.stringify(scene)).toString('base64url');
    await this.page.evaluate((hash) => { location.hash = hash; }, `#glassformer=1.${text}`);
  }

  /// Plays a script of the program (app/script/script.h), limited to what those of assets/gallery use.
  async play(script) {
    for (const line of script.split('\n')) {
      const [verb, ...words] = (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^"|"$/g, ''));
      if (!verb || verb.startsWith('#')) continue;
      if (verb == 'click') await this.click(words[0]);
      else if (verb == 'key') await this.press(words[0].replace('Ctrl+', 'Control+'));
      else if (verb == 'type') await this.page.keyboard.type(words[0]);
      else if (verb == 'frames') await this.page.waitForTimeout(30 * Number(words[0]));
      else if (verb == 'lesson') {
        await this.open_scene({ model: 'homonyms', lesson: { name: words[0], step: Number(words[1] ?? 1) } });
        await this.shows('lesson/scene', (scene) => scene.value == 1);
      } else if (verb == 'wait') {
        const [label, sign, wanted] = words, is = { '==': (a, b) => a == b, '>': (a, b) => a > b };
        if (sign && !is[sign]) throw new Error(`play() does not know ${line}`);
        await this.shows(label, (item) => !sign || is[sign](item.value, Number(wanted)));
      } else throw new Error(`play() does not know ${line}`);
    }
  }

  /// Returns the name and bytes of what act() makes the page download.
  async downloaded(act) {
    if (!this.firefox) {
      const [download] = await Promise.all([this.page.waitForEvent('download', { timeout: 60000 * patience }), act()]);
      return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
    }
    for (const file of readdirSync(downloads)) rmSync(join(downloads, file));
    await act();
    for (const end = Date.now() + 60000 * patience; Date.now() < end; await this.page.waitForTimeout(100)) {
      const [name, ...more] = readdirSync(downloads);
      if (!name || more.length || name.endsWith('.part')) continue;  // exists beside the file until that is complete
      const bytes = readFileSync(join(downloads, name));
      if (bytes.length) return { name, bytes };
    }
    throw new Error('nothing was downloaded');
  }

  /// Drops a file onto the page.
  async drop(name, bytes) {
    await this.page.evaluate(([name, base64]) => {
      const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([data], name));
      document.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }, [name, Buffer.from(bytes).toString('base64')]);
  }
}
