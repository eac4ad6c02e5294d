// Requests, edits that are repeated until answered, and the stream of news.
import {$, on, say, sleep, trouble} from './words.js'

// The key is in the fragment, which no browser sends, before the first `/`. This browser keeps it, so that it leaves the
// address, and links need none; two tabs may have two.
export const keyInAddress = () => location.hash.slice(1).split('/')[0]
const stores = () => {try {return [sessionStorage, localStorage]} catch {return []}}, KEY = 'customers key'
const secret = keyInAddress() || stores().map(store => store[KEY]).find(Boolean) || ''
on(self, 'hashchange', () => ['', secret].includes(keyInAddress()) || location.reload())
// Keeps the key, which is a valid one; whether the browser does.
export function keepKey() {
	try {
		const old = localStorage[KEY]
		if (old && old !== secret) delete localStorage[keyOf('rows', old)]
		for (const store of stores()) store[KEY] = secret
	} catch {}
	return stores().some(store => store[KEY] === secret)
}
const keyOf = (name, key = secret) => `customers ${key.slice(0, 8)} ${name}`
// Of what tabs send each other: a tab of another version of the page neither feeds this one nor ends its stream.
const VERSION = 1

// What the policy of the page lets browsers take from a text: the worker, and the table of a clipboard, which is only read.
export const trusted = self.trustedTypes?.createPolicy('page', {createScriptURL: () => '/worker.js', createHTML: text => text})

// What this browser keeps over a restart; some refuse to keep anything. Of a key that is not valid it keeps nothing new.
let isDenied = false
export const memory = {
	get(name, other) {try {return JSON.parse(localStorage[keyOf(name)])} catch {return other}},
	set(name, value) {
		try {value == null || isDenied ? delete localStorage[keyOf(name)] : (localStorage[keyOf(name)] = JSON.stringify(value))} catch {}
	},
	// Set by the form, which may show it.
	forget(id) {},
}
// The names of what it keeps that begin with one.
const namesOf = start => {
	try {return Object.keys(localStorage).filter(name => name.startsWith(keyOf(start))).map(name => name.slice(keyOf('').length))} catch {return []}
}
export const random = bytes =>
	[...crypto.getRandomValues(new Uint8Array(bytes))].map(b => b.toString(16).padStart(2, '0')).join('')
export const browser = memory.get('browser') ?? random(8)
memory.set('browser', browser)

// ---- Drafts: of one window, which holds a lock as long as it is there

// A window that is loaded again is the same. It keeps its name only while it is away: one that is made as its copy has another.
const WINDOW = keyOf('window'), [session] = stores(), ownWindow = session?.[WINDOW] ?? random(8)
const arrive = () => {try {delete session?.[WINDOW]} catch {}}
arrive()
on(self, 'pageshow', arrive)
on(self, 'pagehide', () => {try {if (!isDenied) session[WINDOW] = ownWindow} catch {}})
navigator.locks.request(keyOf(`window ${ownWindow}`), () => new Promise(() => {}))
const draftKey = id => `draft ${ownWindow} ${id}`
export const draftOf = id => memory.get(draftKey(id))
export const keepDraft = (id, draft) => memory.set(draftKey(id), draft)
// Those of this window in which something was typed into a column that has another name now.
export function renameInDrafts(old, name) {
	for (const key of namesOf(`draft ${ownWindow} `)) {
		const {from = {}, to = {}, ...rest} = memory.get(key) ?? {}, isFree = old in to && !(name in to)
		const renamed = values => Object.fromEntries(Object.entries(values).map(([key, value]) => [key === old ? name : key, value]))
		if (isFree) memory.set(key, {...rest, from: renamed(from), to: renamed(to)})
	}
}
const typedIn = key => JSON.stringify(memory.get(key)?.to)
// Takes over what a window that is gone has left of a customer, or of any; the id of one that this window has then.
/** @param {number | string | null} [id] */
export async function findDraft(id) {
	const isOf = name => id === undefined || name.endsWith(` ${id}`), own = namesOf(`draft ${ownWindow} `).find(isOf)
	if (own) return own.split(' ').at(-1)
	const {held, pending} = await navigator.locks.query(), taken = new Set([...held, ...pending].map(({name}) => name))
	const left = namesOf('draft ').find(name => isOf(name) && !taken.has(keyOf(`window ${name.split(' ')[1]}`))), found = left?.split(' ').at(-1)
	if (!left || draftOf(found)) return found
	keepDraft(found, memory.get(left))
	memory.set(left)
	return found
}

// When the rows were read that are shown.
let readAt
export const setTime = time => {readAt = time}
const lost = () => `Connection lost; trying again…${readAt ? ` The rows are of ${new Date(readAt).toLocaleString()}.` : ''}`
const signals = /** @type {typeof AbortSignal & {timeout(milliseconds: number): AbortSignal}} */ (AbortSignal)
// Days are those of this browser's clock.
/** @type {(path: string, body?: object, more?: RequestInit) => Promise<Response>} */
export const call = (path, body, more) => fetch(`${path}${path.includes('?') ? '&' : '?'}zone=${-new Date().getTimezoneOffset()}`, {
	...more, method: body ? 'POST' : 'GET', body: body instanceof Blob ? body : body && JSON.stringify(body), redirect: 'error',
	headers: {Authorization: `Bearer ${secret}`, ...(body && {'Content-Type': `application/${body instanceof Blob ? 'octet-stream' : 'json'}`})},
})
// Nothing that is done here would help, but another key. Of one that is over, the browser keeps nothing, and the page shows
// nothing: it begins again.
function denied(isOver = true) {
	isDenied = true
	memory.set('rows')
	try {
		for (const store of isOver ? stores() : [])
			for (const name of Object.keys(store)) if (name === KEY ? store[KEY] === secret : name.startsWith(keyOf(''))) delete store[name]
	} catch {}
	if ($('rows').firstChild) location.reload()
	document.body.classList.add('denied')
	$('door').onsubmit = event => {
		event.preventDefault()
		const [, ...rest] = location.hash.split('/'), key = $('key').value.trim().split('#').at(-1).split('/')[0]
		location.hash = [key, ...rest].join('/')
		location.reload()
	}
	$('key').focus()
	return new Promise(() => {})
}
// A version is a text: the mark of the last step and the number of the last edit.
const parse = text => JSON.parse(text, (name, value) => {
	if (name !== 'version' || !value?.split) return value
	const [mark, edit] = value.split(':')
	return {mark, edit: +edit}
})
export const written = ({mark, edit}) => `${mark}:${edit}`
// The answer, with its status, as soon as no other program holds the list, and what takes long is done; nothing if none
// came, which is said.
export async function ask(path, body, running) {
	for (; ; await sleep(250)) {
		const answer = await call(path, body, {signal: signals.timeout(30_000)}).catch(() => null), status = answer?.status
		const text = await answer?.text().catch(() => undefined)
		if (status === 401) return denied()
		// A proxy whose server can't be reached has a page of its own.
		let json = {message: status < 500 ? text : ''}
		try {json = parse(text)} catch {}
		json = {...json, ...json.error}
		const isLocked = status === 423, isLost = text === undefined || status >= 500
		trouble(isLocked ? `Waiting: ${json.message}` : isLost ? json.message || lost() : '')
		if (status === 202) running(json)
		else if (!isLocked) return isLost ? undefined : {...json, status}
	}
}

// A file; nothing if it did not come.
export const bytes = path => call(path).then(answer => answer.ok ? answer.blob() : null).catch(() => null)

// A tab holds a lock while it waits for an answer. What no tab waits for, another one settles.
const whileHeld = (token, options, work) => navigator.locks.request(keyOf(token), options, work)

export const fresh = () => Date.now().toString(16).padStart(12, '0') + random(10)
// Sends an edit with one token until an answer comes. `what` names it if the tab is closed before; `saved` is the customer,
// null for a new one, of whose draft it is.
/** @param {string} path @param {object} body @param {string} what @param {Sending["running"]} [running] @param {number | string | null} [saved] */
export async function post(path, body, what, running, saved) {
	const token = fresh()
	return whileHeld(token, {}, async () => {
		// By itself: tabs that kept one list of what waits could drop those of each other.
		memory.set('sent ' + token, {what, id: saved, key: draftKey(saved), to: typedIn(draftKey(saved))})
		for (let pause = 250; ; await sleep(pause), pause = Math.min(pause * 2, 4000)) {
			const answer = await ask(path, {token, page: browser, changes: 0, ...body}, answer => running(answer, token))
			if (!answer) continue
			memory.set('sent ' + token)
			own(answer)
			return answer
		}
	})
}
const ENDS = {
	done: 'done', not_done: 'not done before the page was closed', unknown: 'may have been done',
}
function settle() {
	for (const name of namesOf('sent ')) whileHeld(name.split(' ')[1], {ifAvailable: true}, async lock => {
		const {what, id = null, key, to} = memory.get(name) ?? {}
		if (!lock || !what) return
		const answer = await ask('/v1/settle', {token: name.split(' ')[1]}) ?? {}, {outcome, text} = answer
		if (!(outcome in ENDS)) return
		own(answer)
		memory.set(name)
		// A draft that was sent is not wanted any more once that is done, unless something else was typed since.
		if (outcome === 'done' && to && typedIn(key) === to) memory.set(key), memory.forget(id)
		say(text || `${what}: ${ENDS[outcome]}.`, outcome !== 'done')
	})
}
// The steps of this browser, in any tab.
export const isOwn = ({version}) => memory.get('own', []).includes(version.mark)
const own = made => made.step && !isOwn(made) &&
	memory.set('own', [...memory.get('own', []), made.version.mark].slice(-500))

// Calls `take(event, data)`. HTTP/1.1 allows six connections, so one tab reads for all.
export function follow(take) {
	const channel = new BroadcastChannel(keyOf(`news ${VERSION}`))
	// What another tab gets first.
	let first = []
	channel.onmessage = ({data}) => data[0] ? take(...data) : first.forEach(news => channel.postMessage(news))
	channel.postMessage([])
	navigator.locks.request(keyOf(`stream ${VERSION}`), () => listen((...news) => {
		if (news[0] === 'hello') first = [news]
		if (news[0] === 'presence') first[1] = news
		channel.postMessage(news)
		take(...news)
	}))
}
// Waits, but not longer than the machine is offline.
const awake = ms => Promise.race([sleep(ms), new Promise(go => on(self, 'online', go, {once: true}))])
async function listen(take) {
	for (let pause = 250; ; await awake(pause), pause = Math.min(pause * 2, 4000)) {
		// A comment comes every 15 seconds: silence means that the other end is gone.
		const stop = new AbortController(), listens = () => setTimeout(() => stop.abort(), 40_000)
		let silence = listens()
		const answer = await call(`/v1/events?page=${browser}.${VERSION}`, null, {signal: stop.signal}).catch(() => null)
		// The section of a key may be there again.
		if ([401, 403].includes(answer?.status)) return denied(answer.status === 401)
		const reader = answer?.ok && answer.body.pipeThrough(new TextDecoderStream()).getReader()
		for (let text = ''; reader; ) {
			const {value, done} = await reader.read().catch(() => ({value: '', done: true}))
			clearTimeout(silence)
			silence = listens()
			if (done) break
			const parts = (text + value).split('\n\n')
			text = parts.pop()
			for (const part of parts) {
				const [, event] = /^event: ?(.*)/m.exec(part) ?? [], data = parse(/^data: ?(.*)/m.exec(part)?.[1] || '{}')
				if (event === 'hello') pause = 250, settle()
				if (event) take(event, data)
			}
		}
		clearTimeout(silence)
		take('lost', {message: lost()})
	}
}
