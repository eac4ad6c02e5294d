// What is known of the list: its sections, and a window of rows around the screen.
import {ask, random, written} from './connection.js'
import {Layout} from './layout.js'
import {$, clamp, number, on, say, sleep} from './words.js'

export const view = $('list'), space = $('rows')
export const USUAL = [['company', 'Company'], ['email', 'E-mail'], ['phone', 'Phone']].map(([name, title]) => ({name, title}))
// Browsers allow elements of 17 million pixels or more, and show nothing of higher ones.
const HIGHEST = 8_000_000

export const list = {
	version: null, sections: [], first: 0, rows: [], index: new Map(), count: 0, read_only: false, undo: null, redo: null,
	// What is shown: the matches of a text, or all rows; in the order of a column, or of the list.
	view: {text: '', only: true}, isOrdered: true, found: null, columns: null, filled: new Set(), goal: null,
	layout: new Layout([]), isEditing: false, cursor: null, cursorRow: 0,
	marks: new Map(), asked: null, hand: null, flashing: new Set(),
	// Set by the layers above.
	draw() {}, startOver() {},
}
// The list's length, whatever is shown of it.
export const total = () => list.sections.reduce((sum, {count}) => sum + count, 0)
// A session of the server's search; two tabs of a browser have two.
const tab = random(8)
// Names are in lines, because one may have a comma.
export const askRows = (path, more) => {
	const {text, only, sort, descending, due} = list.view, order = sort && `${descending ? '-' : ''}${sort}\n`
	const query = {due, ...due ? {sort: order} : (text || sort) && {session: tab, text, only, sort: order}, ...more}
	return ask(`${path}?${new URLSearchParams(JSON.parse(JSON.stringify(query)))}`)
}
export const known = row => list.rows[row - list.first]
export const rowOf = id => list.index.get(id) ?? -1
export const customer = id => known(rowOf(id))

// ---- Scrolling: near, it is that of the browser; far, it is proportional.

// The height of a line, the pixel of the list at the top of the screen, and what to subtract for a place in `space`.
export let height = 1, top = 0, shift = 0
// The line at a pixel of the list.
export const lineAt = y => clamp(Math.floor(y / height), 0, Math.max(0, list.layout.count - 1))
let lastTop = 0, isScrolling = false, pause
const room = () => Math.max(0, list.layout.count * height - view.clientHeight)
const travel = () => space.clientHeight - view.clientHeight

export function layOut() {
	const style = getComputedStyle(document.documentElement), counts = list.hand?.place.counts
	height = parseFloat(style.fontSize) * style.getPropertyValue('--row')
	list.layout = new Layout(list.isOrdered ? list.sections.map(({count, title, footer}, i) => ({
		rows: counts ? counts[i] : count, header: title !== '', add: list.isEditing, footer: footer !== '',
	})) : [{rows: list.count}])
	space.style.height = `${clamp(list.layout.count * height, view.clientHeight, HIGHEST)}px`
	view.setAttribute('aria-rowcount', list.layout.count)
	lastTop = view.scrollTop
	top = clamp(top, 0, room())
	shift = top - lastTop
}
export function scrollTo(y) {
	top = clamp(y, 0, room())
	align()
	list.draw()
}
// Not during a scroll with momentum, which it would end.
function align() {
	const wanted = room() && Math.round((top / room()) * travel())
	if (!isScrolling && Math.abs(wanted - view.scrollTop) >= 1) view.scrollTop = wanted
	lastTop = view.scrollTop
	shift = top - lastTop
}
function settled() {
	isScrolling = false
	scrollTo(top)
}
// The browser scrolls before its event comes.
function noticeScroll() {
	const now = view.scrollTop, distance = now - lastTop
	if (!distance) return
	isScrolling = true
	const isFar = Math.abs(distance) > 2 * view.clientHeight
	top = clamp(isFar ? (now / travel()) * room() : top + distance, 0, room())
	lastTop = now
	shift = top - now
	return true
}
on(view, 'scroll', () => {
	clearTimeout(pause)
	pause = setTimeout(settled, 200)
	if (noticeScroll()) list.draw()
}, {passive: true})
on(view, 'scrollend', settled)
new ResizeObserver(() => {
	const place = topPlace()
	layOut()
	restore(place)
}).observe(view)

function* visible() {
	const {layout, hand} = list, end = lineAt(top + view.clientHeight)
	for (let line = lineAt(top); line <= end; line++) {
		const shown = layout.item(line)?.row, {row} = shown === undefined ? {} : hand?.place.source(shown) ?? {row: shown}
		if (row !== undefined) yield [row, line]
	}
}
// The first whole row on the screen that others have not moved, and where it is.
export function topPlace(moved) {
	for (const [row, line] of visible()) {
		const c = known(row), y = line * height - top
		if (c && y >= 0 && !moved?.has(c.id)) return {id: c.id, y}
	}
}
export function restore(place) {
	const row = place && top > 0 ? rowOf(place.id) : -1
	const line = row < 0 ? null : list.layout.line(list.hand ? list.hand.place.shown(row) : row)
	scrollTo(line === null ? top : line * height - place.y)
}
// Scrolls as little as needed to show a row, with one more above and below.
export function reveal(row) {
	const {layout} = list, line = layout.line(clamp(row, 0, layout.rowCount - 1))
	if (line === null) return
	const y = line * height, screen = view.clientHeight, first = row ? y - height : 0, last = y + 2 * height - screen
	scrollTo(Math.abs(y - top) > 3 * screen ? y - screen / 2 : first < top ? first : Math.max(last, top))
}

let isStale = false, reading = null
const moved = new Set()
const range = () => {
	const rows = [...visible()].map(([row]) => row)
	return rows.length ? [Math.min(...rows), Math.max(...rows)] : [0, 0]
}
export function want() {
	const [first, last] = range()
	if (list.count && !(known(first) && known(last))) load()
}
// Resolves when what is known is not older than this call. `ids` are rows that others have moved.
export function load(ids = []) {
	for (const id of ids) moved.add(id)
	isStale = true
	return (reading ??= (async () => {
		await null
		while (isStale) {
			isStale = false
			await read()
		}
	})().finally(() => {reading = null}))
}
async function read() {
	const [first, last] = range(), size = clamp(3 * (last - first + 1), 90, 500), place = top > 0 && topPlace(moved)
	const from = Math.max(1, Math.round((first + last - size) / 2) + 1)
	const {view, goal, tag: outline = ''} = list, fields = (list.columns ?? USUAL).map(({name}) => name + '\n').join('') + (view.due ? 'next\n' : '')
	const around = view.due ? undefined : goal ?? (place ? place.id : undefined)
	const seen = list.version ? written(list.version) : undefined
	const page = await askRows('/v1/rows', {from, limit: size, around, outline, fields, seen, brief: true, steps: true})
	if (view !== list.view || page?.kind === 'superseded') return (isStale = true)
	if (!page) return sleep(500).then(() => {isStale = true})
	if (page.status !== 200) return say(page.message, true)
	const {version, count, outline: {tag, sections}, rows} = page, old = list.version
	const isOther = old && page.other_list
	if (isOther) list.startOver()
	else if (old?.edit > version.edit) return (isStale = true)
	noticeScroll()
	const stay = isOther ? null : topPlace(moved)
	Object.assign(list, page, {
		first: page.from - 1, tag, found: page.found,
		isOrdered: !(view.text && view.only) && !view.sort && !view.due,
	})
	let start = 1
	list.sections = sections?.map(s => ({...s, first: (start += s.count) - s.count})) ?? list.sections
	list.index = new Map(rows.map((c, i) => [c.id, list.first + i]))
	for (const c of rows) for (const name in c) list.filled.add(name)
	document.body.style.setProperty('--digits', number(count).length)
	moved.clear()
	for (const [id, mark] of list.marks) if (rowOf(id) >= 0) Object.assign(mark, customer(id), {edit: version.edit})
	list.hand?.follow()
	if (rowOf(list.cursor) >= 0) list.cursorRow = rowOf(list.cursor)
	else list.cursor = known(list.cursorRow)?.id ?? list.cursor
	if (list.asked !== null && rowOf(list.asked) < 0) list.asked = null, say('The row is already deleted.', true)
	layOut()
	list.goal = null
	if (rowOf(goal) < 0) return restore(stay)
	Object.assign(list, {cursor: goal, cursorRow: rowOf(goal)})
	reveal(list.cursorRow)
	restore()
}
// Shows something else of the list, from its top or around a customer.
export function show(view, goal = null) {
	if (!goal) Object.assign(list, {cursor: null, cursorRow: 0}), scrollTo(0)
	Object.assign(list, {view: {...list.view, ...view}, goal, asked: null})
	return load()
}
