// Keeps the page, in which there are no rows and no key, and shows it when the server can't be reached.
const kept = caches.open('customers')
addEventListener('install', event => event.waitUntil(kept.then(cache => cache.add('/')).then(skipWaiting)))
addEventListener('fetch', event => {
	const {request} = event
	if (request.mode !== 'navigate' || new URL(request.url).pathname !== '/') return
	const found = async answer => (await (await kept).match('/')) ?? answer ?? Response.error()
	event.respondWith(fetch(request).then(answer => answer.status < 500 ? answer : found(answer), () => found()))
})
