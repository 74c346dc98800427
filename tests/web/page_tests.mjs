// node page_tests.mjs PAGE [chromium|firefox …]: tests the page from its file, and the folder beside it from a server
// on this machine. Needs playwright-core and the browsers; scripts/web_test.sh provides both. ONLY=part of a name runs
// some of the tests, WHERE=file or WHERE=http only those from there; PICTURES=folder keeps pictures. Some compare with
// this system's program: GLASSFORMER=path, by default build/glassformer; without it they are left out.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Glass, launch, patience, serve } from './browser.mjs';

const [file, ...kinds] = process.argv.slice(2);
const corpus = join(import.meta.dirname, '../fuzz/corpus'), assets = join(import.meta.dirname, '../../assets');
const desktop = process.env.GLASSFORMER ?? join(import.meta.dirname, '../../build/glassformer');
const scratch = mkdtempSync(join(tmpdir(), 'glassformer-page-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const tests = [];
const test = (name, run, where = {}) => tests.push({ name, run, ...where });

function check(is, what) {
  if (!is) throw new Error(what);
}

/// Returns what this system's program prints.
function run_desktop(...words) {
  return execFileSync(desktop, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, GLASSFORMER_ASSETS: assets, LC_ALL: 'C.UTF-8', LANGUAGE: '' } });
}

/// Prints how long frames take while the pointer moves, including browser frames in which nothing was drawn.
async function print_frames(glass, when) {
  const frames = await glass.page.evaluate(() => new Promise((done) => {
    const times = [];
    let last = performance.now();
    const frame = (now) => {
      times.push(performance.now() - last);
      last = performance.now();
      window.dispatchEvent(new MouseEvent('mousemove', { clientX: 300 + times.length % 200, clientY: 300 }));
      times.length < 120 ? requestAnimationFrame(frame) : done(times.sort((a, b) => a - b));
    };
    requestAnimationFrame(frame);
  }));
  console.log(`    ${when}: a frame in ${frames[60].toFixed(0)} ms, nine of ten in ${frames[108].toFixed(0)} ms, the longest in `
    + `${frames.at(-1).toFixed(0)} ms`);
}

async function reset(glass) {
  const sure = 'palette/Reset: start over from step 0 with new random weights; the model and its curve will be lost';
  await glass.command('Reset the training…');
  await glass.click(sure);
  await glass.gone(sure);
}

async function words(glass, card) {
  const all = await glass.items();
  return Object.keys(all).filter((label) => label.startsWith(`${card}/token `)).map((label) => all[label][5]).join(' ');
}

/// Waits until card B's sentence contains the word.
async function shows_word(glass, word) {
  const end = Date.now() + 20000 * patience;
  while (!(await words(glass, 'B')).split(' ').includes(word)) {
    if (Date.now() > end) throw new Error(`B shows "${await words(glass, 'B')}", without "${word}"`);
    await glass.page.waitForTimeout(200);
  }
}

test('starts and accepts a typed sentence', async (glass) => {
  console.log(`    first frame after ${glass.started} ms`);
  await glass.page.waitForTimeout(3000);
  await print_frames(glass, 'while the pointer moves over the opening picture');
  await glass.click('view/Attention');
  await glass.click('B/type');
  await glass.press('Control+a');
  await glass.page.keyboard.type('the old bat flew .', { delay: 20 });
  await glass.press('Enter');
  await glass.page.waitForTimeout(1500);
  check((await words(glass, 'B')).includes('bat flew'), `B shows "${await words(glass, 'B')}"`);
});

test('keeps the theme after a reload', async (glass) => {
  const before = (await glass.shows('theme'))[5];
  await glass.click('theme');
  await glass.shows('theme', (theme) => theme.text != before);
  await glass.page.waitForTimeout(4000);  // settings are written every two seconds
  await glass.page.reload({ waitUntil: 'commit' });
  await glass.until(() => window.page && document.getElementById('sentence').hidden, 120, 'the page again');
  await glass.shows('theme', (theme) => theme.text != before);
});

test('saves nothing from a second tab, and says so', async (glass, { url }) => {
  const before = (await glass.shows('theme'))[5];
  const second = await Glass.open(glass.page.context(), url);
  await second.shows('notice', (notice) => /already open in another tab/.test(notice.text));
  await second.click('theme');
  await second.shows('theme', (theme) => theme.text != before);
  await second.page.waitForTimeout(4000);
  await second.page.close();
  await glass.page.reload({ waitUntil: 'commit' });
  await glass.until(() => window.page && document.getElementById('sentence').hidden, 120, 'the page again');
  await glass.shows('theme', (theme) => theme.text == before);
  check(!(await glass.item('notice')), 'the first tab keeps');
});

test('trains from scratch, asks before it is closed, and saves the trained model', async (glass) => {
  await reset(glass);
  await glass.shows('step', (step) => step.value == 0);
  await glass.click('train');
  await glass.shows('step', (step) => step.value >= 100, 300);
  await print_frames(glass, 'while it trains and the pointer moves');
  await glass.click('train');
  const asked = new Promise((done) => glass.page.once('dialog', (dialog) => {
    done(dialog.type());
    dialog.dismiss();
  }));
  if (!glass.firefox) {  // Firefox does not report it through WebDriver BiDi
    glass.page.close({ runBeforeUnload: true });
    check(await asked == 'beforeunload', 'it was closed without a question');
  }
  const model = await glass.downloaded(() => glass.command('Save for students…', 'trained.glass'));
  check(model.name == 'trained.glass' && model.bytes.subarray(0, 2).toString() == 'PK', `a download ${model.name}`);
  const steps = (await glass.item('step'))[4];
  await glass.click('world');
  await glass.page.waitForTimeout(400);
  await glass.press('Escape');
  await glass.drop('trained.glass', model.bytes);
  if (await glass.shows('leaving', () => true, 20).catch(() => null)) await glass.click('leaving/drop');
  await glass.shows('step', (step) => step.value == steps, 60);
});

test('keeps training while its tab is hidden', async (glass) => {
  await glass.click('train');
  const before = (await glass.shows('step', () => true))[4];
  await glass.page.evaluate(() => {  // as in a hidden tab: no frames
    Object.defineProperty(document, 'hidden', { get: () => window.hiddenNow, configurable: true });
    window.hiddenNow = true;
    const frames = window.requestAnimationFrame;
    window.waiting = [];
    window.requestAnimationFrame = (frame) => window.hiddenNow ? window.waiting.push(frame) : frames(frame);
    window.showAgain = () => {
      window.hiddenNow = false;
      document.dispatchEvent(new Event('visibilitychange'));
      window.waiting.splice(0).forEach((frame) => frames(frame));
    };
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await glass.page.waitForTimeout(500);
  const hidden = (await glass.item('step'))[4];
  await glass.page.waitForTimeout(8000);
  await glass.page.evaluate(() => window.showAgain());
  await glass.page.waitForTimeout(1500);
  await glass.click('train');
  const after = (await glass.item('step'))[4];
  console.log(`    steps ${before}, hidden from ${hidden} on, then ${after}`);
  check(after > hidden + 20, 'it did not train while it was hidden');
});

test('offers to recover an unsaved training after a reload', async (glass) => {
  await reset(glass);
  await glass.click('train');
  await glass.shows('step', (step) => step.value > 10, 120);
  await glass.page.waitForTimeout(25000);  // the training is kept every few seconds
  glass.page.once('dialog', (dialog) => dialog.accept());
  await glass.page.reload({ waitUntil: 'commit' });
  await glass.until(() => window.page && document.getElementById('sentence').hidden, 120, 'the page again');
  await glass.shows('recovery');
  await glass.click('recovery/open');
  await glass.shows('step', (step) => step.value > 10, 30);
});

for (const number of [1, 7, 10])
  test(`plays lesson ${number} to its end`, async (glass) => {
    const name = readdirSync(join(assets, 'lessons')).find((file) => file.startsWith(`${number}_`)).replace(/\..*/, '');
    await glass.open_scene({ model: 'homonyms', lesson: { name, step: 1 } });
    await glass.shows('lesson/scene', (scene) => scene.value == 1);
    let all;
    for (let i = 0; i < 90; ++i) {
      for (const end = Date.now() + 60000 * patience; Date.now() < end; await glass.page.waitForTimeout(100)) {
        all = await glass.items();
        if (all['lesson/next lesson'] || all['lesson/scene']?.[4] == 1) break;
      }
      if (all['lesson/next lesson']) break;
      if (all['lesson/choice 0'] && !all['lesson/after']) await glass.press('1');
      await glass.press('n');
    }
    await glass.shows('lesson/next lesson', () => true, 10);
    check(!(await glass.item('lesson error')), `it says ${(await glass.item('lesson error') || [])[5]}`);
  });

test('hands in homework that the desktop program marks', async (glass) => {
  const lesson = 'lesson: Little\nmodel: fresh homonyms\n\n== Learn\nA: the bat hit the ball .\n'
    + 'task: {step} >= 5 and {loss} < 7\n\nTrain a little.\n';
  await glass.drop('little.lesson', Buffer.from(lesson));
  await glass.shows('lesson/check');
  await glass.click('lesson/check');
  await glass.shows('lesson/attempt', (attempt) => attempt.value == 1);
  await glass.click('train');
  await glass.shows('step', (step) => step.value >= 5, 120);
  await glass.click('train');
  await glass.page.waitForTimeout(1500);
  await glass.click('lesson/check');
  await glass.shows('lesson/done', (done) => done.value == 1);
  const handed = await glass.downloaded(async () => {
    await glass.click('lesson/hand in');
    await glass.page.keyboard.type('Ada');
    await glass.page.waitForTimeout(300);
    await glass.press('Enter');
  });
  check(/^Ada-.+\.glass$/.test(handed.name), `the download is called ${handed.name}`);
  const folder = mkdtempSync(join(scratch, 'class-'));
  writeFileSync(join(folder, handed.name), handed.bytes);
  writeFileSync(join(folder, 'little.lesson'), lesson);
  const marks = run_desktop('grade', folder, '--lesson', join(folder, 'little.lesson'), '--csv', '-');
  check(/1 of 1/.test(marks), marks);
}, { needs_desktop: true });

test('opens a dropped folder, and tells of a file that cannot be read', async (glass) => {
  const model = join(assets, 'models/induction');
  const files = Object.fromEntries(['config.json', 'vocab.txt', 'model.safetensors'].map((name) => [name, readFileSync(join(model, name)).toString('base64')]));
  await glass.page.evaluate((files) => {
    const file = (base64) => ({ arrayBuffer: async () => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)).buffer });
    const entries = Object.entries(files).map(([name, base64]) => ({ name, file: (done) => done(file(base64)) }));
    const folder = { isDirectory: true, createReader: () => ({ readEntries: (done) => done(entries.splice(0, 1)) }) };
    const unread = { name: 'large.glass', arrayBuffer: async () => { throw new DOMException('No room.', 'NotReadableError'); } };
    window.drop = (file, entry) => {
      const drop = new Event('drop', { cancelable: true });
      drop.dataTransfer = { files: [file], items: [{ kind: 'file', webkitGetAsEntry: () => entry }] };
      document.dispatchEvent(drop);
    };
    window.drop({ name: 'mine' }, folder);
    window.dropUnread = () => window.drop(unread, null);
  }, files);
  await glass.shows('world', (world) => /induction/i.test(world.text));
  await glass.page.evaluate(() => window.dropUnread());
  await glass.until(() => Object.values(window.page.items()).some((item) => item[5].includes('large.glass')), 20, 'a message');
});

test('asks for a file in the browser\'s dialog, by a button where that may not open by itself', async (glass) => {
  const choose = async (name, act) => {
    await glass.command('Open model…');
    await glass.page.waitForTimeout(300);
    await glass.page.keyboard.type('file in a dialog');
    await glass.shows('palette/chosen', (chosen) => chosen.text == 'Choose a file in a dialog…');
    const asked = glass.page.waitForEvent('filechooser', { timeout: 60000 * patience });
    await glass.press('Enter');
    await act();
    await (await asked).setFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from('no model') });
    await glass.until((part) => Object.values(window.page.items()).some((item) => item[5].includes(part)), 20, name, name);
  };
  await choose('first.glass', async () => {});
  await glass.page.evaluate(() => {
    HTMLInputElement.prototype.showPicker = () => { throw new DOMException('Too late.', 'NotAllowedError'); };
  });
  await choose('second.glass', () => glass.page.click('dialog button'));
}, { kinds: ['chromium'] });

test('sets up and starts a custom world that was dropped', async (glass) => {
  const grammar = readFileSync(join(assets, 'worlds/homonyms.grammar'));
  await glass.drop('colours.grammar', grammar);
  await glass.shows('setup', (setup) => setup.value == 1);
  await glass.shows('setup/file', (field) => field.text.endsWith('colours.grammar'));
  await glass.drop('story.txt', Buffer.from('the cat sees the dog.\na bird sings.\n'.repeat(200)));
  await glass.shows('setup/title', (title) => /story/.test(title.text));
  await glass.shows('setup/parameters', (count) => count.value > 0);
  await glass.click('setup/start');
  await glass.shows('step', (step) => step.value < 100);
  await glass.shows('world', (world) => /text/i.test(world.text));
});

test('opens a .glass file from the desktop program', async (glass) => {
  const file = join(scratch, 'desktop.glass');
  run_desktop('pack', 'induction', file);
  await glass.drop('desktop.glass', readFileSync(file));
  await glass.shows('world', (world) => /induction/i.test(world.text));
}, { needs_desktop: true });

test('downloads exports', async (glass) => {
  for (const [format, begins] of [['PNG', '\x89PNG'], ['SVG', '<?xml'], ['CSV', ''], ['NPZ', 'PK']]) {
    const [x, y] = await glass.middle('B/headline');
    await glass.page.mouse.move(x, y);
    await glass.page.waitForTimeout(300);
    await glass.press('Control+e');
    await glass.click(`export/format/${format}`);
    const it = await glass.downloaded(() => glass.click('export/save'));
    check(it.name.endsWith(`.${format.toLowerCase()}`), `the download is called ${it.name}`);
    check(it.bytes.length > 200 && it.bytes.latin1Slice(0, begins.length) == begins, `${it.name} begins otherwise`);
    await glass.gone('export/card');
  }
});

test('reads dropped files, and reports the ones that it cannot read', async (glass) => {
  await glass.drop('sentence.txt', 'a bat hit the ball .\n');
  await shows_word(glass, 'hit');
  let told = 0;
  for (const kind of ['glass', 'safetensors', 'lesson', 'config'])
    for (const name of readdirSync(join(corpus, kind)).slice(0, 4)) {
      const ending = { glass: '.glass', safetensors: '.safetensors', lesson: '.lesson', config: '.json' }[kind];
      await glass.drop(name + ending, readFileSync(join(corpus, kind, name)));
      await glass.page.waitForTimeout(1200);
      const all = await glass.items();
      const sentence = ['notice', 'error', 'messages'].map((label) => all[label]?.[5]).find(Boolean);
      if (sentence) ++told;
    }
  console.log(`    of the files for the fuzzers ${told} were told of in a sentence`);
  check(told >= 6, 'too few wrong files were told of');
  await glass.drop('sentence.txt', 'the bat flew .\n');
  await shows_word(glass, 'flew');
});

test('opens links, and reports an invalid one', async (glass, { url }) => {
  const told = () => glass.shows('notice', (notice) => notice.text.includes('link'));
  await glass.page.evaluate(() => { location.hash = '#glassformer=9.xx'; });
  await told();
  const said = (await glass.item('notice'))[5];
  await glass.page.evaluate(() => history.back());
  await glass.until(() => !location.hash, 20, 'the page without a link');
  await glass.page.waitForTimeout(1000);
  check((await glass.item('notice'))?.[5] == said, `Back: ${(await glass.item('notice'))?.[5]}`);
  const scene = Buffer.from(JSON.stringify({ model: 'induction', view: 'All heads', block: 1 })).toString('base64url');
  await glass.page.goto('about:blank');
  await glass.page.goto(`${url}#glassformer=1.${scene}`, { waitUntil: 'commit' });
  await glass.until(() => window.page && document.getElementById('sentence').hidden, 120, 'the page again');
  await glass.shows('world', (world) => /induction/i.test(world.text));
  await glass.shows('view/All heads', (view) => view.value == 1);
  await glass.command('Copy link');
  await glass.shows('notice', (notice) => notice.text.includes('clipboard'));
  await glass.open_scene({ world: 'homonyms', with: { seed: '3', batch: '16' }, trained_to: 20 });
  await glass.shows('step', (step) => step.value == 20, 120);
});

test('says that it may not write to the clipboard, and copies on Ctrl+C', async (glass) => {
  await glass.command('Copy link');
  await glass.shows('notice', (notice) => /Ctrl\+C/.test(notice.text));
  const copied = await glass.page.evaluate(() => {
    const copy = new Event('copy', { cancelable: true });
    copy.clipboardData = new DataTransfer();
    document.dispatchEvent(copy);
    return copy.clipboardData.getData('text/plain');
  });
  check(copied.includes('#glassformer='), `it copied "${copied}"`);
}, { before: () => {
  Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined });
} });

test('survives malformed links', async (glass) => {
  const kinds = [null, true, -1, 1e300, '', 'x'.repeat(300), [], [[]], {}, { name: 7 }, { name: '1_two_kinds_of_bat', step: -9 }];
  const fields = ['model', 'sentences', 'view', 'block', 'head', 'tokens', 'what_if', 'lesson', 'world', 'with', 'trained_to',
    'other'];
  let told = 0;
  for (let i = 0; i < 60; ++i) {
    const scene = Object.fromEntries(fields.filter((_, at) => (i * 7 + at * 5) % 3 == 0)
      .map((field, at) => [field, kinds[(i + at * 3) % kinds.length]]));
    let text = Buffer.from(JSON.stringify(scene)).toString('base64url');
    if (i % 4 == 3) text = text.slice(0, i) + String.fromCharCode(33 + i) + text.slice(i + 1);
    await glass.page.evaluate((hash) => { location.hash = hash; }, `#glassformer=1.${text}`);
    await glass.page.waitForTimeout(150);
    if (/link/.test((await glass.item('notice'))?.[5])) ++told;
  }
  console.log(`    of 60 links ${told} were told of in a sentence`);
  check(told >= 30, 'too few wrong links were told of');
  await glass.open_scene({ model: 'induction' });
  await glass.shows('world', (world) => /induction/i.test(world.text));
});

test('says that nothing is saved in a private window', async (glass) => {
  await glass.shows('notice', (notice) => /does not let the page keep/.test(notice.text));
  await glass.click('theme');
  await glass.page.waitForTimeout(3000);
  await glass.shows('notice', (notice) => /does not let the page keep/.test(notice.text));
}, { before: () => {
  IDBFactory.prototype.open = () => { throw new DOMException('The operation is insecure.', 'SecurityError'); };
} });

test('says that the browser has taken its graphics, and goes on after a reload', async (glass) => {
  await glass.page.evaluate(() =>
    document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext());
  await glass.until(() => /graphics/.test(document.getElementById('sentence').textContent)
    && !document.getElementById('sentence').hidden, 20, 'the sentence');
  await glass.page.reload({ waitUntil: 'commit' });
  await glass.until(() => window.page && document.getElementById('sentence').hidden, 120, 'the page again');
  await glass.shows('train');
});

test('says that the storage quota is exceeded', async (glass) => {
  check(!(await glass.item('notice')), `at the start: ${(await glass.item('notice'))?.[5]}`);
  await glass.page.evaluate(() => {
    IDBObjectStore.prototype.put = () => { throw new DOMException('No room.', 'QuotaExceededError'); };
  });
  await glass.click('theme');
  await glass.shows('notice', (notice) => /no more room/.test(notice.text), 20);
});

test('accepts text without key events, as from an input method or a phone', async (glass) => {
  await glass.press('Control+k');
  await glass.shows('palette/card');
  await glass.page.waitForTimeout(300);
  await glass.page.keyboard.insertText('Zoë 王');
  await glass.shows('palette', (field) => field.text.includes('Zoë 王'), 10);
}, { kinds: ['chromium'] });

test('sees keys that are pressed and released within a frame, as a phone\'s Backspace and a Mac\'s Cmd+K', async (glass) => {
  const tap = (key) => glass.page.evaluate((key) => {
    for (const type of key.metaKey ? ['keydown'] : ['keydown', 'keyup'])
      window.dispatchEvent(new KeyboardEvent(type, { ...key, bubbles: true, cancelable: true }));
  }, key);
  for (let i = 0; i < 2; ++i) {
    await tap({ code: 'KeyK', key: 'k', metaKey: true });
    await glass.shows('palette/card');
    await tap({ code: 'Escape', key: 'Escape' });
    await glass.gone('palette/card');
  }
  await glass.press('Control+k');
  await glass.shows('palette/card');
  await glass.page.waitForTimeout(300);
  await glass.page.keyboard.insertText('abc');
  await glass.shows('palette', (field) => field.text == 'abc', 10);
  await glass.page.evaluate(() => document.execCommand('delete'));
  await glass.shows('palette', (field) => field.text == 'ab', 10);
}, { kinds: ['chromium'] });

test('enters a letter once when its key is unknown', async (glass) => {
  const keys = await glass.page.context().newCDPSession(glass.page);
  await glass.click('B/type');
  await glass.press('Control+a');
  for (const [code, key] of [['Semicolon', 'ö'], ['BracketLeft', 'ü'], ['', 'ك']]) {
    await keys.send('Input.dispatchKeyEvent', { type: 'keyDown', code, key, text: key });
    await keys.send('Input.dispatchKeyEvent', { type: 'keyUp', code, key });
  }
  await glass.shows('B/text', (field) => field.text == 'öüك', 10).catch(async () =>
    check(false, `the field has "${(await glass.item('B/text'))[5]}"`));
}, { kinds: ['chromium'] });

test('leaves the letters of an input method to it', async (glass) => {
  const key = (type, key, keyCode) => glass.page.evaluate((init) => window.dispatchEvent(
    new KeyboardEvent(init.type, { ...init, bubbles: true, cancelable: true })), { type, key, code: `Key${key.toUpperCase()}`, keyCode });
  await glass.click('B/type');
  await glass.press('Control+a');
  for (const letter of 'ni') {  // as Safari and Chrome report them on a Mac
    await key('keydown', letter, 229);
    await key('keyup', letter, letter.toUpperCase().charCodeAt(0));
  }
  await glass.page.keyboard.insertText('你');
  await glass.shows('B/text', (field) => field.text == '你', 10);
}, { kinds: ['chromium'] });

test('shows what an input method composes at the caret', async (glass) => {
  const keys = await glass.page.context().newCDPSession(glass.page);
  await glass.click('B/type');
  await glass.press('Control+a');
  await keys.send('Input.imeSetComposition', { text: 'nihao', selectionStart: 5, selectionEnd: 5 });
  const [left, top] = await glass.shows('B/text/caret');
  await glass.until(([left, top]) => {
    const field = document.getElementById('field'), box = field.getBoundingClientRect();
    return getComputedStyle(field).opacity == 1 && field.value.includes('nihao')
      && Math.abs(box.left - left) < 3 && Math.abs(box.top - top) < 3;
  }, 10, 'the field at the caret', [left, top]);
  await keys.send('Input.insertText', { text: '你好' });
  await glass.shows('B/text', (field) => field.text == '你好', 10);
  await glass.until(() => getComputedStyle(document.getElementById('field')).opacity == 0, 10, 'the field to go');
}, { kinds: ['chromium'] });

test('takes keys where the layout has them, and AltGr on Windows not for Ctrl', async (glass) => {
  const key = (type, code, key, more) => glass.page.evaluate(([type, init]) => window.dispatchEvent(
    new KeyboardEvent(type, { ...init, bubbles: true, cancelable: true })), [type, { code, key, ...more }]);
  await glass.click('B/type');
  await glass.press('Control+a');
  await key('keydown', 'ControlLeft', 'Control', { ctrlKey: true });
  await key('keydown', 'AltRight', 'AltGraph');
  await key('keydown', 'KeyQ', '@');  // German; Ctrl+Q would end the program
  await key('keyup', 'KeyQ', '@');
  await key('keyup', 'ControlLeft', 'Control');
  await key('keyup', 'AltRight', 'AltGraph');
  await glass.shows('B/text', (field) => field.text == '@', 10);
  await glass.page.keyboard.type('b');
  await glass.shows('B/text', (field) => field.text == '@b', 10);
  await key('keydown', 'KeyY', 'z', { ctrlKey: true });  // where an American keyboard has Ctrl+Y
  await key('keyup', 'KeyY', 'z', { ctrlKey: true });
  await glass.shows('B/text', (field) => field.text != '@b', 10);  // undone
});

/// Types a text into B's field and returns how many stretches of the field's columns have ink: one for joined letters,
/// one per letter otherwise.
async function stretches_of_ink(glass, text, picture) {
  await glass.press('Control+a');
  await glass.page.keyboard.insertText(text);
  await glass.page.waitForTimeout(2500);
  const [left, top, right, bottom] = await glass.shows('B/text');
  const png = await glass.page.screenshot({ clip: { x: left + 3, y: top + 4, width: right - left - 6, height: bottom - top - 8 } });
  if (process.env.PICTURES) await glass.page.screenshot({ path: `${process.env.PICTURES}/${picture}.png` });
  return glass.page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement('canvas'), { width, height } = image;
    Object.assign(canvas, { width, height });
    const pen = canvas.getContext('2d');
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, width, height);
    const paper = data[4 * (width * Math.floor(height / 2) + width - 4)];
    const inked = (x) => Array.from({ length: height }, (_, y) => data[4 * (y * width + x)])
      .some((red) => Math.abs(red - paper) > 70);
    let count = 0;
    for (let x = 1; x < width; ++x) count += inked(x) && !inked(x - 1);
    return count;
  }, png.toString('base64'));
}

test('joins Arabic letters', async (glass) => {
  await glass.click('view/Attention');
  await glass.click('B/type');
  const joined = await stretches_of_ink(glass, 'ككككككككك', 'arabic-joined');
  const apart = await stretches_of_ink(glass, 'ك\u200cك\u200cك\u200cك\u200cك\u200cك\u200cك', 'arabic-apart');
  check(apart >= joined + 5, `${joined} stretches of ink where the letters join, ${apart} where they do not`);
});

test('draws Chinese with the browser\'s fonts', async (glass) => {
  await glass.click('view/Attention');
  await glass.click('B/type');
  const count = await stretches_of_ink(glass, '一字两义一字两义', 'chinese');
  check(count >= 8, `${count} stretches of ink`);
});

test('uses the browser\'s language', async (glass) => {
  await glass.shows('train', (train) => train.text.includes('Trainieren') || train.text.includes('训练'), 10)
    .catch(async () => check(/[äöüß]|训/.test(JSON.stringify(await glass.items())), 'nothing is in German'));
}, { context: { locale: 'de-DE' } });

test('on a phone, a finger taps and scrolls, and a pinch breaks nothing', async (glass) => {
  const touch = await glass.page.context().newCDPSession(glass.page);
  const send = (type, ...points) => touch.send('Input.dispatchTouchEvent',
    { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const touchAt = async (at) => {
    await send('touchStart', at);
    await glass.page.waitForTimeout(60);
    await send('touchEnd');
    await glass.page.waitForTimeout(500);
  };
  const tap = async (label) => touchAt(await glass.middle(label));
  const before = (await glass.shows('train'))[5];
  await tap('train');
  await glass.shows('train', (train) => train.text != before, 10);
  await tap('train');
  await glass.shows('train', (train) => train.text == before, 10);
  // A target is 40 pixels high and wide, however small it is drawn.
  const [left, top, right, bottom] = await glass.shows('train');
  const free = ([x, y], all) => !Object.values(all).some(([l, t, r, b]) => x >= l && x < r && y >= t && y < b);
  const items = await glass.items();
  const beside = [[(left + right) / 2, top - 8], [(left + right) / 2, bottom + 8], [left - 8, (top + bottom) / 2],
    [right + 8, (top + bottom) / 2]].find((at) => free(at, items));
  check(beside, 'there is no room beside the button');
  await touchAt(beside);
  await glass.shows('train', (train) => train.text != before, 10);
  await tap('train');
  // A tap on a field focuses the page's own field while the browser still counts it as one: only then a tablet shows its
  // keyboard.
  await glass.press('Control+k');
  const [fieldX, fieldY] = await glass.middle('palette');
  await glass.page.evaluate(() => {
    window.focusedIn = [];
    const field = document.getElementById('field'), focus = field.focus.bind(field);
    field.focus = (...how) => (window.focusedIn.push(window.event?.type), focus(...how));
  });
  await send('touchStart', [fieldX, fieldY]);
  await glass.page.waitForTimeout(300);
  await send('touchEnd');
  await glass.until(() => window.focusedIn.includes('touchend'), 10, 'the focus in the tap');
  await glass.press('Escape');
  // One finger scrolls a list that is longer than the screen, and chooses nothing.
  await glass.command('New run…');
  const world = await glass.shows('setup/world/homonyms');
  const [x, y] = [(world[0] + world[2]) / 2, (world[1] + world[3]) / 2];
  await send('touchStart', [x, y]);
  for (let i = 1; i <= 10; ++i) await send('touchMove', [x, y - 10 * i]);
  await send('touchEnd');
  await glass.until((top) => {
    const scrolled = top - window.page.items()['setup/world/homonyms'][1] / window.devicePixelRatio;
    return scrolled > 60 && scrolled < 110;
  }, 10, 'the list to scroll by the finger\'s 100 pixels or less', world[1]);
  check((await glass.item('setup/world/homonyms'))[4] == world[4], 'another world is chosen');
  await glass.press('Escape');
  await send('touchStart', [150, 400], [250, 400]);
  for (let i = 0; i < 10; ++i) await send('touchMove', [150 - 5 * i, 400], [250 + 5 * i, 400]);
  await send('touchEnd');
}, { kinds: ['chromium'], context: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true,
  isMobile: true } });

test('opens offline after a first visit, which loads each file once', async (glass, { asked }) => {
  await glass.until(async () => {
    for (const name of await caches.keys())
      if (name.startsWith('glassformer ') && (await (await caches.open(name)).keys()).length >= 4) return true;
  }, 60, 'what is kept');
  const parts = asked.filter((name) => /^glassformer\./.test(name));
  check(parts.length == new Set(parts).size, `asked for ${parts.join(', ')}`);
  await glass.page.context().setOffline(true);
  await glass.page.reload({ waitUntil: 'commit' });
  await glass.until(() => window.page && document.getElementById('sentence').hidden, 120, 'the page again');
  await glass.shows('train');
}, { where: 'http' });

test('runs the program with threads if the folder has it', async (glass) => {
  const parts = await glass.page.evaluate(() => Object.keys(sizes));
  const isolated = await glass.page.evaluate(() => window.crossOriginIsolated);
  check(isolated == parts.includes('threads'), `of ${parts.join(', ')}; isolated: ${isolated}`);
  check(await glass.page.evaluate(() => program) == (isolated ? 'threads' : 'program'), 'it runs the other program');
}, { where: 'http' });

/// What is selected when the desktop's pictures begin, by model.
const starts = {
  homonyms: { block: 1, head: 2, words: [3, 4] },
  induction: { block: 1, head: 2, words: [13, 13] },
  translation: { block: 0, head: 3, words: [1, 1] },
};
const scenes = readdirSync(join(assets, 'gallery')).filter((name) => name.endsWith('.script')).sort();
for (const name of scenes)
  test(`shows the desktop's numbers: gallery ${name.replace('.script', '')}`, async (glass) => {
    const script = readFileSync(join(assets, 'gallery', name), 'utf8');
    const model = /^# model: (\S+)/.exec(script)?.[1] ?? 'homonyms', start = starts[model];
    await glass.open_scene({ model, ...start });
    await glass.shows(`A/token ${start?.words[0] ?? 0}`, (token) => !start || token.value == 1);
    await glass.play(script);
    if (process.env.PICTURES) await glass.page.screenshot({ path: `${process.env.PICTURES}/${name}.png` });
    const here = await glass.items(), there = join(scratch, 'scene.script');
    writeFileSync(there, `${script}\nframes 30\nprint *\n`);
    const printed = run_desktop('shot', join(scratch, 'scene.png'), '--size', '1280x720', '--model', model, '--script', there);
    let numbers = 0;
    const other = [];
    for (const [, label, value] of printed.matchAll(/^(.+?) = (\S+)(?: "|  ?at )/gm)) {
      const [shown, , is_state] = here[label]?.slice(4) ?? [];
      if (typeof shown != 'number' || is_state || /^(cost|setup\/(step )?time)/.test(label)) continue;
      ++numbers;
      if (!(Math.abs(shown - Number(value)) <= 1e-4 * Math.max(1, Math.abs(shown)))) other.push(`${label}: ${value}, here ${shown}`);
    }
    console.log(`    ${numbers} numbers compared`);
    check(numbers > 0, `no number is on both screens`);
    check(!other.length, `${other.length} numbers differ: ${other.slice(0, 5).join('; ')}`);
  }, { needs_desktop: true, where: 'http' });

test('says that there is no WebGL', async (glass, { page }) => {
  check(/WebGL/.test(await page.textContent('#sentence')), await page.textContent('#sentence'));
}, { without_webgl: true });

let failed = 0, played = 0;
const server = await serve(join(dirname(file), 'glassformer-web'));
for (const kind of kinds.length ? kinds : ['chromium', 'firefox'])
  for (const url of [pathToFileURL(file).href, server.url])
    for (const { name, run, kinds: only, where, context: options, without_webgl, before, needs_desktop } of tests) {
      if ((only && !only.includes(kind)) || !name.includes(process.env.ONLY ?? '')) continue;
      if (!url.startsWith(where ?? '') || !url.startsWith(process.env.WHERE ?? '')) continue;
      if (needs_desktop && !existsSync(desktop)) continue;
      console.log(`${kind}, ${url.slice(0, 4)}: ${name}`);
      ++played;
      server.asked.length = 0;
      const browser = await launch(kind, without_webgl);
      try {
        const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, acceptDownloads: true, ...options });
        if (before) await context.addInitScript(before);
        if (without_webgl) {
          const page = await context.newPage();
          await page.goto(url);
          await page.waitForFunction(() => /WebGL/.test(document.getElementById('sentence').textContent), null,
            { timeout: 60000 * patience }).catch(() => {});
          await run(null, { page });
        } else {
          const glass = await Glass.open(context, url);
          glass.firefox = kind == 'firefox';
          try {
            await run(glass, { url, asked: server.asked });
            const wrong = glass.errors.filter((error) => !/favicon/.test(error));
            check(!wrong.length, `the page reports: ${wrong.slice(0, 3).join('; ')}`);
          } catch (error) {
            if (process.env.PICTURES) await glass.page.screenshot({ path: `${process.env.PICTURES}/failed-${played}.png` });
            throw error;
          }
        }
      } catch (error) {
        ++failed;
        console.log(`  FAILED: ${error.message}`);
      }
      await browser.close();
    }
server.close();
console.log(`${played - failed} of ${played} passed`);
process.exit(failed ? 1 : 0);
