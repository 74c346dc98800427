// The service worker of the hosted page: keeps the version that was loaded last, so that it opens without a network, and
// isolates the page from others, so that it may have threads, where the server does not.
const kept = 'glassformer {{{ VERSION }}} ' + self.registration.scope;
const names = {{{ NAMES }}};
const others = async () => (await caches.keys())
  .filter((name) => name != kept && name.startsWith('glassformer ') && name.endsWith(' ' + self.registration.scope));

// What the browser's own cache has may be of another version.
const current = (name) => new Request(name, { cache: 'no-cache' });
const keep = async (wanted) => {
  const cache = await caches.open(kept), missing = [];
  for (const name of wanted) if (!(await cache.match(name))) missing.push(current(name));
  await cache.addAll(missing);
};

// A new version comes when all is there that the last one had.
self.addEventListener('install', (event) => event.waitUntil((async () => {
  const had = new Set();
  for (const name of await others())
    for (const { url } of await (await caches.open(name)).keys()) had.add(url);
  await keep(names.filter((name) => had.has(new URL(name, self.registration.scope).href)));
  await self.skipWaiting();
})()));

self.addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await others()) await caches.delete(name);
  await self.clients.claim();
})()));

// What the page was made of before this worker was there.
self.addEventListener('message', (event) => event.waitUntil(keep(event.data.filter((name) => names.includes(name)))));

self.addEventListener('fetch', (event) => {
  if (event.request.method != 'GET' || !event.request.url.startsWith(self.registration.scope)) return;
  event.respondWith((async () => {
    const cache = await caches.open(kept);
    const name = names.find((name) => new URL(name, self.registration.scope).href == event.request.url.split(/[?#]/)[0]);
    const has = await cache.match(event.request, { ignoreSearch: true });
    const response = has ?? await fetch(name ? current(name) : event.request);
    if (!has && name && response.ok)  // kept as it passes; where there is no room for it, the page goes on
      event.waitUntil(cache.put(name, response.clone()).catch((why) => console.warn('Not kept for offline use:', why)));
    const headers = new Headers(response.headers);
    headers.set('Cross-Origin-Opener-Policy', 'same-origin');
    headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
  })());
});
