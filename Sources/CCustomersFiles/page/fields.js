// Fields of a customer in edit: what was typed, over what the list had. The form has all of them, a row those that are
// edited in their cells. The rules are those of FormState in Swift.
import {followChoice} from './columns.js'
import {ask, renameInDrafts} from './connection.js'
import {chips, point, rows} from './contacts.js'
import {perform, send} from './edit.js'
import {el, on, setText} from './words.js'

export const formPath = id => `/v1/form${id ? `?id=${id}` : ''}`
export const fieldsOf = ({sections}) => sections.flatMap(s => s.fields)
export const get = ({input, value, given, taken}) => input[value] === taken ? given : input[value]
// To a browser, a year of two digits is one of the first century.
const isFarOff = ({input: {type, value}}) => /^date/.test(type) && /^(0|\d{5})/.test(value)
export const isChanged = line => get(line) !== line.base
// Those that follow what others do.
const drafts = new Set()
let lines = 0

export class Draft {
	// `lines` has what is shown of each field by its name; `base` is what the list had.
	lines = {}
	// What is said once it is saved, instead of the words of the list.
	done = ''
	constructor(id, isFixed = false) {
		this.id = id
		this.isFixed = isFixed
		drafts.add(this)
	}
	end() {drafts.delete(this)}
	get all() {return Object.values(this.lines)}
	get isChanged() {return this.all.some(isChanged)}
	values(of) {return Object.fromEntries(Object.entries(this.lines).map(([name, line]) => [name, of(line)]))}
	// Something was typed.
	changed() {}
	// Says what came of it.
	tell(text, line) {}
	add({name, label, placeholder, kind, value: base, choices}, title = label) {
		const isMark = kind === 'mark', id = `field-${lines++}`, about = id + '-problem', group = {tags: chips, contacts: rows}[kind]
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
		Object.assign(input, {placeholder, autocomplete: 'off', dir: 'auto', enterKeyHint: 'next', inputMode: {number: 'decimal'}[kind] ?? '', disabled: this.isFixed})
		if (group) input = group(input, name, title)
		const element = el('div', 'field'), problem = el('p', 'bad', '', {id: about}), to = el('a')
		// From field to field; the menu of the form has the links for the keyboard.
		if (!this.isFixed) to.tabIndex = -1
		element.append(el('label', '', title, {for: id}), input, to, problem)
		// What the list has now, if another program changed it, is `theirs`.
		const line = this.lines[name] = {name, element, input, problem, base, to, kind, value: isMark ? 'checked' : 'value', theirs: undefined, isGone: false}
		on(element, 'input', ({target}) => {
			if (line.theirs === undefined && !line.isGone) setProblem(line)
			point(to, kind, target.value)
			this.changed()
		})
		fill(line, base)
		return line
	}
	// Others have changed the customer; without sections it was deleted.
	follow(page) {
		const now = page.sections && Object.fromEntries(fieldsOf(page).map(({name, value}) => [name, value]))
		this.isGone = !now
		for (const name in now && this.lines) {
			// The list has nothing yet of a new one.
			const line = this.lines[name], {base} = line, mine = get(line), value = (this.id && now[name]) ?? base
			const {isGone} = line
			// Another one has removed the column, or given it another name.
			line.isGone = !(name in now)
			const isConflict = value !== base && mine !== base && mine !== value
			if (!isConflict) {
				if (mine !== value && mine === base) fill(line, value)
				line.base = value
			}
			this.setTheirs(line, isConflict ? value : undefined)
			if (line.isGone !== isGone) setProblem(line, isGone ? '' : 'Not saved: the list no longer has this column.')
		}
	}
	// A column has another name now. If the list had one of that name, too, what was typed is for neither.
	rename(old, name) {
		const {[old]: line} = this.lines
		if (!line || name in this.lines) return
		this.lines = Object.fromEntries(Object.entries(this.lines).map(([key, line]) => [key === old ? name : key, line]))
		line.name = line.input.name = name
		const {firstChild: label} = line.element
		setText(label, label.textContent.replace(old.slice(6), () => name.slice(6)))
		this.changed()
	}
	setTheirs(line, theirs) {
		if (line.theirs === theirs) return
		Object.assign(line, {theirs, mayOverwrite: false})
		if (theirs === undefined) return setProblem(line)
		const take = el('button', '', 'Use this value', {type: 'button'})
		take.onclick = () => {
			fill(line, line.base = theirs)
			this.setTheirs(line)
			line.input.focus()
			this.changed()
		}
		setProblem(line, `Now in the list: ${theirs === true ? 'yes' : theirs || 'nothing'} `)
		line.problem.append(take)
	}
	// Resolves when what is known is not older than this call.
	refresh() {
		this.isOld = true
		return this.reading ??= this.read().finally(() => {this.reading = undefined})
	}
	async read() {
		while (this.isOld) {
			this.isOld = false
			const page = await ask(formPath(this.id))
			if (drafts.has(this) && [200, 404].includes(page?.status)) this.follow(page)
		}
	}
	// Stops a save that would overwrite another program's change. The next one may, if it is meant as a save: a click elsewhere
	// may have been on its way. It also stops one of what is no value yet, such as a date without a year.
	refuse(lines, isMeant = true) {
		const half = lines.find(({input}) => input.validity?.badInput) ?? lines.find(line => isFarOff(line) && isChanged(line))
		const all = lines.filter(line => line.theirs !== undefined && !(line.mayOverwrite && isMeant)), [first] = half ? [half] : all
		for (const line of all) line.mayOverwrite = true
		if (!first) return false
		const isYear = half && isFarOff(half)
		if (half) setProblem(half, isYear ? 'Write the year with four digits.' : 'This is not complete.')
		this.tell(half ? `Not saved: ${isYear ? 'write the year with four digits' : 'complete it, or clear all of it'}.` : 'Not saved: another program changed the same field. Save again to keep your value.', first)
		first.input.focus()
		return true
	}
	// Sends the edit that `edit` makes of the values before and after, unless others' changes must be read first. The answer;
	// nothing if there is nothing to send.
	async save(all, what, edit, isMeant) {
		// What others have just done to the columns.
		if (this.reading) await this.reading
		const lines = all.filter(line => !line.isGone), lost = all.find(line => line.isGone && isChanged(line) && get(line))
		if (lost) {
			this.tell(`Not saved: the list no longer has the column "${lost.name.slice(6)}". To save the rest, clear it.`, lost)
			lost.input.focus()
			return {}
		}
		if (this.refuse(lines, isMeant)) return {}
		// Only a field that was shown with the other value gets it as its base.
		for (const line of lines) line.base = line.theirs ?? line.base
		const request = edit(nest(lines, line => line.base), nest(lines, get))
		if (request.save && !lines.some(isChanged)) return
		this.tell('Saving…')
		const answer = await perform(() => send(request, what, {typed: true, done: this.done, saved: this.id, shows: request.insert ? 'first' : undefined, quiet: ['conflict', 'invalid', 'not_found', 'refused']}))
			?? {message: 'Not saved: still saving the last edit.'}
		if (answer.status === 200 || !drafts.has(this)) return answer
		this.tell(answer.message ?? '', lines[0])
		if (answer.kind === 'conflict' && request.save) await this.refresh(), this.refuse(lines)
		else for (const name in answer.fields) {
			const line = this.lines[name]
			if (line) setProblem(line, answer.fields[name]), line.input.focus()
		}
		return answer
	}
}
// An edit of columns is about every customer, whoever has a value.
export const refresh = () => [...drafts].map(draft => draft.refresh())
// What was typed into a column is for it when someone renames it, also in what was left; and so is what shows it.
/** @param {{op: string, column?: string, new_name?: string}[]} changes */
export function followColumns(changes) {
	for (const {op, column, new_name: title} of changes) if (title || op === 'columns drop') {
		const old = `extra.${column}`, name = title && `extra.${title}`
		followChoice(old, name, title)
		if (name) renameInDrafts(old, name), drafts.forEach(draft => draft.rename(old, name))
	}
}

// Some inputs change a value that they are given: it remains what it was until something is typed.
export function fill(line, given) {
	const {input, value} = line
	input[value] = given
	if (input.rows) input.rows = given.split('\n').length + 1
	Object.assign(line, {given, taken: input[value]})
	point(line.to, line.kind, given)
}
export function setProblem({problem, input}, text = '') {
	setText(problem, text)
	input.ariaInvalid = !!text
}
// Extra columns are members of one; none of their names means something else in it.
export function nest(lines, of) {
	const fields = {extra: Object.create(null)}
	for (const line of lines) line.name.startsWith('extra.') ? fields.extra[line.name.slice(6)] = of(line) : fields[line.name] = of(line)
	return fields
}
