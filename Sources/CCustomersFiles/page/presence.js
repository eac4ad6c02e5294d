// Who is editing which row: this page says so of itself, and shows it of others.
import {call, random} from './connection.js'
import {list} from './list.js'
import {el, on} from './words.js'

// The server knows a tab by a name, forgets what it said after 30 seconds, and takes so many rows.
const here = random(8), RENEWAL = 10_000, ROWS = 20
let told = '', timer
/** @type {Promise<unknown>} */
let sent = Promise.resolve()
// The customers in a form that something was typed into, in cells, and in the hand; none while no one looks at the page.
function editing() {
	const {opened, isTyped, edited, hand, read_only} = list, form = isTyped && opened
	return read_only || document.hidden ? [] : [...new Set([form, edited?.id, ...hand?.ids ?? []])].filter(Boolean).slice(0, ROWS)
}
// Nothing depends on the answer, and what was not heard is said again.
const sendIDs = ids => call('/v1/presence', {page: here, ids}, {keepalive: true}).catch(() => {})
function tellNow(isAgain) {
	const ids = editing()
	if (`${ids}` === told && !(isAgain && told)) return
	told = `${ids}`
	sent = sent.then(() => sendIDs(ids))
}
// Not of what takes a moment only, such as a step of a row.
export const tellOthers = () => `${editing()}` !== told && (timer ??= setTimeout(() => {
	timer = null
	tellNow()
}, 200))
setInterval(tellNow, RENEWAL, true)
on(document, 'visibilitychange', () => tellNow())
on(self, 'pagehide', () => {
	if (told) sendIDs([])
	told = ''
})

export function hearOthers({people} = {people: []}) {
	const had = list.others.size
	list.others = new Map()
	// Those without a name come first, as a sentence begins.
	for (const {page, name, ids} of people.sort((a, b) => +!!a.name - +!!b.name)) if (page !== here) for (const id of ids) {
		list.others.set(id, (list.others.get(id) ?? new Set()).add(name ?? 'Someone'))
	}
	if (had || people[0]) list.draw()
}
// Names may be of another direction than what is beside them.
export function showWho(e, id) {
	const names = [...list.others.get(id) ?? []], text = names[0] ? ` ${names[1] ? 'are' : 'is'} editing` : ''
	e.hidden = !text
	if (e.textContent !== names.join(', ') + text) e.replaceChildren(...names.flatMap((name, i) => [i ? ', ' : '', el('bdi', '', name)]), text)
}
