// Rows in the hand: where they are shown, and where they go when they are dropped.
import {redraw} from './draw.js'
import {perform, send} from './edit.js'
import {Arrangement, countBelow} from './layout.js'
import {customer, edges, height, known, lineAt, list, load, reveal, rowOf, screen, top, total} from './list.js'
import {naming, rowOfMark, subject, unmark} from './marks.js'
import {clamp, number, question, say, title} from './words.js'

const sectionOf = row => list.sections.findIndex(s => row < s.first - 1 + s.count)

class Hand {
	// `y` is where a pointer holds the rows, in pixels of the list; null if they are in their gap.
	// `c` is the customer that was picked up: the marked ones are gathered around it.
	constructor(who, c) {
		this.who = who
		this.id = c.id
		this.own = new Map([[c.id, c]])
		this.seen = who.seen
		this.y = null
		this.gather(id => id === c.id ? c.position - 1 : rowOf(id) >= 0 ? rowOf(id) : rowOfMark(id))
		this.goTo(c.position - 1)
		const [first] = this.taken
		// No place means that marked rows are gathered, which is a move.
		this.start = this.taken.length === who.ids.length && this.taken.every((taken, i) => taken === first + i) && this.where
	}
	get where() {return `${this.place.section} ${this.place.order}`}
	// Those whose row is not known are moved, but can't be shown.
	gather(rowOf) {
		const found = this.who.ids.map(id => [rowOf(id), id]).filter(([row]) => row >= 0).sort(([a], [b]) => a - b)
		this.taken = found.map(([row]) => row)
		this.ids = found.map(([, id]) => id)
	}
	// A customer in the hand, wherever the window is.
	customer(i) {
		const id = this.ids[i], c = customer(id) ?? this.own.get(id) ?? {id}
		if (c.name !== undefined) this.own.set(id, c)
		return c
	}
	// Where the row that was picked up is shown.
	get row() {return this.place.gap + Math.max(0, this.ids.indexOf(this.id))}
	// A drop is anchored at the row below, whatever others do to the list.
	set(target) {
		const place = this.place = new Arrangement(list.sections.map(s => s.count), this.taken, target)
		this.section = list.sections[place.section].id
		// A folded section opens.
		list.folded.delete(this.section)
		this.isLast = place.order >= place.unmovedRows(place.section)
		this.before = this.isLast ? null : known(place.listRow(place.gap)) ?? null
	}
	// The place above a row, as if what is held were not in the list.
	goTo(row) {
		const section = sectionOf(row), first = list.sections[section].first - 1, {taken} = this
		this.set([section, row - first - (countBelow(taken, row) - countBelow(taken, first))])
	}
	to([section, order]) {
		const {where} = this
		this.set([section, order])
		if (this.where !== where) redraw()
	}
	// The list was read again: the rows stay above the same neighbor. `places` are the rows of some customers, or null.
	follow(places) {
		const {version} = list, {ids, taken, before, id} = this, isNew = version.edit !== this.edit
		// What was asked for before the row was picked up does not say where it is.
		if (isNew && !places.has(id)) return load()
		const old = isNew ? new Map() : new Map(ids.map((id, i) => [id, taken[i]]))
		this.edit = version.edit
		this.gather(id => places.has(id) ? places.get(id) ?? -1 : rowOf(id) >= 0 ? rowOf(id) : old.get(id) ?? rowOfMark(id))
		if (places.get(id) === null) {
			// The cursor stays where the row was seen.
			if (!this.ids.length) return Object.assign(list, {cursorRow: this.row, hand: null, isTaken: this.y === null}), say('The row is already deleted.', true)
			this.id = this.ids[0]
		}
		const row = before ? places.get(before.id) ?? rowOf(before.id) : -1
		if (row >= 0) return this.goTo(row)
		const section = list.sections.findIndex(s => s.id === this.section)
		this.set(section < 0 || !this.isLast ? [this.place.section, this.place.order] : [section, Infinity])
	}
	get change() {
		const {who, before, isLast, section} = this
		const to = isLast ? 'last' : before ? {before: before.id} : {position: this.place.gap + 1}
		return {move: {...who.body, to, section: isLast ? section : undefined}}
	}
	get words() {
		const name = list.sections[this.place.section].title
		return `Row ${number(this.place.gap + 1)} of ${number(list.count)}${
			this.before ? `, above ${title(this.before)}` : this.isLast ? `, at the end${name && ` of ${name}`}` : ''}`
	}
}

// Whether the rows are not shown as they are in the list, which is said.
const isOutOfOrder = () => !list.isOrdered && (say(`${list.view.sort ? "The rows are sorted, not in the list's order" : 'Only matches are shown'
	}; ${list.view.sort ? 'Esc' : '&'} shows the list, where rows can be moved.`, true), true)
// Takes a row, and the marked ones with it; null, with a notice, if they must not be moved.
export function pickUp(id) {
	const c = customer(id), who = subject(id), fixed = who.ids.map(customer).find(c => c?.can_move === false)
	if (list.read_only || list.hand || !c) return null
	if (isOutOfOrder()) return null
	if (fixed) return say(`${title(fixed)} is protected against moving.`, true), null
	list.asked = null
	list.hand = new Hand(who, c)
	list.hand.edit = list.version.edit
	Object.assign(list, {cursor: id, cursorRow: c.position - 1})
	redraw()
	// Those that are marked elsewhere are found by the next answer.
	if (list.hand.ids.length < Math.min(who.ids.length, 200)) load()
	return list.hand
}
// Moves what is held to a place of the screen; `grip` is where in the row the pointer took it.
export function holdAt(screenY, grip) {
	const {hand, layout} = list, size = hand.place.taken.length
	const y = clamp(screenY - edges().top, 0, screen()) + top - grip
	hand.y = clamp(y, 0, (layout.count - size) * height)
	// Over the last line of the list, from where a finger can go no further.
	if (lineAt(screenY - edges().top + top) === layout.count - 1) hand.to([list.sections.length - 1, Infinity])
	else passItem(hand)
	list.draw()
}
function passItem(hand) {
	const {layout} = list, {place} = hand, size = place.taken.length
	// An item is passed with its middle, downward by the foot of the rows and upward by their head.
	const first = layout.line(place.gap), head = hand.y + height / 2, foot = head + (Math.min(size, 4) - 1) * height
	const isDown = lineAt(foot) >= first + size, point = isDown ? foot : head, line = lineAt(point)
	if (line < first || isDown) {
		const [[kind, n]] = Object.entries(layout.item(line)), isPast = point > (line + .5) * height
		if (kind === 'row') {
			const [section, offset] = layout.path(n)
			hand.to([section, offset + +isPast - (section === place.section && n > place.gap ? size : 0)])
		} else hand.to(kind !== 'header' ? [n, Infinity] : isPast || !n ? [n, 0] : [n - 1, Infinity])
	}
}
export function holdTo(target) {
	const {hand} = list
	hand.y = null
	hand.to(target(hand.place))
	reveal(hand.row)
	say(`${hand.words}.`)
}
export const holdBy = distance => holdTo(place => isFinite(distance) ? place.by(distance) : distance < 0 ? [0, 0] : [list.sections.length - 1, Infinity])
// The place at which the first of the rows has a number of the list.
export const holdAtRow = row => holdTo(place => place.at(row))
export function putBack(text = 'Canceled; nothing was moved.') {
	list.hand = null
	redraw()
	reveal(list.cursorRow)
	say(text)
}
// What is below is read first, if it was dropped before it was shown.
async function sendMove(hand, isShown = false) {
	if (!hand.before && !hand.isLast && list.hand === hand) await load()
	const answer = await send(hand.change, `Move ${naming(hand.who)}`, {seen: hand.seen})
	if (list.hand === hand) list.hand = null, redraw()
	showMoved(hand.id, answer, hand.who, isShown ? hand.row : -1)
	return answer
}
// The rows stay where they were dropped until the answer comes, unless it takes long.
export function drop() {
	const {hand} = list
	let isThere
	const release = () => {
		if (list.hand === hand) list.hand = null, redraw()
		isThere?.()
	}
	hand.y = null
	if (hand.start === hand.where) return putBack('Nothing was moved.')
	hand.dropped = new Promise(go => {isThere = go})
	redraw()
	setTimeout(() => hand.before || hand.isLast ? release() : 0, 1500)
	return perform(() => sendMove(hand, true).finally(release)) ?? release()
}
// Moves rows without holding them, to the place that `where` chooses.
export const moveTo = (id, where) => perform(async () => {
	if (!customer(id)) await load()
	const hand = pickUp(id)
	if (!hand) return
	hand.to(where(hand.place))
	list.hand = null
	redraw()
	if (hand.start === hand.where) return say(`${title(hand.customer(0))} is already there.`)
	await sendMove(hand)
})
// Shows where the row is now, unless the cursor has gone elsewhere while the answer was on its way. A list that has shown it
// at that row stays as it is: the next touch may be on its way.
function showMoved(id, {status}, {ids}, shown = -1) {
	if (list.cursor === id && list.cursorRow !== shown) reveal(list.cursorRow)
	if (status === 200) list.light(ids.slice(0, 200))
}
// Moves rows to a place that need not be on the screen; of so many that they aren't either, it asks.
export async function moveToPlace(id, place, who = subject(id)) {
	if (who.ids.length > 500 && !(await question(`Move ${naming(who)}?`, 'Move'))) return
	return perform(async () => {
		list.cursor = id
		showMoved(id, await send({move: {...who.body, ...place}}, `Move ${naming(who)}`, {seen: who.seen}), who)
	})
}
export const moveToRow = (id, row) =>
	moveToPlace(id, {to: {position: clamp(row, 1, total() - subject(id).ids.length + 1)}})
export const steps = distance => place => place.by(distance)

// ---- Cut and paste: the rows stay where they are until they are pasted

export function cut(id) {
	if (list.read_only) return say('This list is read-only.', true)
	const who = subject(id)
	list.cut = {...who, all: new Set(who.ids)}
	say(`Cut ${naming(who)}. p moves below the cursor, P above.`)
	unmark()
}
export function paste(id, isAbove) {
	const who = list.cut
	if (!who) return say('Nothing was cut.')
	if (who.all.has(id)) return say('The rows are already there.')
	if (isOutOfOrder()) return
	list.cut = null
	return moveToPlace(who.ids[0], {to: {[isAbove ? 'before' : 'after']: id}}, who)
}
