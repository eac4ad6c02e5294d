// The columns of a wide page: chosen, ordered, and sorted for the view; this browser keeps the choice.
import {ask, memory} from './connection.js'
import {clear} from './draw.js'
import {USUAL, list, load, show} from './list.js'
import {$, el, question, say, setText} from './words.js'

// What is shown: what was chosen, or what some customer has of the usual ones.
export let columns = []
list.columns = memory.get('columns', null)

export function showHeads() {
	const now = list.columns ?? USUAL.filter(({name}) => list.filled.has(name)), heads = $('heads').firstChild
	if (!heads.firstChild || now.length !== columns.length || now.some((c, i) => c !== columns[i])) {
		columns = now
		clear()
		const head = (className, text, onclick, attributes) =>
			Object.assign(el('button', className, text, {type: 'button', ...attributes}), {onclick})
		heads.replaceChildren(...[{name: 'name', title: 'Name'}, ...now].map(c =>
			Object.assign(head(c.name === 'name' ? 'name' : `column ${c.name}`, '', () => sortBy(c)), c)
		), head('choose', '⋯', chooseColumns, {'aria-label': 'Choose columns'}))
	}
	const {sort, descending} = list.view
	for (const b of [...heads.children].slice(0, -1)) {
		const isSorted = b.name === sort
		setText(b, b.title + (isSorted ? descending ? ' ↓' : ' ↑' : ''))
		b.ariaPressed = isSorted
	}
}
// Another time, the other way; then the list's order again. Without a column, at once.
export async function sortBy({name, title} = {}) {
	const {sort, descending} = list.view, isSame = sort === name, isOff = !name || (isSame && descending)
	await show({sort: isOff ? undefined : name, descending: isSame}, list.cursor)
	if (!isOff && !list.view.sort) return
	say(isOff ? 'The rows are in the order of the list.'
		: `Sorted by ${title}${isSame ? ', descending' : ''}; Esc shows the list.`)
}
export async function chooseColumns() {
	const page = await ask('/v1/columns')
	if (page?.status !== 200) return page && say(page.message, true)
	const all = el('div', 'columns', '', {tabindex: -1}), isShown = ({name}) => columns.some(c => c.name === name)
	const line = column => {
		const row = el('p'), label = el('label'), box = el('input', '', '', {type: 'checkbox'})
		box.checked = isShown(column)
		label.append(box, column.title)
		const up = el('button', '', '↑', {type: 'button', 'aria-label': `Move ${column.title} to the left`})
		up.onclick = () => (row.previousSibling?.before(row), up.focus())
		Object.assign(row, {column, box}).append(label, up)
		return row
	}
	// Names and the star have a place of their own.
	all.append(...[...columns, ...page.columns.filter(c => !/_name|_fav/.test(c.name) && !isShown(c))].map(line))
	if (!(await question('Columns, from left to right; with none, the usual ones', 'Show', all))) return
	const chosen = [...all.children].filter(({box}) => box.checked).map(({column}) => column)
	list.columns = chosen.length ? chosen : null
	memory.set('columns', list.columns)
	if (list.view.sort) sortBy()
	await load()
	showHeads()
	list.draw()
}
