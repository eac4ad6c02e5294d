// The form: what was typed, over what the list had. The rules are those of FormState in Swift.
import {ask, bytes, memory} from './connection.js'
import {chips, point, rows} from './contacts.js'
import {perform, remove, send} from './edit.js'
import {list} from './list.js'
import {subject} from './marks.js'
import {$, el, focusList, on, question, say, setText} from './words.js'

const sheet = $('form'), fields = $('fields')
// `lines` has what is shown of each field by its name; `base` is what the list had.
export let form = null
// Going back takes time: the next form may be open by then.
let isLeaving = false
const draftKey = () => `draft ${form.id}`
const setMessage = (text = '') => setText($('message'), text)

const formPath = id => `/v1/form${id ? `?id=${id}` : ''}`
// A new customer comes to a place, or to the end of a section.
export async function openForm(id, section = list.sections.at(-1)?.id, to) {
	if (form || (!id && list.read_only)) return
	const page = await ask(formPath(id))
	if (!page || form || list.hand) return
	const {status, title, sections, can_edit, has_photo} = page
	if (status !== 200) return say(status === 404 ? 'This customer was deleted.' : page.message, true)
	const isFixed = list.read_only || !can_edit
	form = {id, section: page.section ?? section, to, lines: {}, isFixed}
	setText($('title'), title || 'New customer')
	fields.replaceChildren(...sections.map(part => {
		const set = el('fieldset')
		if (part.caption) set.append(el('legend', '', part.caption))
		set.append(...part.fields.map(makeLine))
		return set
	}))
	fields.append(showLog(page))
	$('talk').hidden = $('remove').hidden = !id || isFixed
	$('past').hidden = !id
	if (has_photo) showPhoto(form)
	$('save').hidden = isFixed
	setMessage(isFixed ? 'This customer is read-only.' : '')
	const draft = memory.get(draftKey())
	if (draft) {
		for (const [name, line] of Object.entries(form.lines)) if (name in draft.to) fill(line, draft.to[name]), line.base = draft.from[name]
		setMessage('What you had typed is still here. Cancel discards it.')
		if (id) followForm(page)
	}
	list.opened = id
	history.pushState(form.at = Date.now(), '')
	sheet.showModal()
	lines()[0]?.input.focus()
}
// The next date and the log, the latest line first.
export const showLog = ({next, log = []}) => {
	const lines = [...next ? [`Next date: ${next}`] : [],
		...log.map(({time, author, text}) => `${[new Date(time).toLocaleString(), author].filter(Boolean).join(' ')}: ${text}`)]
	const all = el('ul', 'log', '', {'aria-label': 'Log'})
	all.append(...lines.map(text => el('li', '', text)))
	all.hidden = !lines.length
	return all
}
async function showPhoto(of) {
	const photo = await bytes(`/v1/rows/${of.id}/photo`)
	if (photo && form === of) fields.prepend(el('img', '', '', {alt: 'Photo', src: URL.createObjectURL(photo)}))
}
function makeLine({name, label, placeholder, kind, value: base, choices}) {
	const isMark = kind === 'mark', id = `field-${lines().length}`, about = id + '-problem', group = {tags: chips, contacts: rows}[kind]
	const isLong = !group && (kind === 'lines' || /\n/.test(base))
	let input = el(choices ? 'select' : isLong ? 'textarea' : 'input', '', '', {name, id, 'aria-describedby': about})
	if (choices) for (const value of new Set(['', ...choices, base])) input.add(new Option(value))
	else if (!isLong && !group) {
		input.type = {mark: 'checkbox', number: '', phone: 'tel', time: 'datetime-local'}[kind] ?? kind
		input.value = base
		// What the browser can't show as such is text.
		if (!isMark && input.value !== base) input.type = ''
	}
	// What the browser knows of its user is not what the customer has.
	Object.assign(input, {placeholder, autocomplete: 'off', dir: 'auto', enterKeyHint: 'next', inputMode: {number: 'decimal'}[kind] ?? '', disabled: form.isFixed})
	if (group) input = group(input, name, label)
	const element = el('div', 'field'), problem = el('p', 'bad', '', {id: about}), to = el('a')
	element.append(el('label', '', label, {for: id}), input, to, problem)
	fill(form.lines[name] = {input, problem, base, to, kind, value: isMark ? 'checked' : 'value'}, base)
	return element
}
// Some inputs change a value that they are given: it remains what it was until something is typed.
function fill(line, given) {
	const {input, value} = line
	input[value] = given
	if (input.rows) input.rows = given.split('\n').length + 1
	Object.assign(line, {given, taken: input[value]})
	point(line.to, line.kind, given)
}
const get = ({input, value, given, taken}) => input[value] === taken ? given : input[value]
const each = value => Object.fromEntries(Object.entries(form.lines).map(([name, line]) => [name, value(line)]))
const lines = () => Object.values(form.lines)
const isChanged = () => lines().some(line => get(line) !== line.base)
const keepDraft = () => memory.set(draftKey(),
	isChanged() ? {from: each(line => line.base), to: each(get), section: form.section} : null)

// Others have changed the customer; without sections it was deleted.
function followForm({sections, next, log}) {
	if (sections) fields.querySelector('.log')?.replaceWith(showLog({next, log}))
	const now = sections && Object.fromEntries(sections.flatMap(s => s.fields).map(({name, value}) => [name, value]))
	if (!now || form.isGone) setMessage(now ? '' : 'Another program deleted the customer; saving adds it again.')
	form.isGone = !now
	for (const name in now && form.lines) {
		const line = form.lines[name], {base} = line, mine = get(line), value = now[name] ?? base
		const isConflict = value !== base && mine !== base && mine !== value
		if (!isConflict) {
			if (mine !== value && mine === base) fill(line, value)
			line.base = value
		}
		setTheirs(line, isConflict ? value : undefined)
	}
}
function setTheirs(line, theirs) {
	if (line.theirs === theirs) return
	Object.assign(line, {theirs, mayOverwrite: false})
	if (theirs === undefined) return setProblem(line)
	const take = el('button', '', 'Take it')
	take.onclick = () => {
		fill(line, line.base = theirs)
		setTheirs(line)
		keepDraft()
	}
	setProblem(line, `Now in the list: ${theirs === true ? 'yes' : theirs || 'nothing'} `)
	line.problem.append(take)
}
function setProblem({problem, input}, text = '') {
	setText(problem, text)
	input.ariaInvalid = !!text
}
export async function refresh() {
	const of = form, page = of?.id && await ask(formPath(of.id))
	if (form === of && [200, 404].includes(page?.status)) followForm(page)
}
// The list is another one: the id may be another customer's now.
export function detach() {
	if (!form?.id) return
	form.id = null
	setMessage('The list was restored or replaced; saving adds this customer to it.')
}

// Extra columns are members of one; none of their names means something else in it.
function nest(values) {
	const fields = {extra: Object.create(null)}
	for (const name in values) name.startsWith('extra.') ? fields.extra[name.slice(6)] = values[name] : fields[name] = values[name]
	return fields
}
async function save() {
	const of = form, {id, section, to: where, isGone, isFixed, isSaving} = of, key = draftKey()
	if (isFixed || isSaving || refuseConflict()) return
	// Only a field that was shown with the other value gets it as its base.
	for (const line of lines()) line.base = line.theirs ?? line.base
	const isNew = !id || isGone
	if (!isNew && !isChanged()) return shutForm(true)
	const from = each(line => line.base), to = each(get)
	of.isSaving = true
	setMessage('Saving…')
	const {status, kind, message, fields: wrong} = await perform(() => send(
		isNew ? {insert: {customers: [nest(to)], ...where ? {to: where} : {section, to: 'last'}}} : {save: {id, from: nest(from), to: nest(to)}},
		isNew ? 'Add a customer' : 'Change a customer', {quiet: ['conflict', 'invalid', 'not_found', 'refused']})) ?? {}
	of.isSaving = false
	if (form !== of) return status === 200 ? memory.set(key, null) : say('What you typed was not saved; it is kept.', true)
	if (status === 200) return shutForm(true)
	setMessage(message ?? 'Not saved: another edit waits for its answer.')
	if (kind === 'conflict' && !isNew) await refresh(), refuseConflict()
	else for (const name in wrong) {
		const line = form.lines[name]
		if (line) setProblem(line, wrong[name]), line.input.focus()
	}
}
// Stops a save that would overwrite another program's change; the next one may.
function refuseConflict() {
	const all = lines().filter(line => line.theirs !== undefined && !line.mayOverwrite)
	for (const line of all) line.mayOverwrite = true
	if (!all[0]) return false
	setMessage('Not saved: another program changed the same field. Save again to keep your value.')
	all[0].input.focus()
	return true
}
function shutForm(forgets) {
	if (forgets) memory.set(draftKey(), null)
	const {at} = form
	form = list.opened = null
	sheet.close()
	if (history.state === at) isLeaving = true, history.back()
	focusList()
	sheet.dispatchEvent(new Event('shut'))
}
async function cancel() {
	// What is on its way can't be discarded.
	if (form.isSaving) return shutForm(), say('What you typed is still being saved.')
	if ((!isChanged() || await question('Discard what you typed?', 'Discard')) && form) shutForm(true)
}
export function offerDraft() {
	const draft = memory.get('draft null')
	if (draft) say('A new customer was not saved.', false, ['Go on', () => openForm(null, draft.section)])
}

on(fields, 'input', ({target}) => {
	const line = form.lines[target.name]
	if (line.theirs === undefined) setProblem(line)
	point(line.to, line.kind, target.value)
	keepDraft()
})
on(sheet, 'keydown', event => {
	const {key, target, ctrlKey, metaKey, shiftKey, isComposing} = event
	if (isComposing) return
	if (key === 'Escape') cancel()
	else if ((ctrlKey || metaKey) && (key === 's' || key === 'Enter')) save()
	// As in the table, Enter goes on; with Shift, it breaks the line.
	else if (key === 'Enter' && !shiftKey && target.matches('input, textarea')) {
		// A button would take the next Enter for itself.
		const inputs = lines().map(line => line.input).filter(input => !input.matches('.contacts'))
		inputs[(inputs.findIndex(input => input.contains(target)) + 1) % inputs.length].focus()
	} else return
	event.preventDefault()
})
on(sheet, 'cancel', event => (event.preventDefault(), cancel()))
$('save').onclick = save
$('cancel').onclick = cancel
$('remove').onclick = async () => {
	const {id} = form
	if (await question(`Delete ${$('title').textContent}?`, 'Delete')) shutForm(true), remove(subject(id, true))
}
on(self, 'popstate', () => {
	if (!isLeaving && form && history.state !== form.at) shutForm()
	isLeaving = false
})
