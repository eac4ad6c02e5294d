// The list on paper: all rows that are shown, with their numbers, and boxes to tick.
import {columns} from './columns.js'
import {choice, download} from './files.js'
import {askRows, list} from './list.js'
import {$, customers, el, number, on, question, say} from './words.js'

const LONGEST = 10_000
async function readAll(fields, brief) {
	const rows = []
	for (;;) {
		const page = await askRows('/v1/rows', {from: rows.length + 1, limit: 1000, brief, fields: fields.join('\n')})
		// What is on the screen was read at the same time.
		if (page?.kind === 'superseded') continue
		if (!page?.rows) return page && void say(page.message, true)
		if (!page.rows[0] && page.found?.complete !== false) return rows
		rows.push(...page.rows)
	}
}
const makeLine = (tag, ...cells) => {
	const line = el('tr')
	line.append(...cells.map((text, i) => el(tag, text.length < 16 ? 'short' : columns[i - 3]?.name, text)))
	return line
}
const isTooLong = () => list.count > LONGEST &&
	(say(`More than ${number(LONGEST)} customers: download them, and print the file.`, true, ['Download…', download]), true)
function show(className, ...children) {
	Object.assign($('paper'), {className}).replaceChildren(...children)
	document.body.classList.add('printing')
	print()
}
export async function printRows() {
	if (isTooLong()) return
	const rows = await readAll(['id', ...columns.map(({name}) => name)], true), table = el('table'), head = el('thead')
	if (!rows) return
	head.append(makeLine('th', '', '', 'Name', ...columns.map(c => c.title)))
	table.append(head)
	for (const [i, c] of rows.entries()) {
		const section = list.isOrdered && list.sections.find(s => s.first === c.position && s.count && s.title)
		if (section) table.append(makeLine('th', '', '', section.title))
		table.append(makeLine('td', '☐', number(list.isOrdered ? c.position : i + 1), c.name || `@${c.id}`, ...columns.map(({name}) => c[name] ?? '')))
	}
	show('', el('h1', '', document.title), table)
}

// ---- Labels: a sheet has so many, from left to right

const SHEETS = {a4: ['A4, 3 × 8', 24], letter: ['Letter, 3 × 10', 30]}
export async function printLabels() {
	if (isTooLong()) return
	const field = choice('Labels', Object.fromEntries(Object.entries(SHEETS).map(([name, [title]]) => [name, title])))
	const chosen = await question('Print the addresses of all that are shown', 'Print', field), rows = chosen && await readAll(['id', 'name', 'company', 'address'])
	if (!rows) return
	const texts = rows.filter(c => c.address).map(c => [c.name, c.company, c.address].filter(Boolean).join('\n')), [, size] = SHEETS[chosen], sheets = []
	if (!texts[0]) return say('No customer that is shown has an address.', true)
	for (let i = 0; i < texts.length; i += size) {
		const sheet = el('div')
		sheet.append(...texts.slice(i, i + size).map(text => el('p', '', text)))
		sheets.push(sheet)
	}
	const left = rows.length - texts.length
	if (left) say(`${customers(left)} without an address ${left === 1 ? 'has' : 'have'} no label.`)
	show(`labels ${chosen}`, ...sheets)
}
on(self, 'afterprint', () => {
	document.body.classList.remove('printing')
	$('paper').replaceChildren()
})
