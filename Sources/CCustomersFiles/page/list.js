// What is known of the list: its sections, and a window of rows around the screen.
import {ask, memory, random, setTime, written} from './connection.js'
import {Layout} from './layout.js'
import {$, clamp, number, on, say, sleep} from './words.js'

export const view = $('list'), space = $('rows'), heads = $('heads')
export const USUAL = [['company', 'Company'], ['email', 'E-mail'], ['phone', 'Phone']].map(([name, title]) => ({name, title}))
// Browsers allow elements of 17 million pixels or more, and show nothing of higher ones.
const HIGHEST = 8_000_000

export const list = {
	version: null, sections: [], rows: [], at: new Map(), index: new Map(), count: 0, read_only: false, key: undefined, isWall: false, isTimeless: false, undo: null, redo: null,
	// What is shown: the matches of a text, or all rows; in the order of a column, or of the list.
	/** @type {View} */
	view: {text: '', only: true}, isOrdered: true, found: null, columns: null, filled: new Set(), goal: null,
	// The sections of which this browser shows only the heading, and one that is carried by it.
	folded: new Set(memory.get('folded', [])), carried: null,
	layout: new Layout([]), isEditing: false, cursor: null, cursorRow: 0,
	isNews: false, marks: new Map(), range: null, asked: null, hand: null, isTaken: false, flashing: new Set(),
	// The customer in the form, whether something was typed into it, and the row with fields in its cells.
	opened: null, isTyped: false, edited: null,
	// The names of others who are editing a customer.
	others: new Map(),
	// Customers that something is about, with their fields, wherever the window is: those of the cursor, of the question,
	// of the form, of the cells in edit, and of the hand.
	kept: new Map(), cut: null,
	// How many are due, and when they were counted.
	due: null, counted: null,
	// The names of those that were added here by a key that sees no rows.
	added: [],
	// Set by the layers above.
	draw() {}, startOver() {}, light(ids) {}, dayToCount() {}, takeFile(file, below, header) {},
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
// Whether rows are shown in the order of the list, all of them.
/** @param {View} view */
const isPlain = ({text, only, sort, due}) => !(text && only) && !sort && !due
// The sections that are folded, as a request names them.
export const foldedNow = () => isPlain(list.view) && [...list.folded].join() || undefined
export const known = row => list.at.get(row)
export const rowOf = id => list.index.get(id) ?? -1
export const customer = id => known(rowOf(id)) ?? list.kept.get(id)
// The row of a customer that is read or kept; -1 for any other.
export const place = id => rowOf(id) >= 0 || !list.isOrdered ? rowOf(id) : (list.kept.get(id)?.position ?? 0) - 1
// What of `kept` is needed: the first ones of many in the hand.
function owned() {
	const {cursor, range, asked, opened, edited, hand} = list, ids = [cursor, range?.id, asked, opened, edited?.id, hand?.id, hand?.before?.id, ...hand?.ids.slice(0, 200) ?? []]
	return [...new Set(ids)].filter(id => id != null)
}
export function keep() {
	list.kept = new Map(owned().filter(customer).map(id => [id, customer(id)]))
}

// ---- Scrolling: near, it is that of the browser; far, it is proportional.

// The height of a line, the pixel of the list at the top of the screen, and what to subtract for a place in `space`.
export let height = 1, top = 0, shift = 0
// The line at a pixel of the list.
export const lineAt = y => clamp(Math.floor(y / height), 0, Math.max(0, list.layout.count - 1))
let lastTop = 0, isScrolling = false, pause
// The height of what shows rows: all but the headings of the columns.
export const screen = () => view.clientHeight - heads.offsetHeight
// Where on the screen that is.
export function edges() {
	const {top, bottom} = view.getBoundingClientRect()
	return {top: top + heads.offsetHeight, bottom}
}
const room = () => Math.max(0, list.layout.count * height - screen())
const travel = () => space.clientHeight - screen()

export function layOut() {
	const style = getComputedStyle(document.documentElement), counts = list.hand?.place.counts
	height = parseFloat(style.fontSize) * +style.getPropertyValue('--row')
	list.layout = new Layout(list.isOrdered ? list.sections.map(({id, count, title, footer}, i) => ({
		rows: counts ? counts[i] : count, header: title !== '', add: list.isEditing, footer: footer !== '',
		isFolded: title !== '' && (!!list.carried || list.folded.has(id)),
	})) : [{rows: list.count}])
	space.style.height = `${clamp(list.layout.count * height, screen(), HIGHEST)}px`
	view.ariaRowCount = `${list.layout.count + 1}`
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
	const isFar = Math.abs(distance) > 2 * screen()
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
	const {layout, hand} = list, end = lineAt(top + screen())
	for (let line = lineAt(top); line <= end; line++) {
		const shown = layout.item(line)?.row, {row} = shown === undefined ? {row: undefined} : hand?.place.source(shown) ?? {row: shown}
		if (row !== undefined) yield [row, line]
	}
}
// The section of the cursor, or of the rows that are seen when the cursor is not: on a phone, no one knows where it is.
export function sectionSeen() {
	const {cursor, sections, layout} = list, row = (customer(cursor)?.position ?? 1) - 1
	const isSeen = !list.isOrdered || [...visible()].some(([seen]) => seen === row)
	return sections[isSeen ? sections.findLastIndex(s => row >= s.first - 1) : layout.part(lineAt(top))]?.id
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
// Shows the rows of a section, or only its heading; the browser keeps it.
export function fold(id, isFolded = false) {
	isFolded ? list.folded.add(id) : list.folded.delete(id)
	memory.set('folded', [...list.folded])
	layOut()
}
// Scrolls as little as needed to show a row, with one more above and below.
export function reveal(row) {
	const shown = clamp(row, 0, list.layout.rowCount - 1), section = list.sections[list.layout.path(shown)?.[0]]
	if (list.isOrdered && list.folded.has(section?.id)) fold(section.id)
	const line = list.layout.line(shown), seen = screen()
	if (line === null) return
	const y = line * height, first = row ? y - height : 0, last = y + 2 * height - seen
	scrollTo(Math.abs(y - top) > 3 * seen ? y - seen / 2 : first < top ? first : Math.max(last, top))
}

let isStale = false, loading = null
const moved = new Set()
const range = () => {
	const rows = [...visible()].map(([row]) => row)
	return rows.length ? [Math.min(...rows), Math.max(...rows)] : []
}
export function want() {
	const [first, last] = range()
	if (first !== undefined && !(known(first) && known(last))) load()
}
// Resolves when what is known is not older than this call. `ids` are rows that others have moved.
export function load(ids = []) {
	for (const id of ids) moved.add(id)
	isStale = true
	return (loading ??= (async () => {
		await null
		while (isStale) {
			isStale = false
			await readRows()
		}
	})().finally(() => {loading = null}))
}
async function readRows() {
	const [first, last] = range().map(row => list.layout.above(row)), size = clamp(3 * (last - first + 1) || 0, 90, 500), stays = top > 0 && topPlace(moved)
	const from = Math.max(1, Math.round((first + last - size) / 2 || 0) + 1)
	const {view, goal, tag: outline = ''} = list, folded = goal === null ? foldedNow() : undefined, fields = (list.columns ?? USUAL).map(({name}) => name + '\n').join('') + (view.due ? 'next\n' : '')
	const around = view.due ? undefined : goal ?? (stays ? stays.id : undefined), ids = owned()
	const seen = list.version ? written(list.version) : undefined, count_due = list.dayToCount()
	const page = await askRows('/v1/rows', {from, limit: size, around, outline, folded, fields, seen, count_due, places: ids[0] && ids.join(), brief: true, steps: true})
	if (view !== list.view || page?.kind === 'superseded') return (isStale = true)
	if (!page) return showKept(), sleep(500).then(() => {isStale = true})
	if (page.status !== 200) return memory.set('rows'), say(page.message, true)
	const given = page.columns?.filter(({name}) => !/_name|_fav/.test(name))
	const {version, count, outline: {tag, sections}, rows} = page, old = list.version
	const isOther = old && page.other_list
	if (isOther) list.startOver()
	else if (old?.edit > version.edit) return (isStale = true)
	noticeScroll()
	const stay = isOther ? null : topPlace(moved)
	take(page, {version, tag, sections, rows})
	keepRows(page)
	// The columns of the key, unless others were chosen, which a wall can't.
	if (given && (list.isWall || !list.columns) && JSON.stringify(given) !== JSON.stringify(list.columns)) list.columns = given, isStale = true
	// Where each of them is now; null for those that were deleted.
	const places = new Map(isOther ? [] : ids.map((id, i) => [id, page.places[i] && page.places[i] - 1]))
	for (const [id, row] of places) {
		const c = list.kept.get(id)
		if (c && row === null) list.kept.delete(id)
		else if (c) list.kept.set(id, {...c, position: row + 1})
	}
	document.body.style.setProperty('--digits', number(count).length)
	moved.clear()
	for (const [id] of list.marks) if (rowOf(id) >= 0) list.marks.set(id, {row: rowOf(id), edit: version.edit})
	list.isNews = !!old && !isOther && old.edit !== version.edit && !list.hand
	list.hand?.follow(places)
	followCursor(places)
	if (list.range && places.get(list.range.id) === null) list.range = null
	if (list.asked !== null && places.get(list.asked) === null) list.asked = null, say('The row is already deleted.', true)
	layOut()
	// Another goal may have been set meanwhile.
	if (list.goal === goal) list.goal = null
	if (rowOf(goal) < 0) return restore(stay)
	Object.assign(list, {cursor: goal, cursorRow: rowOf(goal)})
	reveal(list.cursorRow)
	restore()
}
function take(page, {version, tag, sections, rows}) {
	const {view} = list, {found, undo, redo, count, read_only, key, columns} = page
	Object.assign(list, {
		version, tag, rows, count, read_only, undo, redo, found, key,
		isWall: key === 'read' && !!columns, isTimeless: !!columns?.every(({name}) => name !== 'next'),
		isOrdered: isPlain(view),
	})
	if (page.due !== undefined) Object.assign(list, {due: page.due, counted: version.edit})
	let start = 1
	list.sections = sections?.map(s => ({...s, first: (start += s.count) - s.count})) ?? list.sections
	list.at = new Map(rows.map((c, i) => [list.isOrdered ? c.position - 1 : page.from - 1 + i, c]))
	list.index = new Map([...list.at].map(([row, c]) => [c.id, row]))
	for (const c of rows) for (const name in c) list.filled.add(name)
}
// The browser keeps the rows that were read last, but for the matches of a search, and shows them when it can't read any,
// to read only.
let keeping
function keepRows({from, count, rows, version, key, columns}) {
	const time = Date.now()
	setTime(time)
	clearTimeout(keeping)
	if (list.isOrdered) keeping = setTimeout(() => memory.set('rows', {time, from, count, rows, version, key, columns, sections: list.sections, place: topPlace()}), 1000)
}
function showKept() {
	const {time, place, ...page} = memory.get('rows', {})
	if (list.version || !time || !isPlain(list.view)) return
	setTime(time)
	take({...page, read_only: true}, {...page, tag: ''})
	layOut()
	const row = rowOf(place?.id)
	scrollTo(row < 0 ? list.layout.line(page.from - 1) * height : list.layout.line(row) * height - place.y)
}
// The cursor stays on its customer, wherever that is; of a deleted one it stays on the row.
function followCursor(places) {
	const {cursor, isOrdered} = list, row = rowOf(cursor) >= 0 ? rowOf(cursor) : isOrdered ? places.get(cursor) : undefined
	// null >= 0 is true.
	if (row !== null && row >= 0) return (list.cursorRow = row)
	list.cursorRow = clamp(list.cursorRow, 0, Math.max(0, list.count - 1))
	if (cursor === null || row === null || !isOrdered) list.cursor = known(list.cursorRow)?.id ?? (row === null ? null : cursor)
}
// Puts the cursor on a row. Before that is read, there is no one at the cursor: an answer that is on its way would put it back.
/** @type {Promise<unknown>} */
export let reading = null
export async function go(row) {
	list.cursorRow = clamp(row, 0, Math.max(0, list.count - 1))
	list.cursor = known(list.cursorRow)?.id ?? null
	reveal(list.cursorRow)
	if (list.cursor === null) await (reading = load())
	list.draw()
}
// Puts the cursor on a customer, wherever that is.
export async function goToCustomer(id) {
	const row = place(id)
	if (row >= 0 && customer(id)) return go(row)
	list.goal = id
	await (reading = load())
}
// Shows something else of the list, from its top or around a customer.
export function showView(view, goal = null) {
	if (!goal) Object.assign(list, {cursor: null, cursorRow: 0}), scrollTo(0)
	Object.assign(list, {view: {...list.view, ...view}, goal, asked: null})
	return load()
}
