// The keys of the page and what they do, as the help shows them: those of the table in a terminal, but for a few of each.
// A line has the keys, their actions, and the meaning; the table has the same keys with the same meaning.
export const KEYS = [
	['j k ↓ ↑', 'down up', 'next row, previous row'],
	['PgDn PgUp', 'pageDown pageUp', 'a page'],
	['g G Home End', 'first last', 'first row, last row'],
	['[ ]', 'sectionUp sectionDown', 'previous section, next section'],
	['1 2 3 4 5 6 7 8 9 0', 'digit', 'go to row 7, as 7G; 3j goes, 3J moves by 3'],
	['Enter e', 'open', 'open the row'],
	['a', 'add', 'add a customer at the end of the section'],
	['o O', 'addBelow addAbove', 'add one below, above'],
	['d Delete', 'delete', 'show the Delete button; then Enter deletes'],
	['f', 'favorite', 'check or clear Favorite'],
	['J K Alt-↓ Alt-↑', 'moveDown moveUp', 'move the row down, up; or all marked rows'],
	['m', 'pickUp', 'pick up; then go to the new place'],
	['x p P', 'cut pasteBelow pasteAbove', 'cut; paste below, paste above'],
	['Space', 'mark', 'mark or unmark, then go down'],
	['v Shift-↓ Shift-↑', 'range extendDown extendUp', 'mark a range'],
	['*', 'invert', 'mark the rows that are not marked'],
	['y', 'copy', 'copy as text'],
	['T', 'today', 'Today: only those who are due, or all rows again'],
	['l', 'log', 'log what was said, then the next date'],
	['c', 'columns', 'choose the columns, by name'],
	['s S', 'sort reverse', 'sort the view by fields, reverse it'],
	['/', 'search', 'search in all fields'],
	['n N', 'next previous', 'next match, previous match'],
	['&', 'only', 'show only matches or all rows again'],
	['u', 'undo', 'undo'],
	['E', 'edit', 'edit mode: controls for the mouse'],
	['Esc', 'escape', 'close search, clear marks, end sorting or edit mode'],
	['? F1', 'help', 'show this help'],
]
// Those that only a page has.
export const PAGE_KEYS = [
	['F2', 'cell', 'edit a field in its cell; then Tab goes to the next one, and on to the next row'],
	['C', 'column', 'the menu of a column'],
	['z Z', 'fold foldAll', 'fold or unfold the section of the row; all sections'],
	['Shift-F10', 'menu', 'the menu of the row'],
	['Ctrl-Z Ctrl-Y', 'undo redo', 'undo, redo'],
	['Ctrl-C Ctrl-X Ctrl-V', 'copy cut pasteBelow', 'copy rows, also to a spreadsheet; cut; paste below, as new rows if they were copied'],
	['Ctrl-A', 'all', 'mark all rows'],
	['Ctrl-P', 'print', 'print the shown rows'],
	['Ctrl-S Ctrl-Enter', 'save', 'save what is typed into the form'],
]
// The actions by the names of keys.
export const ACTIONS = new Map([...KEYS, ...PAGE_KEYS].flatMap(([keys, actions]) => {
	const all = actions.split(' ')
	return keys.split(' ').map((key, i) => [key, all[i % all.length]])
}))
const NAMES = {
	ArrowDown: '↓', ArrowUp: '↑', ArrowLeft: '←', ArrowRight: '→', PageDown: 'PgDn', PageUp: 'PgUp', Escape: 'Esc', ' ': 'Space',
	Backspace: 'Delete', ContextMenu: 'Shift-F10',
}
// The name of the key of an event: a letter with Shift is uppercase.
export function nameOf({key, ctrlKey, metaKey, altKey, shiftKey}) {
	const isCapital = shiftKey && /^[a-z]$/.test(key), name = NAMES[key] ?? (isCapital ? key.toUpperCase() : key), isLetter = key.length === 1 && key !== ' '
	if ((ctrlKey || metaKey) && !/^(Home|End)$/.test(name)) return `Ctrl-${shiftKey && name === 'Z' ? 'Y' : name.length === 1 ? name.toUpperCase() : name}`
	return `${altKey ? 'Alt-' : ''}${shiftKey && !isLetter ? 'Shift-' : ''}${name}`
}
