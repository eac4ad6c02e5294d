// Search as you type, in words or terms such as City=Berlin; the server finds, with what it found for the key before.
import {memory} from './connection.js'
import {askRows, go, list, load, showView} from './list.js'
import {markFound} from './marks.js'
import {$, focusList, number, on, retire, say, setText, sleep} from './words.js'

const field = $('text'), bar = $('search')
export const isSearching = () => !bar.hidden
setOnly(list.view.only = memory.get('only', true))
function setOnly(isOnly) {
	$('only').ariaPressed = isOnly
	for (const id of ['previous', 'next']) retire($(id), 'hidden', isOnly)
}
export function openSearch() {
	bar.hidden = false
	field.focus()
	field.select()
}
// Shows a text that is searched.
/** @param {View} view */
export function showText({text, only}) {
	bar.hidden = !text
	field.value = text
	if (text) setOnly(only)
}
export function closeSearch() {
	retire(bar, 'hidden')
	field.value = ''
	type()
	focusList()
}
// Where the cursor is when the text is gone.
function type() {
	const text = field.value.trim(), {cursor, view} = list
	if (text !== view.text) showView({text, due: undefined}, text ? null : cursor).then(seek)
}
// In place, the first match is shown as soon as it is found.
function seek() {
	if (list.view.text && list.isOrdered && !list.cursor) nextHit(1, 0)
}
export function toggleOnly() {
	const isOnly = !list.view.only
	setOnly(isOnly)
	memory.set('only', isOnly)
	showView({only: isOnly}, list.cursor).then(seek)
}
// One after another: each begins where the one before has ended.
let hits = Promise.resolve()
export const nextHit = (by, row) => hits = hits.then(() => findHit(by, row))
async function findHit(by, row = list.cursorRow + 1) {
	const {view} = list
	if (!view.text) return openSearch()
	if (!list.isOrdered) return go(list.cursorRow + by)
	for (;;) {
		const hit = await askAlone('/v1/rows', {fields: 'position', [by > 0 ? 'below' : 'above']: row})
		if (view !== list.view || !hit?.rows) return
		if (hit.rows[0]) return go(hit.rows[0].position - 1)
		if (!hit.found || hit.found.complete) return say('No more matches.')
	}
}
// A request of the same session would take its place.
let isAlone = false
async function askAlone(...request) {
	for (let answer; ; ) {
		isAlone = true
		answer = await askRows(...request)
		isAlone = false
		if (answer?.kind !== 'superseded') return answer
	}
}
let isReading = false
// How many were found; the rest of the list is searched as long as nothing else is typed.
export async function showFound() {
	const {found} = list
	setText($('found'), found?.problem ?? (found ? `${number(found.count)} ${found.complete ? 'found' : 'so far…'}${found.skipped ? `; ${found.skipped}` : ''}` : ''))
	retire($('markFound'), 'disabled', !found?.count || list.read_only)
	if (isReading || !found || found.complete) return
	isReading = true
	while (list.found && !list.found.complete) await sleep(20), isAlone || await load()
	isReading = false
}
export async function markMatches() {
	const {view} = list
	for (;;) {
		const found = await askAlone('/v1/ids', {only: undefined, sort: undefined})
		if (view !== list.view || !found) return
		if (found.message) return say(found.message, true)
		if (found.complete) return markFound(found, view.text)
	}
}
on(field, 'input', type)
on(bar, 'keydown', event => {
	const {key, target} = event
	if (event.isComposing || !(key === 'Escape' || target === field && ['Enter', 'ArrowDown'].includes(key))) return
	if (key === 'Escape') closeSearch()
	else if (key === 'Enter' && list.isOrdered) nextHit(event.shiftKey ? -1 : 1)
	else focusList()
	event.preventDefault()
})
$('find').onclick = () => isSearching() ? closeSearch() : openSearch()
$('only').onclick = toggleOnly
$('next').onclick = () => nextHit(1)
$('previous').onclick = () => nextHit(-1)
$('markFound').onclick = markMatches
