// Fields in their cells: F2 or a double click edits one; Enter, Tab, or a click elsewhere saves it, and Esc restores it.
// A name is two fields in one cell, which are edited and saved together.
import {askHeld, holdKeys} from './ahead.js'
import {columns} from './columns.js'
import {rowsOf} from './cells.js'
import {draftOf, keepDraft, written} from './connection.js'
import {perform, send} from './edit.js'
import {Draft, fieldsOf, formPath, get, isChanged, nest, setProblem} from './fields.js'
import {openForm, showForm} from './form.js'
import {askRows, customer, foldedNow, goToCustomer, known, list, load, place, reveal, space} from './list.js'
import {el, focusList, isWide, number, on, question, say, title, unsay} from './words.js'

// The row in edit, and the field that was edited last, where the next row begins.
let row = null, lastField = 'first_name'
const NAME = ['first_name', 'last_name'], hasFocus = lines => lines.some(({element}) => element.contains(document.activeElement))

class Row extends Draft {
	constructor(c, page) {
		super(c.id)
		this.c = c
		this.page = page
	}
	// From left to right.
	get fields() {
		const all = new Map(fieldsOf(this.page).map(field => [field.name, field]))
		return [...NAME, ...columns.map(c => c.name)].map(name => all.get(name)).filter(field => field && field.kind !== 'contacts')
	}
	changed() {this.keep(this.all)}
	// What is typed is kept as that of a form, which shows it.
	keep(lines, isKept = isChanged) {
		const {from = {}, to = {}, ...rest} = draftOf(this.id) ?? {title: this.c.name}
		for (const line of lines) {
			const {name} = line
			if (isKept(line)) from[name] = line.base, to[name] = get(line)
			else delete from[name], delete to[name]
		}
		keepDraft(this.id, Object.keys(to)[0] ? {...rest, seen: written(list.version), from, to} : null)
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
		lastField = (this.field(name) ?? this.fields[0]).name
		for (const field of this.fields) if (!this.lines[field.name] && this.cell(lastField).includes(field.name)) {
			const {element, input} = this.add(field, `${field.label} of ${title(this.c)}`)
			element.dataset.label = field.label
			input.enterKeyHint = 'done'
		}
		list.draw()
		const {input} = this.lines[lastField]
		input.focus()
		input.select?.()
	}
	// The fields in the cell of one.
	cell(name) {return NAME.includes(name) ? NAME : [name]}
	beside(line) {return this.cell(line.name).map(name => this.lines[name]).filter(Boolean)}
	// One after another: each cell is a step.
	leave(line, isMeant = false) {
		const lines = this.beside(line), [first] = lines
		return first.left ??= this.saveCell(lines, isMeant).finally(() => {first.left = undefined})
	}
	async saveCell(lines, isMeant) {
		if (lines[0].isGone) return this.loseCell(lines[0])
		const mine = lines.map(get), answer = await this.save(lines, `Change ${title(this.c)}`, (from, to) => ({save: {id: this.id, from, to}}), isMeant)
		if (answer?.status === 404) return this.follow({})
		if (answer && answer.status !== 200) return
		lines.forEach((line, i) => {
			const field = this.field(line.name)
			line.base = mine[i]
			if (field) field.value = mine[i]
		})
		// It may be in edit again.
		if (lines.every((line, i) => get(line) === mine[i]) && !hasFocus(lines)) this.close(lines[0])
	}
	// The form has what was typed, beside what there is now.
	loseCell(line) {
		const {id} = this, isTyped = isChanged(line)
		this.close(line, isChanged)
		say('Not saved: the list no longer has this column.', true, isTyped && ['Continue', () => openForm(id)])
	}
	close(line, isKept = () => false) {
		this.keep(this.beside(line), isKept)
		for (const {name, element} of this.beside(line)) delete this.lines[name], element.remove()
		if (!this.all.length) this.end()
		list.draw()
	}
	end() {
		super.end()
		if (row === this) row = list.edited = null
	}
	// The field beside one; beyond the last one, the first one of the next row that can be edited. After the last row, the
	// field stays: what is typed next is not meant for the list.
	go(line, by) {
		const {fields} = this, next = fields[fields.findIndex(field => field.name === line.name) + by]
		if (!next) return holdKeys(this.goOn(line, by))
		this.open(next.name)
		if (!this.beside(line).some(({name}) => name === next.name)) this.leave(line, true)
	}
	async goOn(line, by) {
		const {fields} = this
		for (let at = place(this.id), to; at >= 0; at = to) {
			to = list.layout.rowBelow(list.layout.above(at) + by)
			if (!known(to)) reveal(to), await load()
			const c = known(to)
			if (!c || to === at) break
			if (c.can_edit !== false) return this.goTo(c.id, fields.at(by > 0 ? 0 : -1).name)
		}
		await this.leave(line, true)
		return true
	}
	async goTo(id, name) {
		focusList()
		if (!await saveAll(true)) return this.all[0].input.focus()
		await goToCustomer(id)
		return editCell(id, name)
	}
	// If the customer was deleted, the form adds it again, with what was typed.
	follow(page) {
		super.follow(page)
		if (page.sections) this.page = page
		if (!this.isGone) return
		const {id, isChanged, all} = this, typed = this.values(get), {name} = all.find(line => hasFocus([line])) ?? all[0]
		for (const line of all) this.close(line)
		if (!isChanged) return focusList()
		const shown = showForm(this.page, {id}, typed), {input} = shown.lines[name]
		shown.follow({})
		// What is typed goes on where it was.
		input.focus()
		input.setSelectionRange?.(input.value.length, input.value.length)
	}
}
// Saves what is in edit; whether that could be done.
async function saveAll(isMeant = false) {
	if (row) await Promise.all(row.all.map(line => row.leave(line, isMeant)))
	return !row
}
/** @param {number} id @param {string} [name] */
export const editCell = (id, name) => holdKeys(showCell(id, name))
// Whether there is something to type into.
async function showCell(id, name = lastField) {
	const c = customer(id)
	if (!c || list.hand) return
	if (list.read_only) return say('This list is read-only.', true)
	if (c.can_edit === false) return say(`${title(c)} is protected against editing and deleting.`, true)
	if (!isWide()) return openForm(id)
	if (row?.id !== id) {
		if (!await saveAll()) return row.all[0].input.focus()
		const page = await askHeld(formPath(id))
		if (page?.status !== 200 || row || list.hand) return
		row = list.edited = new Row(c, page)
		// A field with rows of its own, or a column that others have removed, has no cell to type into.
		if (name !== lastField && !row.field(name)) return row.end(), openForm(id)
		reveal(list.cursorRow)
	}
	row.open(name)
	return true
}
// Undo, while something is typed, restores that alone, which is no step yet: whether it did.
export function restoreCells() {
	if (!row || !hasFocus(row.all)) return false
	const {isChanged, all} = row
	for (const line of all) row?.close(line)
	focusList()
	if (isChanged) say('The cell is as it was.')
	return isChanged
}
// The list is another one: what was typed goes into the form.
export const leaveCells = () => row?.follow({})

const lineOf = target => row?.all.find(({element}) => element.contains(target))
on(space, 'keydown', event => {
	const {key, shiftKey, ctrlKey, metaKey, isComposing} = event, line = lineOf(event.target)
	if (!line || isComposing) return
	if (key === 'Escape') row.close(line), focusList(), unsay()
	else if (key === 'Tab') row.go(line, shiftKey ? -1 : 1)
	else if ((key === 'Enter' && !shiftKey) || ((ctrlKey || metaKey) && key === 's')) focusList(), row.leave(line, true)
	else return
	event.preventDefault()
})
// What moves the focus saves the field; an element that is drawn again has it back at once.
on(space, 'focusout', ({target}) => {
	const line = lineOf(target)
	if (line) queueMicrotask(() => row && lineOf(target) && !hasFocus(row.beside(line)) && row.leave(line))
})

// ---- Cells that are pasted into a field go over it, over those to its right, and over those below, once they were shown

const MOST_SHOWN = 50, plural = (n, what) => `${number(n)} ${what}${n === 1 ? '' : 's'}`
async function overwrite({page, fields, c}, from, cells) {
	const first = fields.findIndex(({name}) => name === from), width = Math.max(...cells.map(texts => texts.length)), over = fields.slice(first, first + width)
	if (over.length < width) return say(`${plural(width, 'column')} were copied, and from ${over[0].label} on the list shows ${number(over.length)}.`, true)
	const {layout, cursorRow} = list, limit = Math.min(cells.length, 1000)
	const rows = (await askRows('/v1/rows', {from: layout.above(cursorRow) + 1, limit, folded: foldedNow(), fields: over.map(({name}) => name + '\n').join('')}))?.rows
	if (rows?.[0]?.id !== c.id) return say('The rows have moved since; try again.', true)
	const lines = rows.map((row, i) => ({id: row.id, lines: over.map(({name}, n) => {
		const base = `${row[name] ?? ''}`
		return {name, base, mine: cells[i][n] ?? base}
	})}))
	const changes = lines.map(row => ({...row, lines: row.lines.filter(({base, mine}) => base !== mine)})).filter(row => row.lines[0])
	if (!changes[0]) return say('The cells have these values already.')
	const count = plural(changes.reduce((sum, row) => sum + row.lines.length, 0), 'cell'), rest = cells.length - rows.length
	if (!await question(`Overwrite ${count}?${rest ? `\n\nThe last ${plural(rest, 'row')} are left out.` : ''}`, 'Overwrite', drawCells(over, lines))) return
	const edits = changes.map(({id, lines}) => ({save: {id, from: nest(lines, line => line.base), to: nest(lines, line => line.mine)}}))
	return perform(async () => {
		const {kind} = await send(edits, `Change ${count}`, {typed: true, quiet: ['conflict']})
		if (kind === 'conflict') say('Nothing was changed: others have changed some of the cells. Copy and paste again.', true)
	})
}
function drawCells(over, lines) {
	const sheet = el('div', 'sheet', '', {role: 'region', 'aria-label': 'The cells', tabindex: 0}), table = sheet.appendChild(el('table'))
	const line = (tag, cells) => table.appendChild(el('tr')).append(...cells.map(children => {
		const cell = el(tag)
		cell.append(...children)
		return cell
	}))
	line('th', over.map(({label}) => [label]))
	for (const row of lines.slice(0, MOST_SHOWN)) line('td', row.lines.map(({base, mine}) => base === mine ? [base] : [el('del', '', base), ' ', el('ins', '', mine)]))
	if (lines.length > MOST_SHOWN) sheet.append(el('p', '', `and ${plural(lines.length - MOST_SHOWN, 'row')} more`))
	return sheet
}
on(space, 'paste', event => {
	const line = lineOf(event.target), cells = line ? rowsOf(event.clipboardData) : [], isOne = cells.every(texts => texts.length < 2)
	// Lines of a field with lines are text.
	if (!cells[0] || (isOne && (!cells[1] || event.target.matches('textarea')))) return
	event.preventDefault()
	const {name} = line, of = row
	row.close(line)
	focusList()
	overwrite(of, name, cells)
})
