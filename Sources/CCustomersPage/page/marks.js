// Which customers are marked: values that know all of them, wherever the window is.
import {ask, written} from './connection.js'
import {redraw} from './draw.js'
import {askRows, customer, known, list, rowOf} from './list.js'
import {$, customers, number, retire, say, title} from './words.js'

// What was marked at once: a range or a view, as it was at a version, and its ids.
let base = null

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
// Marks the rows between two, read or not.
export async function markTo(row, start = list.cursorRow) {
	const [from, to] = [start, row].sort((a, b) => a - b), {version, view, isOrdered} = list, ids = []
	for (let i = from; i <= to && known(i); i++) ids.push(known(i).id)
	const range = {from: from + 1, to: to + 1}, way = isOrdered ? {range} : null
	if (ids.length > to - from) return choose(way, version, ids)
	if (isOrdered) {
		const answer = await ask(`/v1/ids?first=${range.from}&last=${range.to}&seen=${written(version)}`)
		return answer?.ids ? choose(way, version, answer.ids) : answer && say(answer.message, true)
	}
	// Of another order, only the rows know it.
	for (let from = range.from; from <= range.to; ) {
		const {rows} = await askRows('/v1/rows', {from, limit: Math.min(1000, range.to - from + 1), fields: 'id'}) ?? {}
		if (view !== list.view || !rows?.[0]) break
		ids.push(...rows.map(c => c.id))
		from += rows.length
	}
	choose(null, version, [...new Set([...ids])])
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
	base = null
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
