// Moving without dragging (WCAG 2.5.7): the handle is a button with a menu.
import {focusList} from './edit.js'
import {moveTo, steps} from './hand.js'
import {customer, list} from './list.js'
import {$, clamp, el, number, on, question, say, title} from './words.js'

const menu = $('menu')
const close = () => (menu.hidePopover(), focusList())

export function openMenu(id, from) {
	const c = customer(id), {sections} = list
	if (!c || list.readOnly) return
	if (c.canMove === false) return say(`${title(c)} is protected against moving.`, true)
	const here = sections.findIndex(s => c.row < s.first + s.count)
	const name = i => sections[i].title || (sections[1] ? `section ${i + 1}` : 'the list')
	const item = (text, where) => {
		const b = el('button', '', text, {role: 'menuitem', tabindex: -1, type: 'button'})
		b.onclick = () => (close(), where ? moveTo(id, where) : toRow(id))
		return b
	}
	menu.ariaLabel = `Move ${title(c)}`
	menu.replaceChildren(
		item('Move up', steps(-1)), item('Move down', steps(1)),
		item(`To the top of ${name(here)}`, () => [here, 0]), item(`To the end of ${name(here)}`, () => [here, Infinity]),
		item('To row…'), ...sections.map((_, i) => item(`To section ${name(i)}`, () => [i, Infinity])).filter((_, i) => i !== here))
	menu.showPopover()
	const {right, bottom} = from.getBoundingClientRect()
	menu.style.left = `${clamp(right - menu.offsetWidth, 8, innerWidth - menu.offsetWidth - 8)}px`
	menu.style.top = `${clamp(bottom, 8, innerHeight - menu.offsetHeight - 8)}px`
	menu.firstChild.focus()
}
async function toRow(id) {
	const text = await question(`To row 1 to ${number(list.count)}`, 'Move', {inputMode: 'numeric', ariaLabel: 'Row'})
	const row = parseInt(text)
	focusList()
	if (row > 0) await moveTo(id, place => place.at(clamp(row, 1, list.count) - 1))
}
on(menu, 'keydown', event => {
	const items = [...menu.children], at = items.indexOf(document.activeElement)
	const next = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1}[event.key]
	if (next !== undefined) items.at(next % items.length).focus()
	else if (['Escape', 'Tab'].includes(event.key)) close()
	else return
	event.preventDefault()
})
