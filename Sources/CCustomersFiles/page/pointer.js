// Mouse and finger, as the help says.
import {editCell} from './cell.js'
import {columns} from './columns.js'
import {askDelete, cancelDelete, remove} from './edit.js'
import {openForm} from './form.js'
import {drop, holdAt, pickUp, putBack} from './hand.js'
import {edges, height, list, scrollTo, top, view} from './list.js'
import {openLog} from './log.js'
import {beginRange, extendTo, mark} from './marks.js'
import {openMenu} from './menu.js'
import {openRowMenu} from './rowmenu.js'
import {openSections, toggleFold} from './sections.js'
import {$, clamp, focusList, isWide, on, say, title} from './words.js'

const LONG = 400, DOUBLE = 300, SWIPE = 48, EDGE = 64
let press = null, ignoresClick = false, isMouse = true, wasEdited = false
// What a click is to open, unless it was the first one of two.
let opening = null
const stop = event => (event.preventDefault(), event.stopPropagation())

// While Delete or a menu is shown, a touch on anything else cancels it and does only that. Edit does both, and so does a
// right click. A menu that closed itself would do so when the finger that has opened it is let go.
const isBeside = (e, {target}) => e && !e.contains(target)
on(document, 'pointerdown', event => {
	ignoresClick = false
	isMouse = event.pointerType === 'mouse'
	wasEdited = !!list.edited
	opening?.end()
	const shown = /** @type {HTMLElement} */ (document.querySelector(':popover-open'))
	if (isBeside(shown, event)) {
		shown.hidePopover()
		if (shown.id !== 'menu') focusList()
		ignoresClick = !event.button
	}
	if (list.asked !== null && !event.target.closest('.delete')) {
		cancelDelete()
		ignoresClick = !event.target.closest('#edit')
	}
	if (ignoresClick) stop(event)
}, true)
on(document, 'keydown', event => {
	const {key} = event
	ignoresClick = false
	// No second click comes: the key is for what is opened, and Escape is for the click.
	if (!opening || ['Shift', 'Control', 'Alt', 'Meta'].includes(key)) return
	if (key === 'Escape') opening.end(), stop(event)
	else opening.show()
}, true)
// The second click of two is not for what the first one has brought, nor for what was below a menu or a dialog that is gone.
let clicked = {time: 0, x: 0, y: 0, layer: null}
on(document, 'click', event => {
	const {timeStamp: time, clientX: x, clientY: y, target} = event, layer = target.closest('dialog, [popover]')
	const isBrought = event.detail > 1 && (target.closest('#menu button, #yes, #no, #act, #sample') || target.matches('#ask'))
	const isNext = event.detail > 1 || time - clicked.time < 500
	const isSecond = isBrought || clicked.layer && clicked.layer !== layer && isNext && Math.hypot(x - clicked.x, y - clicked.y) < 24
	if (ignoresClick || isSecond) stop(event)
	else clicked = {time, x, y, layer}
	ignoresClick = false
}, true)
on(document, 'dblclick', event => {
	if (clicked.layer && !clicked.layer.contains(event.target)) stop(event)
}, true)

// The list keeps the focus, so that it hears the keys; a text keeps it, too.
on(document, 'mousedown', event => {
	const {target} = event
	if (target.closest('dialog, [popover], .field, input')) return
	// That of the finger that has just opened a menu, which has the focus.
	if (document.querySelector(':popover-open')) return event.preventDefault()
	if (target.closest('button')) event.preventDefault()
	// Undo is about a cell that is open.
	if (list.edited && target.closest('#undo')) return
	if (document.activeElement !== $('text') && target.closest('button, #list')) focusList()
})
on(view, 'pointerdown', event => {
	const {target, pointerId: id, clientX: x, clientY: y} = event, line = target.closest('.row'), c = line?.customer
	if (!c || event.button || list.hand || press || target.closest('.field')) return
	press = {id, x, y, at: y, line, c, isHandle: target.dataset.do === 'menu', isTouch: event.pointerType !== 'mouse', swipe: 0, grip: y - line.getBoundingClientRect().top, timer: 0}
	if (press.isTouch && !press.isHandle) press.timer = setTimeout(list.isEditing || list.read_only || !list.isOrdered ? () => {
		press = null
		ignoresClick = true
		showMenuOf(line, {x, y})
	} : lift, LONG)
})
function showMenuOf(line, point) {
	Object.assign(list, {cursor: line.customer.id, cursorRow: line.row})
	list.draw()
	openRowMenu(line.customer.id, point)
}
function lift() {
	clearTimeout(press.timer)
	if (!pickUp(press.c.id)) return (press = null)
	press.isHeld = true
	try {view.setPointerCapture(press.id)} catch {}
	focusList()
	carry()
	requestAnimationFrame(now => (edgeSince = frame = now, scrollAtEdge(now)))
}
function carry() {
	holdAt(press.at, press.grip)
	say(`${list.hand.words}.`)
}
const isHeld = () => press?.isHeld && list.hand && !list.hand.dropped
// A wheel moves the list below what is held.
on(view, 'scroll', () => {if (isHeld() && !view.classList.contains('racing')) carry()}, {passive: true})
on(view, 'pointermove', event => {
	if (event.pointerId !== press?.id) return
	const dx = event.clientX - press.x, dy = (press.at = event.clientY) - press.y
	press.hasMoved ||= Math.hypot(dx, dy) >= 6
	if (isHeld()) return carry()
	if (press.isHeld || !press.hasMoved) return
	clearTimeout(press.timer)
	if (press.isHandle) return lift()
	if (!press.isTouch || list.read_only) return
	if (!press.swipe && (dx > -10 || -dx < 2 * Math.abs(dy))) return
	if (press.c.can_edit === false) return say(`${title(press.c)} is protected.`)
	press.swipe = clamp(dx, -120, -1)
	press.line.classList.add('swiped')
	press.line.style.setProperty('--swipe', `${press.swipe}px`)
})
function letGo(event) {
	if (event.pointerId !== press?.id) return
	const {swipe, line, c, timer, hasMoved, isHandle} = press, wasHeld = isHeld(), isUp = event.type === 'pointerup'
	// A click that follows is part of the drag or swipe.
	ignoresClick = !!(press.isHeld || swipe)
	press = null
	clearTimeout(timer)
	line.classList.remove('swiped')
	view.classList.remove('racing')
	// A row that stayed under the finger was not to be moved.
	if (wasHeld && isUp && !hasMoved && !isHandle) putBack(''), showMenuOf(line, {x: event.clientX, y: event.clientY})
	else if (wasHeld) isUp ? drop() : putBack()
	else if (swipe <= -SWIPE && isUp) askDelete(c.id, 'Tap Delete')
}
on(view, 'pointerup', letGo)
on(view, 'pointercancel', letGo)
// What a touch may do is fixed when it starts (w3c/pointerevents#178), but a listener that is there may refuse.
on(view, 'touchmove', event => {if (list.hand || press?.swipe) event.preventDefault()}, {passive: false})
on(view, 'contextmenu', event => {
	const {target, clientX: x, clientY: y} = event, line = target.closest('.row')
	if (target.closest('.field')) return
	if (line || !isMouse || list.hand) event.preventDefault()
	if (line?.customer && isMouse && !list.hand && !ignoresClick) showMenuOf(line, {x, y})
})

// The longer a row is held at an edge, the faster the list goes by: one of any length within five seconds.
let edgeSince = 0, frame = 0
function scrollAtEdge(now) {
	if (!isHeld()) return
	const {top: head, bottom} = edges(), seconds = Math.min(.1, (now - frame) / 1000)
	const depth = Math.min(0, press.at - head - EDGE) || Math.max(0, press.at - bottom + EDGE)
	frame = now
	// Rows that make room would lag behind.
	view.classList.toggle('racing', !!depth)
	if (!depth) edgeSince = now
	else {
		const near = 1100 * Math.min(1.5, Math.abs(depth) / EDGE) ** 2 + 60
		const far = 1.5 * list.layout.count * height * Math.min(1, (now - edgeSince) / 4500) ** 5
		scrollTo(top + Math.sign(depth) * (near + far) * seconds)
		carry()
	}
	requestAnimationFrame(scrollAtEdge)
}

on(view, 'click', event => {
	const line = event.target.closest('.line'), c = line?.customer, action = event.target.dataset.do
	if (list.hand || event.target.closest('.field')) return
	if (line?.item?.header !== undefined && (action === 'fold' || event.target.matches('.name'))) return toggleFold(line.item.header)
	if (action === 'section') return openSections(event.target, line.item.header)
	if (line?.item?.add !== undefined) return openForm(null, list.sections[line.item.add].id)
	if (!c) return
	if (event.shiftKey) beginRange()
	else list.range = null
	Object.assign(list, {cursor: c.id, cursorRow: line.row})
	if (event.shiftKey) return extendTo(line.row)
	if (action === 'delete') remove()
	else if (action === 'ask') askDelete(c.id, 'Choose Delete')
	else if (action === 'menu') openMenu(c.id, event.target)
	else if (event.ctrlKey || event.metaKey || list.isEditing || event.target.matches('.number')) mark(c.id)
	else if (!wasEdited) open(c.id)
	list.draw()
})
// A mouse may click once more, to edit the cell.
function open(id) {
	const show = () => (end(), (list.view.due ? openLog : openForm)(id))
	const timer = isMouse && isWide() && !list.read_only ? setTimeout(show, DOUBLE) : 0
	const end = () => (clearTimeout(timer), opening = null)
	timer ? opening = {show, end} : show()
}
// Back, before it opened: it is not wanted anymore.
on(self, 'popstate', () => opening?.end())
// An empty cell is lower than its row.
on(view, 'dblclick', ({target, clientX}) => {
	const line = target.closest('.row'), [name, ...cells] = line?.querySelectorAll('.name, .column') ?? [], isHit = e => {
		const {left, right} = e.getBoundingClientRect()
		return clientX >= left && clientX < right
	}
	const i = cells.findIndex(isHit)
	if (!line?.customer || target.closest('.field') || (i < 0 && !isHit(name))) return
	opening?.end()
	editCell(line.customer.id, columns[i]?.name ?? 'first_name')
})
