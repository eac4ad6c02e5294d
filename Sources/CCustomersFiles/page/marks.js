// Which customers are marked: values that know all of them, wherever the window is.
import {ask, written} from './connection.js'
import {redraw} from './draw.js'
import {askRows, customer, known, list, place, rowOf} from './list.js'
import {$, customers, number, retire, say, title} from './words.js'

// What was marked at once: a range or a view, as it was at a version, and its ids; and how often a range was extended.
let base = null, turns = 0

// Whom an edit is about: all ids, how a request names them, and the version that was seen. The server knows whom a range or
// a view meant at its version, whatever was done since; those who were marked or unmarked besides are named.
/** @type {(ids: number[], body?: object, seen?: object) => {ids: number[], body: object, seen: object}} */
const some = (ids, body = {ids}, seen = list.version) => ({ids, body, seen})
export function marked() {
	const ids = [...list.marks.keys()]
	if (!base) return some(ids)
	const [[kind, way]] = Object.entries(base.way), also = ids.filter(id => !base.ids.has(id))
	const except = [...base.ids].filter(id => !list.marks.has(id)), at = written(base.version)
	return some(ids, {[kind]: {...way, at, also, except}}, base.isTold ? list.version : base.version)
}
// An edit is about a row, or about all that are marked if it is one of them.
export const subject = (id, isAlone) => !isAlone && list.marks.has(id) ? marked() : some([id])
// Whom a key is about: those who are marked, the last of them where the cursor is on no one marked.
export const chosen = () => list.marks.size && !list.marks.has(list.cursor) ? [...list.marks.keys()].at(-1) : list.cursor
export const naming = ({ids}) => ids.length === 1 && customer(ids[0]) ? title(customer(ids[0])) : customers(ids.length)
// Whoever edits them again has read what was said about the others' changes.
export const tell = seen => {if (base?.version === seen) base.isTold = true}

const setMark = id => list.marks.set(id, {row: rowOf(id), edit: list.version.edit})
export function mark(id, isMarked = !list.marks.has(id)) {
	if (id == null) return
	isMarked ? setMark(id) : list.marks.delete(id)
	showMarks()
}
// Marks rows that were chosen together.
function choose(way, version, ids) {
	const old = base?.way.range, now = way?.range
	if (old && now && written(base.version) === written(version) && now.from <= old.to + 1 && old.from <= now.to + 1) {
		// In the order of the rows.
		base.ids = new Set(now.from < old.from ? [...ids, ...base.ids] : [...base.ids, ...ids])
		base.order = null
		Object.assign(old, {from: Math.min(old.from, now.from), to: Math.max(old.to, now.to)})
	} else if (way && ids.length > (base?.ids.size ?? 1)) base = {way, version, ids: new Set(ids)}
	for (const id of ids) setMark(id)
	showMarks()
}
// The rows between two, read or not, as what they are chosen by.
async function between(row, start) {
	const [from, to] = [start, row].sort((a, b) => a - b), {version, view, isOrdered} = list, ids = []
	for (let i = from; i <= to && known(i); i++) ids.push(known(i).id)
	const range = {from: from + 1, to: to + 1}, way = isOrdered ? {range} : null
	if (ids.length > to - from) return {way, version, ids}
	if (isOrdered) {
		const answer = await ask(`/v1/ids?first=${range.from}&last=${range.to}&seen=${written(version)}`)
		if (answer?.message) say(answer.message, true)
		return {way, version, ids: answer?.ids}
	}
	// Of another order, only the rows know it.
	for (let from = range.from; from <= range.to; ) {
		const {rows} = await askRows('/v1/rows', {from, limit: Math.min(1000, range.to - from + 1), fields: 'id'}) ?? {}
		if (view !== list.view || !rows?.[0]) break
		ids.push(...rows.map(c => c.id))
		from += rows.length
	}
	return {way, version, ids: [...new Set(ids)]}
}
export async function markTo(row, start) {
	const {way, version, ids} = await between(row, start)
	if (ids) choose(way, version, ids)
}
// A range grows and shrinks with the cursor from where it began; whatever else is done ends it. Of a mode, no Shift is needed.
export function beginRange(isMode = false) {
	return (list.range ??= {id: list.cursor, row: list.cursorRow, isMode, base: null, ids: []})
}
export async function extendTo(row) {
	const range = beginRange(), at = place(range.id), turn = ++turns
	const {way, version, ids} = await between(row, at < 0 ? range.row : at)
	// The cursor has gone on, or nothing is to be marked any more.
	if (!ids || turn !== turns) return
	for (const id of range.ids) list.marks.delete(id)
	if (base && base === range.base) base = null
	range.ids = ids
	choose(way, version, ids)
	range.base = base
}
export const markFound = ({ids, version}, text) => choose({view: {text, leave_out: true}}, version, ids)
// All rows, or those that are not marked.
export async function markAll(isOther) {
	const {due} = list.view, answer = await ask(`/v1/ids${due ? `?due=${due}` : ''}`), old = new Set(isOther ? list.marks.keys() : [])
	if (!answer?.ids) return answer && say(answer.message, true)
	base = null
	list.marks.clear()
	choose({view: due ? {due} : {}}, answer.version, answer.ids)
	for (const id of old) list.marks.delete(id)
	showMarks()
}
export function unmark() {
	list.marks.clear()
	list.range = base = null
	turns++
	showMarks()
}
export function showMarks() {
	const {size} = list.marks
	if (!size) base = null
	retire($('marks'), 'hidden', !size)
	$('marks').firstElementChild.textContent = `${number(size)} marked`
	redraw()
}
// The row of a marked customer, as far as it is known; -1 if not.
export function rowOfMark(id) {
	const {row, edit} = list.marks.get(id) ?? {}, range = base?.way.range
	if (edit === list.version.edit && row >= 0) return row
	if (!range || base.version.edit !== list.version.edit) return -1
	base.order ??= new Map([...base.ids].map((id, i) => [id, i]))
	return base.order.has(id) ? range.from - 1 + base.order.get(id) : -1
}
