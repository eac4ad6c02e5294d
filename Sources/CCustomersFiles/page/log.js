// Who is due today, and what was said to them: a line, the next date, and on to the next one.
import {askHeld, holdKeys} from './ahead.js'
import {ask, draftOf, findDraft, keepDraft, written} from './connection.js'
import {cover} from './cover.js'
import {perform, send} from './edit.js'
import {fieldsOf, formPath, refresh} from './fields.js'
import {form, openForm, showLog} from './form.js'
import {list, load, rowOf, showView, total} from './list.js'
import {$, focusList, mayLeave, number, on, say, setText, title} from './words.js'

const logBox = $('log'), line = $('line'), when = $('when')
// The day of this browser, as the server writes it.
export const today = () => new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10)

// ---- Who is due

const setDue = due => showView({due, ...due && {text: '', sort: undefined}})
export async function toggleToday() {
	const due = list.view.due ? undefined : today()
	await setDue(due)
	focusList()
	say(due ? 'Customers whose next date has come, and those with neither a date nor a log.' : '', false, due && ['Show all', toggleToday])
}
// Counted with the rows; a list in which many edits are made is counted once in a while.
let countedAt = 0, counting
const isCounted = () => list.counted === list.version?.edit || total() > 1e5
list.dayToCount = () => {
	if (list.view.due || (list.version && isCounted()) || Date.now() - countedAt < 1000) return
	countedAt = Date.now()
	return today()
}
export function showDue() {
	const {view, version, count, due} = list, button = $('today')
	button.ariaPressed = `${!!view.due}`
	setText(button.lastElementChild, view.due ? number(count) : due === null ? '' : number(due))
	clearTimeout(counting)
	if (version && !view.due && !isCounted()) counting = setTimeout(load, 1000 - (Date.now() - countedAt))
}

// ---- What was said

let of = null
// The rows after one, then those before it: the cursor goes to the first that is there.
function rowsAfter(id) {
	const row = list.rows.findIndex(c => c.id === id)
	return row < 0 ? null : [...list.rows.slice(row + 1), ...list.rows.slice(0, row)].map(c => c.id)
}
// What is typed stays until it is saved or discarded, as that of a form.
const draftName = id => `log${id}`
const keepLine = () => keepDraft(draftName(of.id), line.value.trim() ? {title: of.name, seen: written(list.version), to: {text: line.value, next: when.value}} : null)
const sayLineKept = ({id, name}) => say(`Not saved: what was said by ${title({id, name})}.`, false, ['Continue', () => openLog(id)])
// A draft that a window has left, by its name.
export function offerLog(name) {
	const id = +/^log(\d+)$/.exec(name)?.[1]
	if (id) sayLineKept({id, name: draftOf(name)?.title})
}
export const openLog = id => holdKeys(bringLog(id))
async function bringLog(id) {
	if (list.read_only) return say('This list is read-only.', true)
	const page = await askHeld(formPath(id))
	if (page?.status === 404) keepDraft(draftName(id))
	if (page?.status !== 200) return
	if (!page.can_edit) return say(`${title({id, name: page.title})} is protected against editing and deleting.`, true)
	await findDraft(draftName(id))
	let {seen, to = {}} = draftOf(draftName(id)) ?? {}
	// Of a list that was restored since: the id may be another customer's now.
	if (seen && (await ask(`/v1/rows?limit=1&seen=${seen}`))?.other_list) to = {}
	of = {id, name: page.title, others: rowsAfter(id) ?? []}
	setText($('called'), page.title)
	const [phone, next] = ['phone', 'next'].map(name => fieldsOf(page).find(f => f.name === name)?.value)
	$('call').hidden = !phone
	if (phone) setText($('call'), phone), $('call').href = `tel:${phone.replace(/[^+\d]/g, '')}`
	$('said').replaceChildren(showLog(page.log, next))
	setText($('wrong'), '')
	line.value = to.text ?? ''
	when.value = to.next ?? ''
	if (!logBox.open) cover(), logBox.showModal()
	line.focus()
	return true
}
// Without a date it stays; an empty one clears it.
async function log(next) {
	const sent = of, {id, name} = sent, text = line.value.trim(), {due} = list.view
	if (sent.isSaving) return
	if (!text) return setText($('wrong'), 'Write what was said.'), line.focus()
	// It may have left those who are due since the line was opened.
	const others = rowsAfter(id) ?? of.others
	sent.isSaving = true
	await perform(async () => {
		const {status, message} = await send({log: {ids: [id], text, next, today: today()}}, `Log a line for ${title({id, name})}`, {saved: draftName(id), quiet: ['invalid', 'bad_request', 'refused']})
		if (status !== 200) return logBox.open ? setText($('wrong'), message ?? 'Not saved: still saving the last edit.') : sayLineKept(sent)
		keepDraft(draftName(id))
		refresh()
		await load()
		if (of !== sent || !logBox.open) return
		const goal = due && (others.find(other => rowOf(other) >= 0) ?? list.rows.find(c => c.id !== id)?.id)
		if (!goal) return shutLog()
		Object.assign(list, {cursor: goal, cursorRow: rowOf(goal)})
		list.draw()
		await openLog(goal)
	})
	sent.isSaving = false
}
function shutLog() {
	logBox.close()
	if (!form) focusList()
}
for (const b of logBox.querySelectorAll('[data-next]')) b.onclick = () => log(b.dataset.next)
$('keep').onclick = () => log(when.value.trim() || undefined)
// What was typed is not left by accident.
async function leaveLog() {
	if (!await mayLeave(!of.isSaving && line.value.trim())) return line.focus()
	if (!of.isSaving) keepDraft(draftName(of.id))
	shutLog()
	return true
}
$('closeLog').onclick = leaveLog
$('details').onclick = async () => await leaveLog() && openForm(of.id)
on(logBox, 'cancel', event => (event.preventDefault(), leaveLog()))
$('today').onclick = toggleToday
on(logBox, 'keydown', event => {
	if (event.isComposing || event.key !== 'Enter' || !event.target.matches('input')) return
	if (event.target === line) when.focus()
	else $('keep').click()
	event.preventDefault()
})
on(logBox, 'input', keepLine)
on(logBox, 'close', () => {
	list.draw()
	// Back closes it, too.
	if (!of.isSaving && draftOf(draftName(of.id))) sayLineKept(of)
})
