// Before main(): the files that came with the page, and what was kept in this browser at the last visit. A private
// window may have nothing and keep nothing. A file that the program writes into its home folder is a download; folders
// of models and runs stay in the browser.
Module['preRun'] = [() => {
  const kept = '/kept', home = '/Downloads';
  for (const folder of ['/dropped', kept, home]) FS.mkdirTree(folder);
  ENV.HOME = home;
  ENV.XDG_CONFIG_HOME = kept + '/config';
  ENV.XDG_STATE_HOME = kept + '/state';
  ENV.XDG_DATA_HOME = kept + '/data';
  const language = Module['language'] || navigator.language || '';  // en-GB, zh-Hans-CN
  const [, name, region] = /^([a-z]{2,3})(?:-[A-Z][a-z]{3})?(?:-([A-Z]{2}))?/.exec(language) || [];
  if (name) ENV.LANG = name + (region ? '_' + region : name == 'zh' ? '_CN' : '') + '.UTF-8';

  const files = Module['files'], end = files.indexOf(10);
  let at = end + 1;
  for (const [path, size] of JSON.parse(new TextDecoder().decode(files.subarray(0, end)))) {
    FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
    FS.writeFile(path, files.subarray(at, at += size), {canOwn: true});
  }
  delete Module['files'];
  if (Module['given']) FS.writeFile(Module['given'].path, Module['given'].bytes);
  delete Module['given'];

  // A file that is there whole has its last name.
  const give = (path) => {
    const [, folder, file] = /^(.*)\/([^\/]*)$/.exec(path);
    if (folder != home || file.startsWith('.')) return;
    setTimeout(() => {
      const {exists, object} = FS.analyzePath(path);
      if (!exists || !FS.isFile(object.mode)) return;
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([FS.readFile(path)]));
      link.download = file;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
      FS.unlink(path);
    });
  };
  const rename = FS.rename;
  FS.rename = (from, to) => {
    rename(from, to);
    give(FS.getPath(FS.lookupPath(to).node));
  };

  // It is written to the browser's store later, and nobody else hears that there was no room. Other failures pass: a file
  // that was replaced meanwhile is written the next time.
  const sync = IDBFS.syncfs, full = new Set();
  IDBFS.syncfs = (mount, populate, done) => sync(mount, populate, (failed) => {
    full.delete(mount.mountpoint);
    if (!populate && failed?.name == 'QuotaExceededError') full.add(mount.mountpoint);
    if (!populate && Module['keepsNothing'] != 'browser') Module['keepsNothing'] = full.size ? 'full' : '';
    done(failed);
  });

  // ImGui's backend asks before each frame how OpenGL is set, to set it back. A browser that draws in a process of its own
  // answers when all is drawn that was begun: 25 ms without a graphics card. So what was set is remembered here.
  const gl = globalThis.WebGL2RenderingContext?.prototype;
  const remember = (setter, values) => {
    const set = gl[setter];
    gl[setter] = function (...to) {
      set.apply(this, to);
      this.wasSet ??= new Map();
      for (const [name, value] of values(...to)) this.wasSet.set(name, value);
    };
  };
  if (gl) {
    const ask = gl.getParameter;
    gl.getParameter = function (name) { return this.wasSet?.get(name) ?? ask.call(this, name); };
    remember('scissor', (...box) => [[gl.SCISSOR_BOX, Int32Array.from(box)]]);
    remember('clearColor', (...colour) => [[gl.COLOR_CLEAR_VALUE, Float32Array.from(colour)]]);
    remember('blendEquation', (mode) => [[gl.BLEND_EQUATION_RGB, mode], [gl.BLEND_EQUATION_ALPHA, mode]]);
    remember('blendEquationSeparate', (rgb, alpha) => [[gl.BLEND_EQUATION_RGB, rgb], [gl.BLEND_EQUATION_ALPHA, alpha]]);
    const blend = (from, to, fromAlpha = from, toAlpha = to) => [[gl.BLEND_SRC_RGB, from], [gl.BLEND_DST_RGB, to],
      [gl.BLEND_SRC_ALPHA, fromAlpha], [gl.BLEND_DST_ALPHA, toAlpha]];
    remember('blendFunc', blend);
    remember('blendFuncSeparate', blend);
  }

  // Two pages would write over what the other one keeps: the first one keeps.
  const keeps = new Promise((done) => {
    if (!navigator.locks) return done(true);
    navigator.locks.request('glassformer', {signal: AbortSignal.timeout(1000)}, () => {
      done(true);
      return new Promise(() => {});  // until the page ends
    }).catch((why) => done(why.name != 'TimeoutError'));
  });
  addRunDependency('kept files');
  keeps.then((keeps) => {
    for (const folder of [kept, home]) FS.mount(IDBFS, {autoPersist: keeps}, folder);
    FS.syncfs(true, (failed) => {
      if (failed) console.warn('Nothing can be kept in this browser:', failed);
      Module['keepsNothing'] = failed ? 'browser' : keeps ? '' : 'tab';
      removeRunDependency('kept files');
    });
  });
}];
