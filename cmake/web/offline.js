// The service worker of the hosted page: keeps the version that was loaded last, so that it opens without a network.
const kept = 'glassformer {{{ VERSION }}} ' + self.registration.scope;
const names = {{{ NAMES }}};

// What the browser's own cache has may be of another version.
self.addEventListener('install', (event) => event.waitUntil((async () => {
  const cache = await caches.open(kept);
  await cache.addAll(names.map((name) => new Request(name, { cache: 'no-cache' })));
  await self.skipWaiting();
})()));

self.addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys())
    if (name != kept && name.startsWith('glassformer ') && name.endsWith(' ' + self.registration.scope))
      await caches.delete(name);
  await self.clients.claim();
})()));

self.addEventListener('fetch', (event) => {
  if (event.request.method != 'GET') return;
  event.respondWith((async () => {
    const cache = await caches.open(kept);
    return (await cache.match(event.request, { ignoreSearch: true })) ?? fetch(event.request);
  })());
});
