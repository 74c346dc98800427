// The service worker of the hosted page: keeps the version that was loaded last, so that it opens without a network, and
// isolates the page from others, so that it may have threads, where the server does not.
const kept = 'glassformer {{{ VERSION }}} ' + self.registration.scope;
const names = {{{ NAMES }}};
const others = async () => (await caches.keys())
  .filter((name) => name != kept && name.startsWith('glassformer ') && name.endsWith(' ' + self.registration.scope));

// What the browser's own cache has may be of another version.
const keep = async (wanted) => {
  const cache = await caches.open(kept), missing = [];
  for (const name of wanted) if (!(await cache.match(name))) missing.push(new Request(name, { cache: 'no-cache' }));
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

// What the page was made of.
self.addEventListener('message', (event) => event.waitUntil(keep(event.data.filter((name) => names.includes(name)))));

self.addEventListener('fetch', (event) => {
  if (event.request.method != 'GET' || !event.request.url.startsWith(self.registration.scope)) return;
  event.respondWith((async () => {
    const cache = await caches.open(kept);
    const response = (await cache.match(event.request, { ignoreSearch: true })) ?? await fetch(event.request);
    const headers = new Headers(response.headers);
    headers.set('Cross-Origin-Opener-Policy', 'same-origin');
    headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
  })());
});
