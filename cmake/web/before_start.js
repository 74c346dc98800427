// Before main(): what was kept in this browser at the last visit. A private window may have nothing and keep nothing.
Module['preRun'] = [() => {
  ENV.HOME = '/home/web_user';
  FS.mount(IDBFS, {autoPersist: true}, '/home/web_user');
  addRunDependency('kept files');
  FS.syncfs(true, (failed) => {
    if (failed) console.warn('Nothing can be kept in this browser:', failed);
    removeRunDependency('kept files');
  });
}];
