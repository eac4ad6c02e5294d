// The form: all fields of a customer, or of a new one.
import {pushAddress, readAddress, replaceAddress} from './address.js'
import {askHeld, holdKeys} from './ahead.js'
import {ask, draftOf, findDraft, keepDraft, memory, written} from './connection.js'
import {leaveEntry} from './cover.js'
import {cancelDelete, remove} from './edit.js'
import {Draft, fill, formPath, get} from './fields.js'
import {customer, list} from './list.js'
import {subject} from './marks.js'
import {item, sectionName, showMenu} from './menu.js'
import {setPhoto, takePhoto} from './photo.js'
import {showPhoto} from './photos.js'
import {tellOthers} from './presence.js'
import {$, el, focusList, isTouched, mayLeave, on, question, say, setText} from './words.js'

const sheet = $('form'), fields = $('fields')
export let form = null
// Going back takes time: the next form may be open by then.
export let isLeaving = false
let asked = 0
const nameOfForm = () => form && (form.id ?? 'new')
const setMessage = (text = '') => setText($('message'), text)

class Form extends Draft {
	section
	/** @type {object | undefined} */
	to
	title = ''
	changed() {
		const {id, isChanged, title, section, to: place} = this
		setText($('cancel'), isChanged ? 'Cancel' : 'Close')
		list.isTyped = isChanged
		tellOthers()
		keepDraft(id, isChanged ? {title, seen: list.version && written(list.version), from: this.values(line => line.base), to: this.values(get), section, place} : null)
	}
	tell(text) {setMessage(text)}
	follow(page) {
		const {sections, log, photo} = page
		if (sections) fields.querySelector('.log')?.replaceWith(showLog(log)), showPhotoOf(this, photo)
		if (!sections || this.isGone) setMessage(sections ? '' : 'The customer was deleted; saving adds it as a new one, without its log.')
		super.follow(page)
	}
}
// A new customer comes to a place, or to the end of a section.
/** @param {number | null} id @param {number} [section] @param {object} [to] */
export const openForm = (id, section, to) => holdKeys(bringForm(id, section, to))
async function bringForm(id, section = list.sections.at(-1)?.id, to) {
	if (!id && list.read_only) return
	if (form && form.id === id) return form.all[0]?.input.focus(), form
	const mine = ++asked
	await findDraft(id)
	const draft = id && draftOf(id)
	// Of a list that was restored or replaced since: the id may be another customer's now.
	if (draft?.seen && (await askHeld(`/v1/rows?limit=1&seen=${draft.seen}`))?.other_list) keepDraft(id), keepDraft(id = null, draft)
	const page = await askHeld(formPath(id))
	if (!page || mine !== asked || list.hand) return
	if (page.status === 404) keepDraft(id)
	if (page.status !== 200) return
	return showForm(page, {id, section, to})
}
/** @param {object} page @param {{id: number, section?: number, to?: object}} at */
export function showForm(page, {id, section, to}, typed) {
	const {title, sections, can_edit, photo} = page, isFixed = list.read_only || !can_edit, old = form
	old?.end()
	if (list.asked !== null) cancelDelete()
	form = Object.assign(new Form(id, isFixed), {section: page.section ?? section, to, title})
	setText($('title'), title || 'New customer')
	fields.replaceChildren(...sections.map(part => {
		const set = el('fieldset')
		if (part.caption) set.append(el('legend', '', part.caption))
		set.append(...part.fields.map(field => form.add(field).element))
		return set
	}))
	// A key that adds sees neither the sections nor the other rows.
	if (!id && list.key !== 'add') fields.prepend(showPlace(form))
	const draft = draftOf(id)
	// The list may have lost a column since something was typed into it.
	for (const name in draft?.to) if (!(name in form.lines) && draft.to[name] !== draft.from[name]) {
		fields.append(form.add({name, label: name.replace(/^extra\./, ''), placeholder: '', kind: 'text', value: draft.from[name], choices: undefined}).element)
	}
	fields.append(showLog(page.log))
	showPhotoOf(form, photo)
	$('talk').hidden = $('remove').hidden = !id || isFixed
	$('choices').hidden = $('before').hidden = $('after').hidden = !id
	setText($('cancel'), 'Close')
	$('save').hidden = isFixed
	setMessage(!isFixed ? '' : list.read_only || list.key ? 'This customer is read-only.' : 'This customer is protected.')
	for (const line of form.all) {
		const {name} = line
		if (draft && name in draft.to) fill(line, draft.to[name]), line.base = draft.from[name]
		if (typed && name in typed) fill(line, typed[name])
	}
	if (draft) {
		setMessage('What you had typed is still here. Cancel discards it.')
		form.follow(page)
		if (isOffered(id)) say('')
	}
	if (draft || typed) form.changed()
	if (old?.isChanged && old.id !== id) sayKept(old)
	Object.assign(list, {opened: id, isTyped: form.isChanged})
	// Another one in its place is no step of Back.
	form.at = old ? old.at : readAddress().id === nameOfForm() ? history.state?.at : Date.now()
	if (old) replaceAddress(nameOfForm(), form.at)
	else if (readAddress().id !== nameOfForm()) pushAddress(nameOfForm(), form.at)
	if (!old) innerWidth > 900 ? sheet.show() : sheet.showModal()
	list.draw()
	// Of fields that are disabled, none has the focus, and keys scroll what has it.
	// On a phone, a field would bring up the keyboard over what is to be read.
	const isRead = isFixed || (!!id && !typed && !draft && isTouched())
	$('scroll').tabIndex = isRead ? 0 : -1
	;(isRead ? $('scroll') : form.all[0]?.input)?.focus()
	return form
}
// What is typed into a form that is left stays until someone comes back to it.
let offered
const isOffered = (id = offered) => $('act').textContent === 'Continue' && !$('act').hidden && id === offered
function sayKept({id, title, section, to}) {
	offered = id
	say(`Not saved: what you typed about ${title ? `"${title}"` : 'a new customer'}.`, false, ['Continue', () => openForm(id, section, to)])
}
// Where a new customer goes; the end may be that of another section.
function showPlace(of) {
	const {to} = of, [[way, id]] = Object.entries(to ?? {'': null})
	if (to) return el('p', 'where', `${way === 'before' ? 'Above' : 'Below'} ${customer(id)?.name || `@${id}`}`)
	const text = () => `At the end of ${sectionName(Math.max(0, list.sections.findIndex(s => s.id === of.section)))}`
	if (!list.sections[1] || list.sections.length > 20) return el('p', 'where', text())
	const place = el('button', 'where', text(), {type: 'button', 'aria-haspopup': 'menu'})
	place.onclick = () => showMenu('Section', place, list.sections.map(({id}, i) => item(sectionName(i), () => {
		of.section = id
		setText(place, text())
		of.all[0].input.focus()
	})))
	return place
}
// Another one has changed what may be done with it.
export async function showAgain() {
	const {id} = form ?? {}, page = id && await ask(formPath(id))
	if (page?.status === 200 && form?.id === id) showForm(page, {id})
}
// The log, the latest line first; in its own dialog, below the next date.
export const showLog = (log = [], next = '') => {
	const lines = [...next ? [`Next date: ${next}`] : [],
		...log.map(({time, author, text}) => `${[new Date(time).toLocaleString(), author].filter(Boolean).join(' ')}: ${text}`)]
	const all = el('ul', 'log', '', {'aria-label': 'Log'})
	all.append(...lines.map(text => el('li', '', text)))
	all.hidden = !lines.length
	return all
}
// A part of the list has photos that are seen, but not changed.
function showPhotoOf({id, isFixed}, photo) {
	$('choosePhoto').hidden = $('takePhoto').hidden = !id || isFixed || !!list.key
	$('photo').hidden = !photo
	showPhoto($('photo').querySelector('img'), id, photo)
}
$('takePhoto').onclick = () => takePhoto(form.id)
$('choosePhoto').onclick = () => $('picture').click()
$('picture').onchange = () => {
	setPhoto(form.id, $('picture').files[0])
	$('picture').value = ''
}
// The list is another one: the id may be another customer's now.
export function detach() {
	if (!form?.id) return
	keepDraft(form.id)
	form.id = list.opened = null
	form.changed()
	replaceAddress(nameOfForm(), form.at)
	setMessage('The list was restored or replaced; saving adds this customer to it.')
}
export const save = () => holdKeys(saveForm())
// Whether what is typed next is for what comes after the form, or goes on in it.
async function saveForm() {
	const of = form, {id, section, to: where, isGone, isFixed, isSaving} = of, isNew = !id || isGone
	if (isFixed || isSaving) return true
	of.isSaving = true
	const [first, last, company] = ['first_name', 'last_name', 'company'].map(name => of.lines[name] ? get(of.lines[name]) : '')
	const name = [first, last].filter(Boolean).join(' ') || company
	of.done = list.key === 'add' ? `Added "${name}".` : ''
	const answer = await of.save(of.all, isNew ? 'Add a customer' : 'Change a customer', (from, to) =>
		isNew ? {insert: {customers: [to], ...where ? {to: where} : {section, to: 'last'}}} : {save: {id, from, to}})
	of.isSaving = false
	const isDone = !answer || answer.status === 200
	if (answer?.status === 200 && of.done) list.added.push(name)
	if (form !== of) isDone ? keepDraft(id) : say('Not saved; your entries are kept.', true)
	else if (isDone) shutForm(true)
	else if (isNew && (answer.reason === 'deleted' || answer.kind === 'not_found')) atTheEnd(of)
	return isDone
}
// The neighbor or the section of a new customer is gone.
function atTheEnd(of) {
	of.to = undefined
	if (!list.sections.some(({id}) => id === of.section)) of.section = list.sections.at(-1)?.id
	const place = showPlace(of)
	fields.querySelector('.where')?.replaceWith(place)
	setMessage(`Not saved: the place is gone. Saving adds it ${place.textContent.replace('At', 'at')}.`)
	of.changed()
}
function shutForm(forgets) {
	if (forgets) keepDraft(form.id)
	const {at, isChanged} = form, old = form, isNamed = readAddress().id === nameOfForm()
	form.end()
	form = list.opened = null
	list.isTyped = false
	sheet.close()
	if (isNamed && at && history.state?.at === at) isLeaving = true, leaveEntry()
	else if (isNamed) replaceAddress()
	list.draw()
	focusList()
	sheet.dispatchEvent(new Event('shut'))
	if (isChanged && !forgets && !old.isSaving) sayKept(old)
}
export async function cancel() {
	// What is on its way can't be discarded.
	if (form.isSaving) return shutForm(), say('What you typed is still being saved.')
	// What is typed next is for the form, wherever the focus was.
	if (!await mayLeave(form.isChanged)) return sheet.contains(document.activeElement) || form?.all[0].input.focus()
	if (form) shutForm(true), isOffered() || say('')
}
// A new customer, as far as one was typed.
async function openNew() {
	await findDraft(null)
	const {section, place} = draftOf(null) ?? {}
	return openForm(null, section, place)
}
export async function offerDraft() {
	const found = await findDraft(), id = +found || null, {title, section, place: to} = draftOf(id) ?? {}
	if (/^log/.test(found)) return found
	if (found && !form) sayKept({id, title: title || (id && `@${id}`), section, to})
}

on(sheet, 'keydown', event => {
	const {key, target, ctrlKey, metaKey, shiftKey, isComposing} = event
	if (isComposing) return
	if (key === 'Escape') cancel()
	else if ((ctrlKey || metaKey) && (key === 's' || key === 'Enter')) save()
	// As in the table, Enter goes on; with Shift, it breaks the line.
	else if (key === 'Enter' && !shiftKey && target.matches('input, textarea')) {
		// A button would take the next Enter for itself.
		const inputs = form.all.map(line => line.input).filter(input => !input.matches('.contacts'))
		inputs[(inputs.findIndex(input => input.contains(target)) + 1) % inputs.length].focus()
	}
	// Of a form that is only read, all is its own text.
	else if ((ctrlKey || metaKey) && key === 'a' && !target.matches('input, textarea')) getSelection().selectAllChildren($('scroll'))
	else return
	event.preventDefault()
})
on(sheet, 'cancel', event => (event.preventDefault(), cancel()))
$('save').onclick = save
$('cancel').onclick = cancel
$('remove').onclick = async () => {
	const {id} = form
	if (await question(`Delete ${$('title').textContent}?`, 'Delete')) shutForm(true), remove(subject(id, true))
}
// What was saved without an answer is not to be typed again, nor is its form to be opened that is still on its way.
memory.forget = id => {
	if (id || form?.id) return
	if (form) return shutForm(true)
	asked++
	if (readAddress().id === 'new') replaceAddress()
}
// Back and Forward, and an address that is typed, open and close what it names.
export async function followAddress(isStart = false) {
	const {id} = readAddress()
	if (isLeaving) {
		isLeaving = false
		// The next form may have taken the entry that covered this one.
		return form && !history.state?.at ? pushAddress(nameOfForm(), form.at) : replaceAddress(nameOfForm(), form?.at)
	}
	// What was to be opened before is not wanted anymore. While the page starts, someone may have opened something already.
	if (!isStart) asked++
	if (id === nameOfForm()) return
	if (!id) return shutForm()
	if (id === 'new') await openNew()
	else await openForm(+id)
	if (nameOfForm() !== id) replaceAddress(nameOfForm())
}
