// Mouse and finger, as the help says.
import {askDelete, cancelDelete, mark, markTo, remove} from './edit.js'
import {openForm} from './form.js'
import {drop, holdAt, pickUp, putBack} from './hand.js'
import {list, scrollTo, top, view} from './list.js'
import {openLog} from './log.js'
import {openMenu} from './menu.js'
import {openSections} from './sections.js'
import {clamp, on, say} from './words.js'

const LONG = 400, SWIPE = 48, EDGE = 64
let press = null, ignoresClick = false
const stop = event => (event.preventDefault(), event.stopPropagation())

// While Delete is shown, a touch on anything else cancels it and does only that. Edit does both.
on(document, 'pointerdown', event => {
	ignoresClick = false
	if (list.asked === null || event.target.closest('.delete')) return
	cancelDelete()
	ignoresClick = !event.target.closest('#edit')
	if (ignoresClick) stop(event)
}, true)
on(document, 'keydown', () => {ignoresClick = false}, true)
on(document, 'click', event => {
	if (ignoresClick) stop(event)
	ignoresClick = false
}, true)

on(view, 'pointerdown', event => {
	const {target, pointerId: id, clientX: x, clientY: y} = event, line = target.closest('.row'), c = line?.customer
	if (!c || event.button || list.hand || press) return
	press = {id, x, y, at: y, line, c, isHandle: target.dataset.do === 'menu', isTouch: event.pointerType !== 'mouse', swipe: 0}
	press.grip = y - line.getBoundingClientRect().top
	if (press.isTouch && !press.isHandle) press.timer = setTimeout(take, LONG)
})
function take() {
	clearTimeout(press.timer)
	if (!pickUp(press.c.id)) return (press = null)
	press.isHeld = true
	try {view.setPointerCapture(press.id)} catch {}
	list.cursor = press.c.id
	hold()
	requestAnimationFrame(scrollAtEdge)
}
function hold() {
	holdAt(press.at, press.grip)
	say(`${list.hand.words}.`)
}
const isHeld = () => press?.isHeld && list.hand && !list.hand.isDropped
on(view, 'pointermove', event => {
	if (event.pointerId !== press?.id) return
	const dx = event.clientX - press.x, dy = (press.at = event.clientY) - press.y
	if (isHeld()) return hold()
	if (press.isHeld || Math.hypot(dx, dy) < 6) return
	clearTimeout(press.timer)
	if (press.isHandle) return take()
	if (!press.isTouch || list.read_only || press.c.can_edit === false) return
	if (!press.swipe && (dx > -10 || -dx < 2 * Math.abs(dy))) return
	press.swipe = clamp(dx, -120, -1)
	press.line.classList.add('swiped')
	press.line.style.setProperty('--swipe', `${press.swipe}px`)
})
function end(event) {
	if (event.pointerId !== press?.id) return
	const {swipe, line, c, timer} = press, wasHeld = isHeld(), isUp = event.type === 'pointerup'
	// A click that follows is part of the drag or swipe.
	ignoresClick = !!(press.isHeld || swipe)
	press = null
	clearTimeout(timer)
	line.classList.remove('swiped')
	if (wasHeld) isUp ? drop() : putBack()
	else if (swipe <= -SWIPE && isUp) askDelete(c.id, 'Tap Delete')
}
on(view, 'pointerup', end)
on(view, 'pointercancel', end)
// What a touch may do is fixed when it starts (w3c/pointerevents#178), but a listener that is there may refuse.
on(view, 'touchmove', event => {if (list.hand || press?.swipe) event.preventDefault()}, {passive: false})
on(view, 'contextmenu', event => {if (press?.isTouch || list.hand) event.preventDefault()})

function scrollAtEdge() {
	if (!isHeld()) return
	const edge = view.getBoundingClientRect()
	const depth = Math.min(0, press.at - edge.top - EDGE) || Math.max(0, press.at - edge.bottom + EDGE)
	if (depth) {
		scrollTo(top + Math.sign(depth) * (1 + 18 * Math.min(1.5, Math.abs(depth) / EDGE) ** 2))
		hold()
	}
	requestAnimationFrame(scrollAtEdge)
}

on(view, 'click', event => {
	const line = event.target.closest('.line'), c = line?.customer, action = event.target.dataset.do
	if (list.hand) return
	if (action === 'section') return openSections(event.target, line.item.header)
	if (line?.item?.add !== undefined) return openForm(null, list.sections[line.item.add].id)
	if (!c) return
	if (event.shiftKey) return markTo(line.row)
	Object.assign(list, {cursor: c.id, cursorRow: line.row})
	if (action === 'delete') remove()
	else if (action === 'ask') askDelete(c.id, 'Choose Delete')
	else if (action === 'menu') openMenu(c.id, event.target)
	else if (event.ctrlKey || event.metaKey || list.isEditing) mark(c.id)
	else (list.view.due ? openLog : openForm)(c.id)
	list.draw()
})
