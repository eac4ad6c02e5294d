// Rows in the hand: where they are shown, and where they go when they are dropped.
import {redraw} from './draw.js'
import {naming, perform, send, subject} from './edit.js'
import {Arrangement} from './layout.js'
import {customer, height, known, lineAt, list, load, reveal, rowOf, top, total, view} from './list.js'
import {clamp, number, question, say, title} from './words.js'

const sectionOf = row => list.sections.findIndex(s => row < s.first - 1 + s.count)

class Hand {
	// `y` is where a pointer holds the rows, in pixels of the list; null if they are in their gap.
	// `id` is the row that was picked up: the marked ones are gathered around it.
	constructor(ids, id) {
		Object.assign(this, {ids, id, seen: list.version, y: null})
		this.find()
		this.goTo(rowOf(id))
		const [first] = this.taken
		// No place means that marked rows are gathered, which is a move.
		this.start = this.taken.every((taken, i) => taken === first + i) && this.where
	}
	get where() {return `${this.place.section} ${this.place.order}`}
	// Marked rows that were not read since the last edit are moved, but can't be shown.
	find() {
		const place = id => {
			const mark = list.marks.get(id), row = rowOf(id)
			return row >= 0 ? [row, known(row)] : [mark?.edit === list.version.edit ? mark.position - 1 : Infinity, mark ?? {id}]
		}
		const all = this.ids.map(place).sort(([a], [b]) => a - b), found = all.filter(([row]) => row < Infinity)
		this.ids = all.map(([, c]) => c.id)
		this.taken = found.map(([row]) => row)
		this.rows = found.map(([, c]) => c)
	}
	// Where the row that was picked up is shown.
	get row() {return this.place.gap + Math.max(0, this.rows.findIndex(c => c.id === this.id))}
	// A drop is anchored at the row below, whatever others do to the list.
	set(target) {
		const place = this.place = new Arrangement(list.sections.map(s => s.count), this.taken, target)
		this.section = list.sections[place.section].id
		this.isLast = place.order >= place.unmovedRows(place.section)
		this.before = this.isLast ? null : known(place.listRow(place.gap))
	}
	// The place above a row, as if what is held were not in the list.
	goTo(row) {
		const section = sectionOf(row), first = list.sections[section].first - 1
		this.set([section, row - first - this.taken.filter(taken => taken >= first && taken < row).length])
	}
	to([section, order]) {
		const {where} = this
		this.set([section, order])
		if (this.where !== where) redraw()
	}
	// The list has changed: the rows stay above the same neighbor.
	follow() {
		this.find()
		if (!this.rows.length) return (list.hand = null), say('The row is already deleted.', true)
		const row = this.before ? rowOf(this.before.id) : -1
		if (row >= 0) return this.goTo(row)
		const section = list.sections.findIndex(s => s.id === this.section)
		this.set(section < 0 || !this.isLast ? [this.place.section, this.place.order] : [section, Infinity])
	}
	get edit() {
		const {ids, before, isLast, section} = this
		const to = isLast ? 'last' : before ? {before: before.id} : {position: this.place.gap + 1}
		return {move: {ids, to, section: isLast ? section : undefined}}
	}
	get words() {
		const name = list.sections[this.place.section].title
		return `Row ${number(this.place.gap + 1)} of ${number(list.count)}${
			this.before ? `, above ${title(this.before)}` : this.isLast ? `, at the end${name && ` of ${name}`}` : ''}`
	}
}

// Takes a row, and the marked ones with it; null, with a notice, if they must not be moved.
export function pickUp(id) {
	const ids = subject(id), fixed = ids.map(id => customer(id) ?? list.marks.get(id)).find(c => c?.can_move === false)
	if (list.read_only || list.hand || rowOf(id) < 0) return null
	if (!list.isOrdered) return say(`${list.view.sort ? "The rows are sorted, not in the list's order" : 'Only matches are shown'
		}; Esc shows the list, where rows can be moved.`, true), null
	if (fixed) return say(`${title(fixed)} is protected against moving.`, true), null
	list.asked = null
	list.hand = new Hand(ids, id)
	redraw()
	return list.hand
}
// Moves what is held to a place of the screen; `grip` is where in the row the pointer took it.
export function holdAt(screenY, grip) {
	const {hand, layout} = list, {place} = hand, size = place.taken.length
	const y = clamp(screenY - view.getBoundingClientRect().top, 0, view.clientHeight) + top - grip
	hand.y = clamp(y, 0, (layout.count - 1) * height)
	// An item is passed with its middle, downward by the foot of the rows and upward by their head.
	const first = layout.line(place.gap), head = hand.y + height / 2, foot = head + (Math.min(size, 4) - 1) * height
	const isDown = lineAt(foot) >= first + size, point = isDown ? foot : head, line = lineAt(point)
	if (line < first || isDown) {
		const [[kind, n]] = Object.entries(layout.item(line)), isPast = point > (line + .5) * height
		if (kind === 'row') {
			const [section, offset] = layout.path(n)
			hand.to([section, offset + isPast - (section === place.section && n > place.gap ? size : 0)])
		} else hand.to(kind !== 'header' ? [n, Infinity] : isPast || !n ? [n, 0] : [n - 1, Infinity])
	}
	list.draw()
}
export function holdBy(distance) {
	const {hand} = list
	hand.to(isFinite(distance) ? hand.place.by(distance) : distance < 0 ? [0, 0] : [list.sections.length - 1, Infinity])
	reveal(hand.row)
	say(`${hand.words}.`)
}
export function putBack(text = 'Canceled; nothing was moved.') {
	list.hand = null
	redraw()
	say(text)
}
const sendMove = hand => send(hand.edit, `Move ${naming(hand.ids)}`, {seen: hand.seen})
// The rows stay where they were dropped until the answer comes, unless it takes long.
export function drop() {
	const {hand} = list, release = () => {if (list.hand === hand) list.hand = null, redraw()}
	hand.y = null
	if (hand.start === hand.where) return putBack('Nothing was moved.')
	hand.isDropped = true
	redraw()
	setTimeout(release, 1500)
	return perform(() => sendMove(hand).finally(release)) ?? release()
}
// Moves rows without holding them, to the place that `where` chooses.
export const moveTo = (id, where) => perform(async () => {
	if (rowOf(id) < 0) await load()
	const hand = pickUp(id)
	if (!hand) return
	hand.to(where(hand.place))
	list.hand = null
	redraw()
	if (hand.start === hand.where) return say(`${title(hand.rows[0])} is already there.`)
	Object.assign(list, {cursor: id, cursorRow: rowOf(id)})
	await sendMove(hand)
	showMoved(id)
})
// Unless the cursor has gone elsewhere while the answer was on its way.
const showMoved = id => list.cursor === id && reveal(list.cursorRow)
// Moves rows to a place that need not be on the screen; of so many that they aren't either, it asks.
export async function moveToPlace(id, place) {
	const ids = subject(id)
	if (ids.length > 500 && !(await question(`Move ${naming(ids)}?`, 'Move'))) return
	perform(async () => {
		list.cursor = id
		await send({move: {ids, ...place(ids)}}, `Move ${naming(ids)}`)
		showMoved(id)
	})
}
export const moveToRow = (id, row) => moveToPlace(id, ids => ({to: {position: clamp(row, 1, total() - ids.length + 1)}}))
export const steps = distance => place =>
	[place.section, clamp(place.order + distance, 0, place.unmovedRows(place.section))]
