// What is known of the list: its sections, and a window of rows around the screen.
import {Denied, Lost, ask} from './connection.js'
import {Layout} from './layout.js'
import {$, clamp, on, say, sleep, trouble} from './words.js'

export const view = $('list'), space = $('rows')
// Browsers allow elements of 17 million pixels or more, and show nothing of higher ones.
const HIGHEST = 8_000_000

export const list = {
	version: null, sections: [], first: 0, rows: [], index: new Map(), count: 0, readOnly: false, undo: null, redo: null,
	layout: new Layout([]), isEditing: false, cursor: null, cursorRow: 0,
	marks: new Map(), asked: null, hand: null, flashing: new Set(),
	// Set by the layers above.
	draw() {}, startOver() {},
}
export const known = row => list.rows[row - list.first]
export const rowOf = id => list.index.get(id) ?? -1
export const customer = id => known(rowOf(id))

// ---- Scrolling: near, it is that of the browser; far, it is proportional.

// The pixel of the list at the top of the screen, and what to subtract for a place in `space`.
export let top = 0, shift = 0
let lastTop = 0, isScrolling = false, pause
const room = () => Math.max(0, list.layout.height - view.clientHeight)
const travel = () => space.clientHeight - view.clientHeight

export function layOut() {
	const style = getComputedStyle(view), counts = list.hand?.place.counts
	const heights = {}
	for (const kind of ['header', 'row', 'add', 'footer']) heights[kind] = parseFloat(style.getPropertyValue(`--${kind}`))
	list.layout = new Layout(list.sections.map(({count, title, footer}, i) => ({
		rows: counts ? counts[i] : count, header: title !== '', add: list.isEditing, footer: footer !== '',
	})), heights)
	space.style.height = `${clamp(list.layout.height, view.clientHeight, HIGHEST)}px`
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
on(view, 'scroll', () => {
	const now = view.scrollTop, distance = now - lastTop
	clearTimeout(pause)
	pause = setTimeout(settled, 200)
	if (!distance) return
	isScrolling = true
	const isFar = Math.abs(distance) > 2 * view.clientHeight
	top = clamp(isFar ? (now / travel()) * room() : top + distance, 0, room())
	lastTop = now
	shift = top - now
	list.draw()
}, {passive: true})
on(view, 'scrollend', settled)
new ResizeObserver(() => {
	const place = topPlace()
	layOut()
	restore(place)
}).observe(view)

// The rows of the list on the screen, with their lines.
function* visible() {
	const {layout, hand} = list, end = layout.lineAt(top + view.clientHeight)
	for (let line = layout.lineAt(top); line <= end; line++) {
		const shown = layout.item(line)?.row, {row} = shown === undefined ? {} : hand?.place.source(shown) ?? {row: shown}
		if (row !== undefined) yield [row, line]
	}
}
// The first whole row on the screen that others have not moved, and where it is.
export function topPlace(moved) {
	for (const [row, line] of visible()) {
		const c = known(row), y = list.layout.y(line) - top
		if (c && y >= 0 && !moved?.has(c.id)) return {id: c.id, y}
	}
}
export function restore(place) {
	const row = place && top > 0 ? rowOf(place.id) : -1
	const line = row < 0 ? null : list.layout.line(list.hand ? list.hand.place.shown(row) : row)
	scrollTo(line === null ? top : list.layout.y(line) - place.y)
}
// Scrolls as little as needed to show a row, with one more above and below.
export function reveal(row) {
	const {layout} = list, line = layout.line(clamp(row, 0, layout.rowCount - 1))
	if (line === null) return
	const y = layout.y(line), {row: one} = layout.heights, screen = view.clientHeight
	const first = row ? y - one : 0, last = y + 2 * one - screen
	scrollTo(Math.abs(y - top) > 3 * screen ? y - screen / 2 : first < top ? first : Math.max(last, top))
}

// ---- Reading

let isStale = false, reading = null
const moved = new Set()
const range = () => {
	const rows = [...visible()].map(([row]) => row)
	return rows.length ? [Math.min(...rows), Math.max(...rows)] : [0, 0]
}
// Reads if rows on the screen are unknown.
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
		while (isStale) try {
			isStale = false
			await read()
		} catch (error) {
			if (error instanceof Denied) break
			if (!(error instanceof Lost)) throw error
			trouble(error.message)
			isStale = true
			await sleep(500)
		}
	})().finally(() => {reading = null}))
}
async function read() {
	const [first, last] = range(), size = clamp(3 * (last - first + 1), 90, 500), place = top > 0 && topPlace(moved)
	const from = Math.max(1, Math.round((first + last - size) / 2) + 1)
	const page = await ask(`/api/rows?from=${from}&limit=${size}${place ? `&anchor=${place.id}` : ''}${
		list.tag ? `&outline=${list.tag}` : ''}`)
	if (page.status !== 200) return say(page.message, true)
	const {version, count, readOnly, outline, rows, undo, redo} = page, old = list.version
	const isOther = old && version.history !== old.history
	if (isOther) list.startOver()
	else if (old?.edit > version.edit) return (isStale = true)
	const stay = isOther ? null : topPlace(moved)
	Object.assign(list, {version, count, readOnly, rows, undo, redo, first: page.first - 1, tag: outline.tag})
	list.sections = outline.sections ?? list.sections
	list.index = new Map(rows.map((c, i) => [c.id, list.first + i]))
	moved.clear()
	trouble()
	for (const [id, mark] of list.marks) if (rowOf(id) >= 0) Object.assign(mark, customer(id), {edit: version.edit})
	list.hand?.follow()
	if (rowOf(list.cursor) >= 0) list.cursorRow = rowOf(list.cursor)
	else list.cursor = known(list.cursorRow)?.id ?? list.cursor
	if (list.asked !== null && rowOf(list.asked) < 0) list.asked = null, say('The row is already gone.', true)
	layOut()
	restore(stay)
}
