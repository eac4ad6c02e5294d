// The headings of the columns, and the order of the view.
import {columns, setColumns, widthOf} from './columns.js'
import {clear} from './draw.js'
import {USUAL, heads, list, showView, view} from './list.js'
import {item, showMenu} from './menu.js'
import {el, isWide, say, setText} from './words.js'

export function showHeads() {
	const now = list.columns ?? USUAL.filter(({name}) => list.filled.has(name)), row = heads.firstChild
	// Not while something is typed into a cell.
	if (!row.firstChild || (!list.edited && (now.length !== columns.length || now.some((c, i) => c !== columns[i])))) {
		setColumns(now)
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
		head('star', el('span', 'unseen', 'Favorite')), head('choose', button('⋯', null, {'aria-label': 'Choose columns'})))
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
	else say(`Sorted by ${title}${isSame ? ', descending' : ''}${isWide() ? '; Esc shows the list' : ''}.`, false, ['End sorting', () => sortBy()])
}
export const chooseSort = from => showMenu('Sort by', from, [...list.view.sort ? [item('The order of the list', () => sortBy())] : [], ...[{name: 'name', title: 'Name'}, ...columns].map(c => item(c.title + (list.view.sort === c.name ? ' ✓' : ''), () => sortBy(c)))])
export function reverseSort() {
	const {sort} = list.view, column = [{name: 'name', title: 'Name'}, ...columns].find(c => c.name === sort)
	if (!column) return say('The rows are in the order of the list; s sorts the view.')
	return list.view.descending ? sortBy().then(() => sortBy(column)) : sortBy(column)
}
