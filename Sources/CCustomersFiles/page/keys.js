// The keyboard, as the map of keys says.
import {waitsForIt} from './ahead.js'
import {cover} from './cover.js'
import {editCell} from './cell.js'
import {copy} from './clipboard.js'
import {chooseColumns, openColumns} from './columnmenu.js'
import {memory} from './connection.js'
import {askDelete, cancelDelete, remove, reverse, toggleFavorite} from './edit.js'
import {cancel, form, openForm, save} from './form.js'
import {cut, drop, holdAtRow, holdBy, holdTo, moveTo, paste, pickUp, putBack, steps} from './hand.js'
import {chooseSort, reverseSort, sortBy} from './heads.js'
import {ACTIONS, KEYS, PAGE_KEYS, nameOf} from './keymap.js'
import {customer, go, goToCustomer, height, list, reading, screen, sectionSeen, view} from './list.js'
import {openLog, toggleToday} from './log.js'
import {beginRange, chosen, extendTo, mark, markAll, unmark} from './marks.js'
import {printRows} from './print.js'
import {openRowMenu} from './rowmenu.js'
import {closeSearch, isSearching, markMatches, nextHit, openSearch, toggleOnly} from './search.js'
import {foldAll, toggleFold} from './sections.js'
import {$, clamp, el, on, say, wait} from './words.js'

const page = () => Math.max(1, Math.floor(screen() / height) - 1)
// A number that was typed before a key.
let typed = ''
// While the row of the cursor is read, keys that are about a row wait for it, and those after them. While rows are dropped,
// all keys wait: what they are about is known when the rows are there.
/** @type {Promise<unknown>} */
let queue = Promise.resolve()
let queued = 0
function inTurn(name, event) {
	const {key} = event, pressNext = () => waitsForIt(event) || pressKey(name, key)
	const isFree = !list.hand?.dropped && (list.cursor !== null || list.hand || !list.count || moves.has(ACTIONS.get(name)))
	const done = !queued && isFree ? pressKey(name, key) : queue.then(() => list.hand?.dropped).then(() => reading).then(pressNext)
	if (typeof done === 'boolean') return done
	wait(1)
	queued++
	queue = done.finally(() => (queued--, wait(-1)))
	return true
}

// Moves the cursor, or what is in the hand.
async function moveCursor(row, by) {
	if (list.hand) return by === undefined ? holdAtRow(row) : holdBy(by)
	const {range} = list
	await go(row)
	if (range && list.range === range) await extendTo(list.cursorRow)
}
// A row that is folded is passed.
export function by(distance) {
	const {layout, cursorRow} = list, isHidden = layout.line(cursorRow) === null
	return moveCursor(layout.rowBelow(layout.above(cursorRow) + distance - +(isHidden && distance > 0)), distance)
}
function bySection(distance) {
	const {hand, sections, cursorRow} = list
	if (hand) return holdTo(({section}) => [clamp(section + distance, 0, sections.length - 1), 0])
	const here = sections.findLastIndex(s => s.first - 1 <= cursorRow)
	return moveCursor(sections[clamp(here + distance, 0, sections.length - 1)].first - 1)
}
function leave() {
	if (form) cancel()
	else if (isSearching()) closeSearch()
	else if (list.cut) list.cut = null, list.draw()
	else if (list.marks.size) unmark()
	else if (list.view.sort) sortBy()
	else if (list.view.due) toggleToday()
	else if (list.isEditing) $('edit').click()
}
function openHelp() {
	cover()
	$('help').showPopover()
	$('help').focus()
}
$('helps').onclick = openHelp
const times = () => +typed || 1
// What needs no row.
const anywhere = {
	down: () => by(times()), up: () => by(-times()), pageDown: () => by(page() * times()), pageUp: () => by(-page() * times()),
	first: () => moveCursor(typed ? +typed - 1 : list.layout.rowBelow(0), typed ? undefined : -Infinity),
	last: () => moveCursor(typed ? +typed - 1 : list.layout.rowBelow(Infinity), typed ? undefined : Infinity),
	sectionUp: () => bySection(-times()), sectionDown: () => bySection(times()),
	fold: () => list.isOrdered && toggleFold(list.layout.path(list.cursorRow)?.[0] ?? 0), foldAll: () => list.isOrdered && foldAll(),
	add: () => openForm(null, sectionSeen()), all: () => list.view.text && list.view.only ? markMatches() : markAll(), invert: () => markAll(true),
	today: toggleToday, columns: chooseColumns, column: () => openColumns(view), sort: () => chooseSort(view), reverse: reverseSort,
	search: openSearch, next: () => nextHit(1), previous: () => nextHit(-1), only: toggleOnly,
	print: printRows, undo: () => reverse('undo'), redo: () => reverse('redo'), edit: () => $('edit').click(), escape: leave,
	help: openHelp, save: () => form && save(),
}
// What is about the row of the cursor.
const ofRow = {
	open: id => (list.view.due ? openLog : openForm)(id), cell: id => editCell(id), log: openLog, delete: id => askDelete(id), favorite: toggleFavorite,
	addBelow: id => openForm(null, sectionSeen(), {after: id}), addAbove: id => openForm(null, sectionSeen(), {before: id}),
	moveDown: (id, n) => moveTo(id, steps(n)), moveUp: (id, n) => moveTo(id, steps(-n)),
	pickUp(id) {if (pickUp(id)) say(`Picked up. ${list.hand.words}. Arrows move, Enter drops, Escape cancels.`)},
	cut, pasteBelow: id => paste(id), pasteAbove: id => paste(id, true), copy,
	mark: id => (mark(id), go(list.cursorRow + 1)),
	range: () => (beginRange(true), extendTo(list.cursorRow)),
	menu: id => openRowMenu(id, $(`r${id}`) ?? view),
}
const moves = new Set(['down', 'up', 'pageDown', 'pageUp', 'first', 'last', 'sectionUp', 'sectionDown'])
// What a key does again while it is held. Anything else would be done to the next row, too, or answer what was asked.
const repeated = new Set([...moves, 'moveDown', 'moveUp', 'next', 'previous', 'undo', 'redo', 'digit'])
// What is done to those who are marked, wherever the cursor is; for some of it the cursor goes there.
const ofMarks = new Set(['moveDown', 'moveUp', 'pickUp', 'delete', 'favorite', 'cut', 'copy']), atMarks = new Set(['moveDown', 'moveUp', 'pickUp', 'delete'])
function inHand(action, name) {
	if (action === 'escape') putBack()
	else if (action === 'open' && typed) holdAtRow(+typed - 1)
	else if (name === 'Enter' || action === 'mark') drop()
	else if (moves.has(action)) anywhere[action]()
	else return false
	return true
}
// Shift goes with every key that moves the cursor.
const isMarkingKey = name => /^Shift-(↓|↑|PgDn|PgUp|Home|End)$/.test(name), actionOf = name => ACTIONS.get(isMarkingKey(name) ? name.slice(6) : name)
function pressKey(name, key) {
	const isMarking = isMarkingKey(name), action = actionOf(name), {hand, isTaken} = list
	if (action === 'digit' && (typed || key !== '0')) return (typed += key), true
	const done = () => (typed = '', true)
	if (hand && !hand.dropped) return inHand(action, name) && done()
	list.isTaken = false
	if (isTaken && (name === 'Enter' || action === 'mark')) return done()
	if (list.asked !== null) {
		if (['Enter', 'Delete', 'y'].includes(name)) remove()
		else if (!['Shift', 'Control', 'Alt', 'Meta'].includes(key)) cancelDelete()
		return done()
	}
	const {range} = list, isToRow = name === 'Enter' && typed
	if (isMarking) beginRange()
	else if (action && action !== 'digit' && !(range?.isMode && (isToRow || moves.has(action)))) list.range = null
	// A key after one that marks a range is about those rows.
	const inRange = act => {
		const end = act()
		return done() && ((list.range && end) || true)
	}
	if (isToRow) return inRange(() => moveCursor(+typed - 1))
	if (action === 'range' && range?.isMode) return done()
	if (anywhere[action]) return inRange(anywhere[action])
	const id = ofMarks.has(action) ? chosen() : list.cursor, act = ofRow[action]
	if (!act || !(customer(id) || list.marks.has(id))) return false
	const n = times()
	done()
	if (atMarks.has(action) && id !== list.cursor) return goToCustomer(id).then(() => act(id, n))
	act(id, n)
	return true
}
on(document, 'keydown', event => {
	if (list.isWall || document.querySelector('dialog:modal, :popover-open') || event.isComposing) return
	const {target, key} = event, name = nameOf(event), isText = target.closest('.field, input, textarea, select')
	const isList = target === document.body || (view.contains(target) && !isText)
	if (list.key === 'add' && ACTIONS.get(name) !== 'add') return
	if (event.repeat && !isText && !repeated.has(actionOf(name))) return isList && event.preventDefault()
	// A key may just have begun what this one is for.
	if (isList && waitsForIt(event)) return event.preventDefault()
	if (name.startsWith('Ctrl-')) {
		// The events of the clipboard come afterward.
		if ((isText && name !== 'Ctrl-P') || /-[CXV]$/.test(name) || !ACTIONS.has(name) || (!/-[ZYP]$/.test(name) && !isList)) return
		if (list.hand) return
		inTurn(name, event)
	} else if (list.hand && !isList && name === 'Esc') putBack()
	else if (!isList || (key.length === 1 && key !== ' ' && !areLetters()) || !inTurn(name, event)) return
	event.preventDefault()
})
// Keys of one character can be turned off, because whoever speaks to a computer types them by accident (WCAG 2.1.4).
const areLetters = () => $('letters').checked
$('letters').checked = memory.get('letters', true)
$('letters').onchange = () => memory.set('letters', areLetters())
$('keys').append(...[...KEYS, ...PAGE_KEYS].flatMap(([keys, , meaning]) => [el('dt', '', keys), el('dd', '', meaning)]))
on(view, 'focus', () => {if (list.cursor === null && list.count) go(list.cursorRow)})
