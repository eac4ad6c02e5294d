// Fields in their cells: F2 or a double click edits one; Enter, Tab, or a click elsewhere saves it, and Esc restores it.
import {columns} from './columns.js'
import {ask} from './connection.js'
import {Draft, fieldsOf, formPath, get, setProblem} from './fields.js'
import {openForm, showForm} from './form.js'
import {customer, list, reveal, space} from './list.js'
import {focusList, isWide, on, say, title} from './words.js'

// The row in edit, and the field that was edited last, where the next row begins.
let row = null, lastField = 'first_name'

class Row extends Draft {
	constructor(c, page) {
		super(c.id)
		this.c = c
		this.page = page
	}
	// From left to right.
	get fields() {
		const all = new Map(fieldsOf(this.page).map(field => [field.name, field]))
		return ['first_name', 'last_name', ...columns.map(c => c.name)].map(name => all.get(name)).filter(field => field && field.kind !== 'contacts')
	}
	field(name) {return this.fields.find(field => field.name === name)}
	tell(text, line) {
		if (!line) return
		// What the list has now stays beside it.
		if (line.theirs === undefined) setProblem(line, text)
		say(text, true)
	}
	// Shows a field in its cell, or the first one if there is none.
	open(name) {
		const field = this.field(name) ?? this.fields[0]
		const line = this.lines[field.name] ?? this.add(field, `${field.label} of ${title(this.c)}`)
		lastField = field.name
		line.input.enterKeyHint = 'done'
		list.draw()
		line.input.focus()
		line.input.select?.()
	}
	// One after another: each field is a step.
	async leave(line) {
		if (line.isLeaving) return
		line.isLeaving = true
		const mine = get(line), answer = await this.save([line], `Change ${title(this.c)}`, (from, to) => ({save: {id: this.id, from, to}}))
		line.isLeaving = false
		if (answer?.status === 404) return this.follow({})
		if (answer && answer.status !== 200) return
		this.field(line.name).value = line.base = mine
		// It may be in edit again.
		if (get(line) === mine && !line.element.contains(document.activeElement)) this.close(line)
	}
	close(line) {
		delete this.lines[line.name]
		line.element.remove()
		if (!this.all.length) this.end()
		list.draw()
	}
	end() {
		super.end()
		if (row === this) row = list.edited = null
	}
	// The field beside one; beyond the last one there is none.
	go(line, by) {
		const {fields} = this, next = fields[fields.findIndex(field => field.name === line.name) + by]
		if (next) this.open(next.name)
		else focusList()
	}
	// If the customer was deleted, the form adds it again, with what was typed.
	follow(page) {
		super.follow(page)
		if (page.sections) this.page = page
		if (!this.isGone) return
		const {id, isChanged, all} = this, typed = this.values(get)
		for (const line of all) this.close(line)
		if (!isChanged) return focusList()
		showForm(this.page, {id}, typed).follow({})
	}
}
// Saves what is in edit; whether that could be done.
async function saveAll() {
	if (row) await Promise.all(row.all.map(line => row.leave(line)))
	return !row
}
export async function editCell(id, name = lastField) {
	const c = customer(id)
	if (!c || list.hand) return
	if (list.read_only) return say('This list is read-only.', true)
	if (c.can_edit === false) return say(`${title(c)} is protected against editing and deleting.`, true)
	if (!isWide()) return openForm(id)
	if (row?.id !== id) {
		if (!await saveAll()) return row.all[0].input.focus()
		const page = await ask(formPath(id))
		if (!page || row || list.hand) return
		if (page.status !== 200) return say(page.status === 404 ? 'This customer was deleted.' : page.message, true)
		row = list.edited = new Row(c, page)
		reveal(list.cursorRow)
	}
	row.open(name)
}
// The list is another one: what was typed goes into the form.
export const leaveCells = () => row?.follow({})

const lineOf = target => row?.all.find(({element}) => element.contains(target))
on(space, 'keydown', event => {
	const {key, shiftKey, ctrlKey, metaKey, isComposing} = event, line = lineOf(event.target)
	if (!line || isComposing) return
	if (key === 'Escape') row.close(line), focusList()
	else if (key === 'Tab') row.go(line, shiftKey ? -1 : 1)
	else if ((key === 'Enter' && !shiftKey) || ((ctrlKey || metaKey) && key === 's')) focusList()
	else return
	event.preventDefault()
})
// What moves the focus saves the field; an element that is drawn again has it back at once.
on(space, 'focusout', ({target}) => {
	const line = lineOf(target)
	if (line) queueMicrotask(() => row && lineOf(target) && !line.element.contains(document.activeElement) && row.leave(line))
})
