// The list on paper: all rows that are shown, with their numbers, and boxes to tick.
import {columns} from './columns.js'
import {download} from './files.js'
import {askRows, list} from './list.js'
import {$, el, number, on, say} from './words.js'

const LONGEST = 10_000
async function readAll() {
	const fields = ['id', ...columns.map(({name}) => name)].join('\n'), rows = []
	for (;;) {
		const page = await askRows('/v1/rows', {from: rows.length + 1, limit: 1000, brief: true, fields})
		// What is on the screen was read at the same time.
		if (page?.kind === 'superseded') continue
		if (!page?.rows) return page && void say(page.message, true)
		if (!page.rows[0] && page.found?.complete !== false) return rows
		rows.push(...page.rows)
	}
}
const makeLine = (tag, cells) => {
	const line = el('tr')
	line.append(...cells.map(text => el(tag, '', text)))
	return line
}
export async function printRows() {
	if (list.count > LONGEST)
		return say(`More than ${number(LONGEST)} customers: download them, and print the file.`, true, ['Download…', download])
	const rows = await readAll(), table = el('table'), head = el('thead')
	if (!rows) return
	head.append(makeLine('th', ['', '', 'Name', ...columns.map(c => c.title)]))
	table.append(head)
	for (const [i, c] of rows.entries()) {
		const section = list.isOrdered && list.sections.find(s => s.first === c.position && s.count && s.title)
		if (section) table.append(makeLine('th', ['', '', section.title]))
		table.append(makeLine('td', ['☐', number(list.isOrdered ? c.position : i + 1), c.name || `@${c.id}`, ...columns.map(({name}) => c[name] ?? '')]))
	}
	$('paper').replaceChildren(el('h1', '', document.title), table)
	document.body.classList.add('printing')
	print()
}
on(self, 'afterprint', () => {
	document.body.classList.remove('printing')
	$('paper').replaceChildren()
})
