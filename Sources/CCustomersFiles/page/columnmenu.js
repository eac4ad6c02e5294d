// Which columns are shown; the menu of one, by a right click on its heading or `C`; and its edge, which is dragged.
import {chooseTo, columns, widen} from './columns.js'
import {ask} from './connection.js'
import {perform, send} from './edit.js'
import {followColumns} from './fields.js'
import {sortBy} from './heads.js'
import {heads, list} from './list.js'
import {item, showMenu} from './menu.js'
import {el, isWide, on, question, say, wrongName} from './words.js'

const TYPES = ['text', 'number', 'date', 'time', 'yes/no', 'choice', 'link', 'lines'].map(kind => [kind, kind])
const edit = (what, change, done = '') => perform(() => send(change, what, {done}))
const named = c => c.name.slice(6)
// As the command line reads and writes them: what has a comma is in quotes.
const writeChoices = choices => choices.map(text => /[,"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text).join(', ')
// Nothing if a quote is not around a whole choice.
function readChoices(text) {
	const parts = [...text.matchAll(/\s*(?:"((?:[^"]|"")*)"\s*|((?!\s*")[^,]*))(?:,|$)/gy)]
	return parts.map(([part]) => part).join('') === text ? parts.map(([, quoted, plain]) => (quoted?.replaceAll('""', '"') ?? plain).trim()).filter(Boolean) : undefined
}
const input = (label, value = '') => Object.assign(el('input', '', '', {'aria-label': label, placeholder: label, autocomplete: 'off'}), {value})

// A name, a kind, and for a choice its values.
function kindFields(kind = 'text', choices = [], isNew) {
	const box = el('div'), name = input('Name'), select = el('select', '', '', {'aria-label': 'Kind'}), values = input('Values, with commas between them', writeChoices(choices))
	for (const [value, text] of TYPES) select.add(new Option(text, value))
	select.value = kind
	const label = el('label', 'check'), keep = el('input', '', '', {type: 'checkbox'})
	label.append(keep, 'Other values stay as text')
	const show = () => {values.hidden = select.value !== 'choice'}
	select.onchange = show
	show()
	box.append(...isNew ? [name] : [], select, values, ...isNew ? [] : [label])
	const choicesNow = () => readChoices(values.value), wrongChoices = () => !choicesNow() ? 'Put quotes around a whole value, as in high, "low, very".' : choicesNow()[0] ? '' : 'A choice needs values.'
	return Object.assign(box, {
		get: () => ({name: name.value.trim(), kind: select.value, ...select.value === 'choice' && {choices: choicesNow()}, ...keep.checked && {keep_text: true}}),
		wrong: () => isNew && !name.value.trim() ? 'A column needs a name.' : select.value === 'choice' ? wrongChoices() : '',
	})
}
const allColumns = async () => (await ask('/v1/columns'))?.columns ?? []
async function addColumn() {
	const all = await allColumns(), box = kindFields('text', [], true)
	// It would change the kind of one that is there.
	const answer = question('Add a column', 'Add', box, () => wrongName('column', box.get().name, all) || box.wrong())
	box.firstChild.focus()
	if (!await answer) return
	const {name, ...kind} = box.get(), made = await edit(`Add column "${name}"`, {set_column_kind: {name, ...kind}}, `Added column "${name}".`)
	if (made?.status !== 200) return
	chooseTo([...columns, {name: `extra.${name}`, title: name}])
}
async function changeKind(c) {
	const known = (await allColumns()).find(({name}) => name === c.name), box = kindFields(known?.kind, known?.choices)
	if (await question(`What "${c.title}" has`, 'Change', box, box.wrong)) edit(`Change column "${c.title}"`, {set_column_kind: {...box.get(), name: named(c)}})
}
async function rename(c) {
	const all = (await allColumns()).filter(({name}) => name !== c.name)
	const field = input('Name', c.title), to = (await question(`Rename column "${c.title}"`, 'Rename', field, text => wrongName('column', text, all)))?.trim()
	if (!to || to === c.title) return
	const made = await edit(`Rename column "${c.title}"`, {rename_column: {name: named(c), to}})
	// At once: the step, which says it, too, comes later.
	if (made?.status === 200) followColumns([{op: 'columns rename', column: named(c), new_name: to}])
}
async function dropColumn(c) {
	if (!await question(`Delete column "${c.title}" with its values?`, 'Delete')) return
	const made = await edit(`Delete column "${c.title}"`, {drop_column: {name: named(c)}})
	if (made?.status === 200) followColumns([{op: 'columns drop', column: named(c)}])
}
// Those that are not shown. Names, the star, and the photo have a place of their own.
async function others() {
	const page = await ask('/v1/columns')
	if (page?.status !== 200) return page && say(page.message, true)
	return page.columns.filter(({name}) => !/_name|_fav|^extra\.vcard$/.test(name) && !columns.some(c => c.name === name))
}
export async function chooseColumns() {
	const hidden = await others(), all = el('div', 'columns', '', {tabindex: -1})
	if (!hidden) return
	const line = column => {
		const row = el('p'), label = el('label'), box = el('input', '', '', {type: 'checkbox'})
		box.checked = columns.includes(column)
		label.append(box, column.title)
		const up = el('button', '', '↑', {type: 'button', 'aria-label': `Move ${column.title} to the left`})
		up.onclick = () => (row.previousSibling?.before(row), up.focus())
		Object.assign(row, {column, box}).append(label, up)
		return row
	}
	all.append(...[...columns, ...hidden].map(line))
	async function show() {
		if (list.view.sort) sortBy()
		await chooseTo([...all.children].filter(({box}) => box?.checked).map(({column}) => column))
	}
	if (!list.read_only) {
		const add = el('button', '', 'Add a column…')
		add.onclick = () => (show(), addColumn())
		all.append(add)
	}
	if (await question('Columns, from left to right; with none, the usual ones', 'Show', all)) show()
}
export function openColumn(c, from) {
	const i = columns.indexOf(c), isOwn = c.name.startsWith('extra.') && !list.read_only
	const move = by => () => {
		const others = columns.filter(other => other !== c)
		others.splice(i + by, 0, c)
		chooseTo(others)
	}
	const head = [...heads.firstChild.children].find(e => e.c === c), wide = by => () => widen(c.name, head.offsetWidth * by, true)
	showMenu(`Column ${c.title}`, from, [
		item('Sort', () => sortBy(c)),
		...i < 0 ? [] : [
			...i ? [item('Move to the left', move(-1))] : [], ...columns[i + 1] ? [item('Move to the right', move(1))] : [],
			...isWide() ? [item('Wider', wide(1.4)), item('Narrower', wide(.7))] : [],
			...columns[1] ? [item('Hide', () => chooseTo(columns.filter(other => other !== c)))] : [],
		],
		...isOwn ? [item('Rename…', () => rename(c)), item('Kind…', () => changeKind(c)), item('Delete…', () => dropColumn(c))] : [],
		...list.read_only ? [] : [item('Add a column…', addColumn)],
	])
}
export async function openColumns(from) {
	const hidden = await others()
	if (hidden) showMenu('Columns', from, [...isWide() ? [item('Choose columns…', chooseColumns)] : [], ...columns.map(c => item(`${c.title}…`, () => openColumn(c, from))),
		...hidden.map(c => item(`Show ${c.title}`, () => chooseTo([...columns, c]))), ...list.read_only ? [] : [item('Add a column…', addColumn)]])
}

on(heads, 'click', ({target}) => target.matches('.choose button') && chooseColumns())
on(heads, 'contextmenu', event => {
	const {c} = event.target.closest('[role=columnheader]') ?? {}
	event.preventDefault()
	if (c) openColumn(c, {x: event.clientX, y: event.clientY})
})
let edge = null
on(heads, 'pointerdown', event => {
	const {target, clientX, pointerId, button} = event, head = target.matches('.edge') && target.parentNode
	if (!head || button) return
	edge = {name: head.c.name, start: head.offsetWidth - clientX, pointerId}
	target.setPointerCapture(pointerId)
})
on(heads, 'pointermove', ({clientX, pointerId}) => edge?.pointerId === pointerId && widen(edge.name, edge.start + clientX))
for (const kind of ['pointerup', 'pointercancel']) on(heads, kind, ({clientX, pointerId, type}) => {
	if (edge?.pointerId !== pointerId) return
	if (type === 'pointerup') widen(edge.name, edge.start + clientX, true)
	edge = null
})
