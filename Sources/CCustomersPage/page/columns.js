// The columns of a wide page: chosen, ordered, and sorted for the view; this browser keeps the choice.
import {addColumn} from './columnmenu.js'
import {ask, memory} from './connection.js'
import {clear} from './draw.js'
import {USUAL, heads, list, load, showView, view} from './list.js'
import {item, showMenu} from './menu.js'
import {clamp, el, question, say, setText} from './words.js'

// What is shown: what was chosen, or what some customer has of the usual ones.
export let columns = []
list.columns = memory.get('columns', null)
const widths = memory.get('widths', {})
// The columns that are to be shown, in their order.
export function chooseTo(chosen) {
	list.columns = chosen.length ? chosen : null
	memory.set('columns', list.columns)
	showHeads()
	list.draw()
	return load()
}
// A column has the width that someone gave it, in pixels, or its part of what there is.
export const widthOf = name => widths[name] ? `0 0 ${widths[name]}px` : ''
export function widen(name, width, isDone) {
	widths[name] = clamp(Math.round(width), 48, 800)
	for (const e of view.querySelectorAll(`[data-column="${CSS.escape(name)}"]`)) e.style.flex = widthOf(name)
	if (isDone) memory.set('widths', widths)
}

export function showHeads() {
	const now = list.columns ?? USUAL.filter(({name}) => list.filled.has(name)), row = heads.firstChild
	// Not while something is typed into a cell.
	if (!row.firstChild || (!list.edited && (now.length !== columns.length || now.some((c, i) => c !== columns[i])))) {
		columns = now
		clear()
		const head = (className, ...children) => {
			const e = el('span', className, '', {role: 'columnheader'})
			e.append(...children)
			return e
		}
		const button = (text, onclick, attributes) =>
			Object.assign(el('button', '', text, {type: 'button', tabindex: -1, ...attributes}), {onclick})
		row.replaceChildren(head('number unseen', 'Row'), ...[{name: 'name', title: 'Name'}, ...now].flatMap(c => [
			Object.assign(head(c.name === 'name' ? 'name' : `column ${c.name}`, button('', () => sortBy(c)), ...c.name === 'name' ? [] : [el('i', 'edge')]), {c}),
			...c.name === 'name' ? [head('unseen', 'Details')] : []]),
		head('star', el('span', 'unseen', 'Favorite')), head('choose', button('⋯', chooseColumns, {'aria-label': 'Choose columns'})))
		for (const e of row.children) if (e.c) e.dataset.column = e.c.name, e.style.flex = widthOf(e.c.name)
		view.setAttribute('aria-colcount', now.length + 5)
		document.body.style.setProperty('--columns', now.length)
	}
	const {sort, descending} = list.view
	for (const e of row.children) {
		if (!e.c) continue
		const isSorted = e.c.name === sort
		setText(e.firstChild, e.c.title + (isSorted ? descending ? ' ↓' : ' ↑' : ''))
		e.ariaSort = isSorted ? descending ? 'descending' : 'ascending' : 'none'
	}
}
// Another time, the other way; then the list's order again. Without a column, at once.
/** @param {{name?: string, title?: string}} column */
export async function sortBy({name, title} = {}) {
	const {sort, descending} = list.view, isSame = sort === name, isOff = !name || (isSame && descending)
	await showView({sort: isOff ? undefined : name, descending: isSame}, list.cursor)
	if (!isOff && !list.view.sort) return
	if (isOff) say('The rows are in the order of the list.')
	else say(`Sorted by ${title}${isSame ? ', descending' : ''}; Esc shows the list.`, false, ['End sorting', () => sortBy()])
}
// Those that are not shown. Names, the star, and the photo have a place of their own.
export async function others() {
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
	if (!list.read_only) {
		const add = el('button', '', 'Add a column…')
		add.onclick = addColumn
		all.append(add)
	}
	if (!(await question('Columns, from left to right; with none, the usual ones', 'Show', all))) return
	const chosen = [...all.children].filter(({box}) => box?.checked).map(({column}) => column)
	if (list.view.sort) sortBy()
	await chooseTo(chosen)
	showHeads()
	list.draw()
}
// Those of an address.
export async function chooseColumnsNamed(names) {
	const page = names && await ask('/v1/columns'), found = names?.map(name => page?.columns?.find(c => c.name === name)).filter(Boolean)
	if (found?.[0]) list.columns = found
}
export const chooseSort = from => showMenu('Sort by', from, [...list.view.sort ? [item('The order of the list', () => sortBy())] : [], ...[{name: 'name', title: 'Name'}, ...columns].map(c => item(c.title, () => sortBy(c)))])
export function reverseSort() {
	const {sort} = list.view, column = [{name: 'name', title: 'Name'}, ...columns].find(c => c.name === sort)
	if (!column) return say('The rows are in the order of the list; s sorts the view.')
	return list.view.descending ? sortBy().then(() => sortBy(column)) : sortBy(column)
}
