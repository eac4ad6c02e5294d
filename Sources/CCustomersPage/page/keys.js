// The keyboard, as the help says.
import {askDelete, cancelDelete, mark, remove, reverse, unmark} from './edit.js'
import {openForm} from './form.js'
import {drop, holdBy, moveTo, pickUp, putBack, steps} from './hand.js'
import {height, known, list, load, reveal, view} from './list.js'
import {openLog, toggleToday} from './log.js'
import {openMenu} from './menu.js'
import {closeSearch, isSearching, nextHit, openSearch, toggleOnly} from './search.js'
import {openSections} from './sections.js'
import {chooseColumns, sortBy} from './columns.js'
import {$, clamp, on, say} from './words.js'

const page = () => Math.max(1, Math.floor(view.clientHeight / height) - 1)
const distance = key =>
	({ArrowDown: 1, ArrowUp: -1, PageDown: page(), PageUp: -page(), Home: -Infinity, End: Infinity})[key]

export async function go(row) {
	list.cursorRow = clamp(row, 0, list.count - 1)
	// No one, until the row is read: an answer that is on its way would put the cursor back.
	list.cursor = known(list.cursorRow)?.id ?? null
	reveal(list.cursorRow)
	if (list.cursor === null) await load()
	list.draw()
}
function onList({key, shiftKey, altKey, target}) {
	const by = distance(key), {hand} = list, row = known(list.cursorRow), c = row?.id === list.cursor ? row : null
	const isDelete = key === 'Delete' || key === 'Backspace'
	if (hand && !hand.isDropped) {
		if (by) holdBy(by)
		else if (key === ' ' || key === 'Enter') drop()
		else if (key === 'Escape') putBack()
	} else if (list.asked !== null) {
		if (isDelete || (target !== view && [' ', 'Enter'].includes(key))) remove()
		else if (!['Shift', 'Control', 'Alt', 'Meta'].includes(key)) cancelDelete()
	} else if (by && altKey) c && moveTo(c.id, steps(by))
	else if (by) {
		if (shiftKey && c) mark(c.id, true)
		go(list.cursorRow + by).then(() => shiftKey && mark(list.cursor, true))
	} else if (key === 'Escape') {
		if (list.marks.size) unmark()
		else if (isSearching()) closeSearch()
		else if (list.view.sort) sortBy()
		else if (list.view.due) toggleToday()
		else if (list.isEditing) $('edit').click()
	} else if (key === '?') $('help').showPopover(), $('help').focus()
	else if (key === '/') openSearch()
	else if (key.toLowerCase() === 'n') nextHit(shiftKey ? -1 : 1)
	else if (key === 'f') toggleOnly()
	else if (key === 'c') chooseColumns()
	else if (key === 's') openSections(view)
	else if (key === 'T') toggleToday()
	else if (!c) return false
	else if (key === ' ') {
		if (pickUp(c.id)) say(`Picked up. ${list.hand.words}. Arrows move, Space drops, Escape cancels.`)
	} else if (key === 'Enter') (list.view.due ? openLog : openForm)(c.id)
	else if (key === 'l') openLog(c.id)
	else if (isDelete) askDelete(c.id)
	else if (key === 'x') mark(c.id)
	else if (key === 'm' || key === 'ContextMenu' || (key === 'F10' && shiftKey)) openMenu(c.id, $(`r${c.id}`) ?? view)
	else return false
	return true
}
on(document, 'keydown', event => {
	if (document.querySelector('dialog[open], :popover-open') || event.isComposing) return
	const key = event.key.toLowerCase(), {target} = event
	if (event.ctrlKey || event.metaKey) {
		if ((key !== 'z' && key !== 'y') || target.matches('input')) return
		reverse(key === 'y' || event.shiftKey ? 'redo' : 'undo')
	} else if (list.hand && !view.contains(target) && key === 'escape') putBack()
	// Other buttons of a row take their own keys.
	else if (!view.contains(target) || (target !== view && list.asked === null && [' ', 'enter'].includes(key))
		|| !onList(event)) return
	event.preventDefault()
})
on(view, 'focus', () => {if (list.cursor === null && list.count) go(list.cursorRow)})
