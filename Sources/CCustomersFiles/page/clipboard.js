// Rows on the clipboard: a table for spreadsheets and mail, whose first line names the fields, and back.
import {linkTo} from './address.js'
import {readCells, rowsOf, writeCells, writeTable} from './cells.js'
import {columns} from './columns.js'
import {ask, bytes, fresh, written} from './connection.js'
import {perform, send} from './edit.js'
import {download} from './files.js'
import {cut, paste} from './hand.js'
import {customer, list, load, view} from './list.js'
import {chosen, naming, rowOfMark, subject} from './marks.js'
import {customers, el, number, on, question, say, title} from './words.js'

const MOST = 10_000, REFUSED = 'The browser refused to copy.'
const report = (done, what) => done.then(() => say(`Copied ${what}.`), () => say(REFUSED, true))
export const copyText = (text, what) => report(Promise.resolve().then(() => navigator.clipboard.writeText(text)), what)
// Without the key: whoever opens it has one of their own.
export const copyLink = (id, section) => copyText(linkTo(id, section),
	`the link${id ? '' : ` to this ${section ? 'section' : 'view'}`}, for those who have a key of the page`)

// All that customers have, but photos, below the titles of the fields.
async function read({ids, body, seen}) {
	const file = fresh(), rows = body.ids ? {ids: ids.toSorted((a, b) => rowOfMark(a) - rowOfMark(b))} : body
	const page = await ask('/v1/export', {file, format: 'csv', seen: written(seen), ...rows}), known = await ask('/v1/columns'), parts = []
	for (let at = 0; at < page?.size; at += parts.at(-1).size) parts.push(await bytes(`/v1/files?file=${file}&at=${at}`))
	ask('/v1/cancel', {file})
	const [names, ...lines] = readCells(await new Blob(parts).text(), ',')
	const fields = names.map((name, i) => ({i, ...known.columns.find(c => [c.name, c.name.slice(6)].includes(name))}))
		.filter(({i, name}) => name && name !== 'extra.vcard' && lines.some(cells => cells[i] && (name !== 'is_favorite' || +cells[i])))
	const show = ({i, name}, cells) => name === 'is_favorite' ? +cells[i] ? 'yes' : '' : cells[i]
	return [fields.map(({title}) => title), ...lines.map(cells => fields.map(field => show(field, cells)))]
}
export function copy(id) {
	const who = subject(id)
	if (who.ids.length > MOST) return say(`More than ${number(MOST)} customers: download them.`, true, ['Download…', download])
	const table = read(who), as = (type, write) => ({[type]: table.then(rows => new Blob([write(rows)], {type}))})
	return report(Promise.resolve().then(() => navigator.clipboard.write([
		new ClipboardItem({...as('text/plain', writeCells), ...as('text/html', writeTable)})])), naming(who))
}

// ---- Rows of a text become new customers, as one step

// Without a line of titles, the cells may be of any fields: the table of an import shows what they are taken for.
async function readCustomers(rows, asFile) {
	const page = await ask('/v1/columns')
	if (!page?.columns || !rows[0]) return
	const known = new Map(page.columns.flatMap(({name, title}) => [[title.toLowerCase(), name], [name, name]])).set('name', 'name')
	const heads = rows[0].map(text => known.get(text.trim().toLowerCase()))
	const isHeaded = !!rows[1] && 2 * heads.filter(Boolean).length > heads.length, lines = rows.slice(+isHeaded)
	// Other titles are those of new columns.
	const names = isHeaded ? heads.map((name, i) => name ?? `extra.${rows[0][i].trim()}`) : ['name', ...columns.map(({name}) => name)]
	const widest = lines.reduce((most, cells) => Math.max(most, cells.length), 0)
	if (!list.key && (isHeaded ? heads.includes(undefined) || widest > heads.length : widest > 1)) return asFile(isHeaded)
	if (widest > names.length) return say(`The rows have ${widest} cells, and the list shows ${names.length} columns: show more, or copy a line of titles, too.`, true)
	return lines.map(cells => {
		const c = {extra: {}}
		cells.forEach((text, i) => {
			const name = names[i]
			if (name === 'name') c.name = text.trim().replace(/\s+/g, ' ')
			else if (name === 'is_favorite') c[name] = /^(yes|true|1|x|★)$/i.test(text.trim())
			else if (name.startsWith('extra.')) c.extra[name.slice(6)] = text
			// A cell of a spreadsheet may have several lines, and these fields have one.
			else if (/^(first_name|last_name|company|email|phone)$/.test(name)) c[name] = text.trim().replace(/\s*[\r\n]+\s*/g, ' ')
			else c[name] = text
		})
		return c
	})
}
// The first rows, as the list will have them.
const preview = added => added.slice(0, 3).map(({extra, ...c}) => '\n' + Object.values({...c, ...extra}).filter(Boolean).join(' · ')).join('') + (added[3] ? '\n…' : '')
async function pasteRows(all, id, isAsked = false) {
	if (list.read_only) return say('This list is read-only.', true)
	const rows = all.filter(cells => cells.some(text => text.trim())), asFile = (below, header) => list.takeFile(new File([writeCells(rows)], 'pasted rows.tsv'), below, header)
	// Rows that know where they come from may change those of the list.
	if (['id', 'version'].every(name => rows[0]?.includes(name)) && !list.key) return asFile()
	const added = await readCustomers(rows, isHeaded => asFile(id, isHeaded))
	if (!added?.[0]) return
	const edit = {insert: {customers: added, to: id ? {after: id} : 'last'}}, where = id ? ` below ${title(customer(id) ?? {id})}` : ''
	if (JSON.stringify(edit).length > 9e5) return asFile(id)
	if ((isAsked || added.length > 50) && !await question(`Add ${customers(added.length)}${where}?${isAsked ? preview(added) : ''}`, 'Add')) return
	return perform(() => send(edit, `Add ${customers(added.length)}`, {shows: 'last', typed: true}))
}
// Where the browser does not let a page read the clipboard, it is pasted into a field.
export async function pasteBelow(id) {
	const field = el('textarea', 'wide', '', {'aria-label': 'Rows', rows: 6})
	const unseen = await navigator.clipboard.readText().catch(() => null)
	const text = unseen ?? await question('Paste the rows here: a line each, with tabs between the cells', 'Add', field)
	if (text) pasteRows(readCells(text), id, unseen !== null)
}

// Text that is selected, or that is in a field, is what is copied, and so is what goes into a field.
const isOfRows = ({target}) => getSelection().isCollapsed && !list.hand && !document.querySelector('dialog:modal, :popover-open')
	&& !target.closest?.('.field, input, textarea, select') && (target === document.body || view.contains(target))
on(document, 'copy', event => {
	if (!isOfRows(event) || !chosen()) return
	event.preventDefault()
	copy(chosen())
})
on(document, 'cut', event => {
	if (!isOfRows(event) || !chosen() || list.read_only) return
	event.preventDefault()
	cut(chosen())
	list.cut.text = naming(list.cut)
	event.clipboardData.setData('text/plain', list.cut.text)
})
// What was cut here moves, unless something else was copied since.
on(document, 'paste', async event => {
	if (!isOfRows(event)) return
	const text = event.clipboardData.getData('text/plain'), rows = rowsOf(event.clipboardData)
	event.preventDefault()
	// The row of the cursor may be on its way.
	if (list.cursor === null) await load()
	if (list.cut?.text === text) paste(list.cursor)
	// A text without cells may be of anything.
	else pasteRows(rows, list.cursor, rows.every(cells => cells.length < 2))
})
