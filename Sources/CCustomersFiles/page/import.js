// Files that are taken in: an import, tried as a table until it is confirmed, and a copy of the list.
import {ask, fresh} from './connection.js'
import {perform, send} from './edit.js'
import {begin, choice, upload} from './files.js'
import {form} from './form.js'
import {customer, list} from './list.js'
import {sectionName} from './menu.js'
import {setPhoto} from './photo.js'
import {$, customers, el, isWide, on, question, say, setAsked, title} from './words.js'

const KNOWN = {skip: 'skip', update: 'update', add: 'add again'}, OWN = {update: 'update', add: 'add again'}, SIDES = {ours: 'here', theirs: 'there'}
const COLUMN_KINDS = ['text', 'number', 'date', 'time', 'yes/no', 'link']
const FIELDS = {name: 'Name', section: 'Section', extra: 'New column', '-': 'Leave out'}

// Asks for what the preview has shown, and says what came of it.
/** @param {'first' | 'last'} shows */
const making = (task, path, asked, what, shows = 'first') => perform(async () => {
	const {status} = await send(asked, what, {path, shows, running(answer, token) {
		task.work = token
		task.show(answer)
	}})
	if (status !== 200) task.end()
})

// A select, which is found again by its name after what is around it was drawn.
function select(name, label, values, value, change) {
	const select = el('select', '', '', {name, 'aria-label': label})
	for (const value in values) select.append(el('option', '', values[value], {value}))
	select.value = value
	select.onchange = () => change(select.value)
	return select
}
// What is asked of an import, and what the last try of it has answered.
class Trial {
	box = el('div')
	columns = new Map()
	sides = new Map()
	place = '{}'
	tries = 0
	problem = ''
	constructor(task, name) {
		this.task = task
		this.asked = {file: task.file, name, duplicates: 'skip', header: true, progress: true, changes: 0}
	}
	get request() {
		const {asked, columns, sides, place} = this
		return {...asked, ...JSON.parse(place), columns: [...columns.values()], resolve: 'ours', sides: [...sides].map(([key, side]) => ({key, side}))}
	}
	// Whether there is something to show. Rows that seem to have no titles may have some that only the server knows.
	async start(header = true) {
		const {asked} = this
		this.fields = (await ask('/v1/columns'))?.columns ?? []
		await this.run()
		if (this.problem && !header) asked.header = false, await this.run()
		// A file that was handed out comes back with changes.
		this.isReturned = this.page?.table?.is_returned
		if (this.isReturned) asked.duplicates = 'update', await this.run()
		if (this.page?.moved) asked.order = true, await this.run()
		if (this.page && (!this.problem || this.page.table)) return true
		if (this.page) this.task.end(), say(this.problem, true)
	}
	async run() {
		const mine = ++this.tries, {task, asked} = this
		$('yes').disabled = true
		task.work = fresh()
		// The preview says which rows would be left out; the import then leaves them out as well.
		const page = await task.ask('/v1/import', {...this.request, leave_out: true, token: task.work, dry_run: true})
		if (!page || mine !== this.tries) return
		$('yes').disabled = false
		this.problem = page.status === 200 ? '' : page.message
		// A refusal may have the table, in which it is put right.
		this.page = {...page, table: page.table ?? this.page?.table}
		asked.header = page.read?.header ?? asked.header
		const all = this.page.table?.columns ?? []
		// Without a header, the first choice ends all guesses: what the columns were taken for is chosen at once.
		if (!asked.header && !this.columns.size && all[0] && all.every(({to}) => to)) {
			all.forEach(({to}, i) => this.columns.set(`${i + 1}`, {name: `${i + 1}`, to}))
			return this.run()
		}
		say('')
		this.draw()
	}
	set(change) {
		change(this)
		this.run()
	}
	draw() {
		const {box, page, asked, problem} = this, {table, lines = [], conflicts = []} = page, focused = document.activeElement.name
		setAsked(problem || page.text)
		const [whose, ways] = this.isReturned ? ['Rows from this list', OWN] : ['Known by e-mail address', KNOWN]
		const known = choice(whose, ways, asked.duplicates, value => this.set(() => asked.duplicates = value))
		known.name = 'known'
		box.replaceChildren(known, ...this.chooseReturned(page), ...conflicts.flatMap(conflict => this.drawConflict(conflict)), this.choosePlace(),
			...table ? [this.chooseHeader(), ...this.drawTable(table)] : [], el('p', 'lines', lines.join('\n')))
		if (focused) box.querySelector(`[name="${focused}"]`)?.focus()
	}
	choosePlace() {
		const {sections} = list, below = customer(list.cursor), places = {'{}': isWide() ? `as in the file, or the end of ${sectionName(0)}` : 'as in the file, or last'}
		if (below) places[JSON.stringify({to: {after: below.id}})] = `below ${title(below)}`
		sections.forEach(({id}, i) => {
			places[JSON.stringify({section: id, to: 'first'})] = `the top of ${sectionName(i)}`
			places[JSON.stringify({section: id, to: 'last'})] = `the end of ${sectionName(i)}`
		})
		const select = choice('Place', places, this.place, value => this.set(() => this.place = value))
		select.name = 'place'
		return select
	}
	check(name, text) {
		const label = el('label', 'check'), box = el('input', '', '', {type: 'checkbox', name})
		box.checked = this.asked[name]
		box.onchange = () => this.set(() => {
			this.asked[name] = box.checked
			// Without the header, columns have other names.
			if (name === 'header') this.columns.clear()
		})
		label.append(box, text)
		return label
	}
	chooseHeader() {return this.check('header', 'The first line names the columns')}
	// What a file that was handed out says without words.
	chooseReturned({moved, missing}) {
		if (this.asked.duplicates !== 'update') return []
		return [
			...moved ? [this.check('order', `Move ${customers(moved)} to where the file has them`)] : [],
			...missing ? [this.check('delete_missing', `Delete ${customers(missing)} whom the file no longer has`)] : []]
	}
	drawTable({columns, rows}) {
		const sheet = el('div', 'sheet', '', {role: 'region', 'aria-label': 'The first rows of the file', tabindex: 0}), table = el('table')
		const head = el('thead').appendChild(el('tr')), body = el('tbody')
		columns.forEach((column, i) => head.append(this.drawHead(column, i)))
		for (const cells of rows) body.appendChild(el('tr')).append(...cells.map(text => el('td', '', text, {dir: 'auto'})))
		table.append(head.parentNode, body)
		sheet.append(table)
		return [sheet, ...columns[2] && !isWide() ? [el('p', '', `${columns.length} columns, side by side`)] : []]
	}
	drawHead({name, to: read, means, kind, readings = []}, i) {
		const {fields, asked: {header}} = this, key = header ? name : `${i + 1}`
		const cell = el('th', '', '', {scope: 'col'}), chosen = this.columns.get(key) ?? {name: key}
		// What was chosen stays, though the table that is shown is the one before a refusal.
		const to = chosen.to ?? read, values = {...read ? {} : {'': means}, ...FIELDS, ...Object.fromEntries(fields.map(({name, title}) => [name, title]))}
		// A column of the list with the same name is that one.
		const own = to === 'extra' && values[`extra.${name}`] ? `extra.${name}` : to?.startsWith('extra.') && !values[to] ? 'extra' : to ?? ''
		values[own] ??= own
		const choose = change => this.set(({columns}) => columns.set(key, {...chosen, ...change})), shown = header ? name : `Column ${key}`
		cell.append(el('span', '', shown), select(`to ${i}`, `${header ? `Column ${name}` : shown} becomes`, values, own,
			to => to ? choose({to, kind: undefined}) : this.set(({columns}) => columns.delete(key))))
		if (kind) cell.append(select(`kind ${i}`, `Kind of ${shown}`, Object.fromEntries([...COLUMN_KINDS, ...readings].map(kind => [kind, kind])),
			chosen.kind ?? kind, kind => choose({kind})))
		return cell
	}
	drawConflict({key, text}, i) {
		const side = choice('Keep', SIDES, this.sides.get(key) ?? 'ours', value => this.sides.set(key, value))
		side.ariaLabel = text
		return [el('p', '', text), side]
	}
}
async function importFile(file, below, header) {
	const {name} = file, task = begin(`Reading ${name}`), trial = new Trial(task, name)
	if (below) trial.place = JSON.stringify({to: {after: below}})
	if (!await upload(task, file, `&name=${encodeURIComponent(name)}`) || !await trial.start(header)) return
	const answer = question(trial.page.text ?? trial.problem, 'Import', trial.box, () => trial.problem)
	trial.box.firstChild.focus()
	if (!await answer) return task.end(), say('Nothing was imported.')
	task.what = `Importing ${name}`
	making(task, '/v1/import', {...trial.request, ...trial.page.read}, `Import ${name}`, below ? 'last' : 'first')
}

async function bringIn(file) {
	const {name} = file, task = begin(`Reading ${name}`), asked = {file: task.file, name, unrelated: true, progress: true, changes: 0}
	if (!await upload(task, file)) return
	task.work = fresh()
	const page = await task.run('/v1/pull', {...asked, token: task.work, dry_run: true})
	if (!page) return
	if (page.relation === 'same') return task.end(), say(page.text)
	const box = el('div'), sides = page.conflicts.map(({key, text, winner}) => {
		const side = choice('Keep', SIDES, winner)
		side.ariaLabel = text
		box.append(el('p', '', text), side)
		return () => ({key, side: side.value})
	})
	say('')
	if (!await question([page.text, ...page.lines].join('\n'), 'Bring in', sides[0] && box)) return task.end()
	task.what = `Bringing in ${name}`
	making(task, '/v1/pull', {...asked, sides: sides.map(get => get())}, `Bring in ${name}`)
}

const SAMPLE = [
	'First name,Last name,Company,E-mail,Note', 'Ann,Lee,,ann@example.com,Vegetarian', 'Bob,Ray,Acme,bob@example.com,',
	'Cid,Fox,Zeta,cid@example.com,Call back in May',
].join('\n')
export const addSample = () => perform(() =>
	send({name: 'sample.csv', content: SAMPLE}, 'Add a sample', {path: '/v1/import'}))

list.takeFile = async (file, below, header) => {
	if (form?.id && file.type.startsWith('image/')) return setPhoto(form.id, file)
	if (document.querySelector('dialog:modal')) return say('Close the form first.', true)
	await file.slice(0, 6).text() === 'SQLite' ? bringIn(file) : importFile(file, below, header)
}
$('file').onchange = () => {
	list.takeFile($('file').files[0])
	$('file').value = ''
}
for (const kind of ['dragover', 'dragleave', 'drop']) on(document, kind, event => {
	const {types, files} = event.dataTransfer
	if (!types.includes('Files')) return
	event.preventDefault()
	document.body.classList.toggle('dropping', kind === 'dragover')
	if (kind === 'drop') files[1] ? say('Drop one file at a time.', true) : list.takeFile(files[0])
})
