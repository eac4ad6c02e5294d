// Tables as text: lines of cells, in quotes if they have signs that mean something, and HTML.
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
