// Tables as text: lines of cells, in quotes if they have signs that mean something, and HTML.
import {trusted} from './connection.js'

export function readCells(text, separator = '\t') {
	const rows = [[]], part = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\\n]*))(${separator}|\\n|$)`, 'y')
	for (text = text.replace(/\r\n?/g, '\n').replace(/\n+$/, ''); part.lastIndex <= text.length; ) {
		const [, quoted, plain, end] = part.exec(text) ?? []
		if (end === undefined) break
		rows.at(-1).push(quoted?.replaceAll('""', '"') ?? plain)
		if (!end) break
		if (end === '\n') rows.push([])
	}
	return rows
}
export const writeCells = rows => rows.map(cells => cells.map(text => /[\t\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text).join('\t')).join('\n')
const SIGNS = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '<br>'}
// A spreadsheet would make other values of texts such as 007, =1+1, and 01.02.2026.
const AS_TEXT = `sdnum="1033;0;@" style="mso-number-format:'\\@'"`
export const writeTable = rows => `<meta charset="utf-8"><table>${rows.map(cells =>
	`<tr>${cells.map(text => `<td ${AS_TEXT}>${text.replace(/[&<>\n]/g, sign => SIGNS[sign])}</td>`).join('')}</tr>`).join('')}</table>`
// The text of a cell: line breaks are elements, and an empty cell has one.
function textOf(cell) {
	for (const e of cell.querySelectorAll('br')) e.replaceWith('\n')
	return cell.textContent.replace(/^\n$/, '')
}
// The rows of a clipboard. LibreOffice writes line breaks of cells into its text as they are, so that they look like rows; its
// table says how many rows there are.
export function rowsOf(data) {
	const rows = readCells(data.getData('text/plain')), html = data.getData('text/html')
	// Styles, which say nothing here, are against the policy of the page.
	const plain = html.replace(/<style[^]*?<\/style>|\sstyle=("[^"]*"|'[^']*')/gi, '')
	const table = html && new DOMParser().parseFromString(trusted?.createHTML(plain) ?? plain, 'text/html').querySelector('table')
	if (!table || table.rows.length === rows.length) return rows
	return [...table.rows].map(row => [...row.cells].flatMap(cell => [textOf(cell), ...Array(cell.colSpan - 1).fill('')]))
}
