// Edits, one after the other, and what is said about them.
import {isOwn, post, written} from './connection.js'
import {redraw} from './draw.js'
import {customer, list, load} from './list.js'
import {$, customers, focusList, number, question, retire, say, title} from './words.js'

// Customers that were all marked at once: how many, the text that found them, and the version; null if they were marked
// one by one.
let all = null
// How a request names customers: more than it holds, by the text that found them all.
export const named = ids => ids.length > 1e5 && ids.length === all?.count ? {view: {text: all.text}} : {ids}
export let last = Promise.resolve()
let waiting = 0
// Runs an action after those before it, so that each sees what the one before has done.
export function perform(action) {
	if (list.read_only) return say('This list is read-only.', true)
	if (waiting && Date.now() - waiting > 1500) return say('Another edit waits for its answer; try again then.', true)
	const done = last.then(() => (waiting = Date.now(), action())).finally(() => {waiting = 0})
	last = done.catch(() => {})
	return done
}
function bodyOf(edit, seen) {
	const [[name, {ids, ...more}]] = Object.entries(edit), who = ids && named(ids)
	return {seen: written(who?.view ? all.version : seen), edits: [{[name]: {...who, ...more}}]}
}
// Sends an edit and says what came of it, unless the caller does so for refusals of the kinds in `quiet`.
export async function send(edit, what, {seen = list.version, path = '/v1/edits', quiet = [], action, running} = {}) {
	waiting = Date.now()
	const answer = await post(path, path === '/v1/edits' ? bodyOf(edit, seen) : edit, what, running), {kind, message} = answer
	// The edit waits no more, however long the page reads what it has done.
	waiting = 0
	if (answer.status === 200) say(answer.text || `${what}: done.`, false, action)
	else if (!quiet.includes(kind)) say(message ?? `${what}: refused.`, true)
	if (answer.reason === 'deleted') for (const id of answer.ids) list.marks.delete(id)
	if (answer.version) await load()
	return answer
}

// ---- Marks: an edit is about a row, or about all that are marked if it is one of them

export const subject = id => list.marks.has(id) ? [...list.marks.keys()] : [id]
export const naming = ids => ids.length === 1 && customer(ids[0]) ? title(customer(ids[0])) : customers(ids.length)
const setMark = c => c && list.marks.set(c.id, {...c, edit: list.version.edit})
export function mark(id, isMarked = !list.marks.has(id)) {
	if (all) all.count = 0
	isMarked ? setMark(customer(id)) : list.marks.delete(id)
	showMarks()
}
export function markTo(row) {
	if (all) all.count = 0
	for (let [i, end] = [row, list.cursorRow].sort((a, b) => a - b); i <= end; i++) setMark(list.rows[i - list.first])
	showMarks()
}
export function markAll(ids, version) {
	for (const id of ids) list.marks.set(id, {id, ...list.marks.get(id)}), setMark(customer(id))
	all = {count: ids.length, text: list.view.text, version}
	showMarks()
}
export function unmark() {
	list.marks.clear()
	all = null
	showMarks()
}
function showMarks() {
	const {size} = list.marks
	retire($('marks'), 'hidden', !size)
	$('marks').firstElementChild.textContent = `${number(size)} marked`
	redraw()
}

// ---- Deleting: one action shows the button, another one deletes

export function askDelete(id, how = 'Press Delete again') {
	const c = customer(id)
	if (!c || list.read_only) return
	if (c.can_edit === false) return say(`${title(c)} is protected against editing and deleting.`, true)
	list.asked = id
	say(`Delete ${naming(subject(id))}? ${how}; anything else cancels.`)
	redraw()
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
export function remove(ids = subject(list.asked)) {
	closeDelete()
	return perform(async () => {
		const {status} = await send({delete: {ids}}, `Delete ${naming(ids)}`, {action: undoing, seen: all?.version ?? list.version})
		// Whoever deletes again has read what was changed.
		all = null
		if (status === 200) for (const id of ids) list.marks.delete(id)
		showMarks()
	})
}
export async function removeMarked() {
	const ids = [...list.marks.keys()]
	if (await question(`Delete ${customers(ids.length)}?`, 'Delete')) remove(ids)
}

// ---- Undo and redo, of any program's step

export const undoing = ['Undo', () => reverse('undo')]
export const reverse = which => perform(async () => {
	await load()
	const verb = which === 'undo' ? 'Undo' : 'Redo'
	for (let step = list[which], answer; ; step = answer.next) {
		if (!step) return say(`Nothing to ${which}.`)
		if (!isOwn(step)) {
			const text = `${step.by || 'Another program'}, ${new Date(step.time).toLocaleString()}:\n${step.text}\n\n${verb} it?`
			if (!(await question(text, verb))) return say('Nothing was changed.')
		}
		answer = await send({step: step.step, time: step.time}, verb, {path: `/v1/${which}`, quiet: ['conflict']})
		// If another program was faster, its step is asked for in turn.
		if (answer.reason !== 'other_step') return answer.kind === 'conflict' && say(answer.message, true)
	}
})
