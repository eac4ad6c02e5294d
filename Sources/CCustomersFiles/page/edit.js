// Edits, one after the other, and what is said about them.
import {ask, isOwn, post, written} from './connection.js'
import {redraw} from './draw.js'
import {customer, go, list, load, reveal} from './list.js'
import {marked, naming, rowOfMark, showMarks, subject, tell} from './marks.js'
import {clamp, customers, focusList, question, say, title, wait} from './words.js'

let last = Promise.resolve(), waiting = 0
// Runs an action after those before it, so that each sees what the one before has done.
/** @type {(action: () => Promise<object>) => Promise<object> | undefined} */
export function perform(action) {
	if (list.read_only) return void say('This list is read-only.', true)
	if (waiting && Date.now() - waiting > 1500) return void say('Still saving the last edit; try again in a moment.', true)
	wait(1)
	const done = last.then(() => (waiting = Date.now(), action())).finally(() => {
		waiting = 0
		wait(-1)
	})
	last = done.catch(() => {})
	return done
}
// Sends an edit and says what came of it, unless the caller does so for refusals of the kinds in `quiet`.
/** @param {object | object[]} edit @param {string} what @param {Sending} how */
export async function send(edit, what, {seen = list.version, path = '/v1/edits', quiet = [], typed, shows, running, saved, done} = {}) {
	waiting = Date.now()
	const ask = edit => post(path, path === '/v1/edits' ? {seen: written(seen), typed, edits: [edit].flat()} : edit, what, running, saved)
	let answer = await ask(edit), gone = 0
	for (; answer.reason === 'deleted'; answer = await ask(edit), gone++) {
		const [[name, who]] = Object.entries(edit), left = who?.ids?.filter(id => !answer.ids.includes(id))
		for (const id of answer.ids) list.marks.delete(id)
		// Of several rows that were named, those that are left are meant.
		if (!left?.[0] || left.length === who.ids.length) break
		edit = {[name]: {...who, ids: left}}
	}
	const {kind, message} = answer
	// The edit waits no more, however long the page reads what it has done.
	waiting = 0
	if (answer.status === 200) say((done || answer.text || `${what}: done.`) + (gone ? ` ${gone} of the rows had been deleted.` : ''), false, answer.step && !/do$/.test(path) && ['Undo', () => reverse('undo', answer.step)])
	else if (!quiet.includes(kind)) say(message ?? `${what}: refused.`, true)
	tell(seen)
	const ids = (answer.status === 200 && shows && answer.ids) || [], isLast = shows === 'last'
	if (ids[0]) list.goal = ids.at(isLast ? -1 : 0)
	if (answer.version || ids[0]) await load(answer.ids)
	if (ids[0]) list.light(isLast ? ids.slice(-200) : ids.slice(0, 200))
	return answer
}

// ---- Deleting: one action shows the button, another one deletes

// Those whose deletion is on its way: nothing more is asked about them.
const leaving = new Set(), KEYS_OF_DELETE = 'Press Enter, Delete, or y'
export function askDelete(id, how = KEYS_OF_DELETE) {
	const c = customer(id)
	if (!c || list.read_only || leaving.has(id)) return
	if (c.can_edit === false && !subject(id).ids[1]) return say(`${title(c)} is protected against editing and deleting.`, true)
	list.asked = id
	say(`Delete ${naming(subject(id))}? ${how}; anything else cancels.`)
	redraw()
	if (id === list.cursor) reveal(list.cursorRow)
}
// The question stays when others edit, and names what they did.
export function askAgain(news, ids) {
	const who = subject(list.asked), changed = new Set(ids), isOld = who.ids.some(id => changed.has(id))
	if (isOld) tell(who.seen)
	say(`${news} Delete ${naming(who)}${isOld ? ' nevertheless' : ''}? ${KEYS_OF_DELETE}; anything else cancels.`)
}
function closeDelete() {
	list.asked = null
	redraw()
	focusList()
}
export function cancelDelete() {
	closeDelete()
	say('Nothing was deleted.')
}
export function remove(who = subject(list.asked)) {
	closeDelete()
	const done = perform(async () => {
		const {cursor, cursorRow} = list, isGone = who.ids.includes(cursor), above = isGone ? who.ids.map(rowOfMark).filter(row => row >= 0 && row < cursorRow).length : 0
		const {status, reason} = await send({delete: who.body}, `Delete ${naming(who)}`, {seen: who.seen})
		if (status === 200) for (const id of who.ids) list.marks.delete(id)
		showMarks()
		if (reason === 'protected') return removeOthers(who)
		// The cursor goes to the row that has taken the place of its own.
		if (list.count && (list.cursor === null || (status === 200 && isGone && list.cursorRow === clamp(cursorRow, 0, list.count - 1)))) go(list.cursorRow - above)
	})
	if (done) for (const id of who.ids) leaving.add(id)
	return done?.finally(() => who.ids.forEach(id => leaving.delete(id)))
}
// Of many, some may be protected.
async function removeOthers({ids, body, seen}) {
	const fixed = new Set((await ask('/v1/ids?text=can_edit=no'))?.ids), rest = ids.filter(id => !fixed.has(id)), kept = ids.filter(id => fixed.has(id))
	if (!kept[0] || !rest[0]) return
	const [[kind, way]] = Object.entries(body), others = kind === 'ids' ? {ids: rest} : {[kind]: {...way, also: way.also.filter(id => !fixed.has(id)), except: [...way.except, ...kept]}}
	const text = `${naming({ids: kept})} ${kept[1] ? 'are' : 'is'} protected. Delete the other ${rest[1] ? customers(rest.length) : 'customer'}?`
	if (await question(text, 'Delete')) remove({ids: rest, body: others, seen})
}
export async function removeMarked() {
	const who = marked()
	if (await question(`Delete ${customers(who.ids.length)}?`, 'Delete')) remove(who)
}

// ---- Favorites: all become what the row was not

export const toggleFavorite = id => perform(() => {
	const who = subject(id), is_favorite = !customer(id)?.is_favorite
	return send({update: {...who.body, set: {is_favorite}}}, `Change ${naming(who)}`, {seen: who.seen})
})

// ---- Undo and redo, of any program's step

// The step that was undone or redone here last: it is known, whoever made it.
let reversed = null
// A step that is named is undone alone if another one came after it.
/** @type {(which: string, named?: number) => Promise<object> | undefined} */
export const reverse = (which, named) => perform(async () => {
	await load()
	const verb = which === 'undo' ? 'Undo' : 'Redo'
	if (named && list[which]?.step !== named) return send({step: named}, verb, {path: '/v1/revert'})
	for (let step = list[which], answer; ; step = answer.next) {
		if (!step) return say(`Nothing to ${which}.`)
		if (!isOwn(step) && reversed !== step.step + step.time) {
			const text = `${step.by || 'Another program'}, ${new Date(step.time).toLocaleString()}:\n${step.text}\n\n${verb} it?`
			if (!(await question(text, verb))) return say('Nothing was changed.')
		}
		answer = await send({step: step.step, time: step.time}, verb, {path: `/v1/${which}`, shows: 'first', quiet: ['conflict']})
		if (answer.status === 200) reversed = step.step + step.time
		// If another program was faster, its step is asked for in turn.
		if (answer.reason !== 'other_step') return answer.kind === 'conflict' && say(answer.message, true)
	}
})
