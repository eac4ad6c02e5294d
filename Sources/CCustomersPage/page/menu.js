// Moving without dragging (WCAG 2.5.7): the handle is a button with a menu.
import {moveTo, moveToRow, steps} from './hand.js'
import {customer, list} from './list.js'
import {$, clamp, el, focusList, number, on, question, say, title} from './words.js'

const menu = $('menu')
const close = () => (menu.hidePopover(), focusList())

const item = (text, action) => {
	const b = el('button', '', text, {role: 'menuitem', tabindex: -1, type: 'button'})
	b.onclick = () => (close(), action())
	return b
}
export function showMenu(label, items, from) {
	menu.ariaLabel = label
	menu.replaceChildren(...Object.entries(items).map(([text, action]) => item(text, action)))
	place(from)
}
function place(from) {
	menu.showPopover()
	const {right, bottom} = from.getBoundingClientRect()
	menu.style.left = `${clamp(right - menu.offsetWidth, 8, innerWidth - menu.offsetWidth - 8)}px`
	menu.style.top = `${clamp(bottom, 8, innerHeight - menu.offsetHeight - 8)}px`
	menu.firstChild.focus()
}
export function openMenu(id, from) {
	const c = customer(id), {sections} = list
	if (!c || list.readOnly) return
	if (c.canMove === false) return say(`${title(c)} is protected against moving.`, true)
	const here = sections.findIndex(s => c.row < s.first + s.count)
	const name = i => sections[i].title || (sections[1] ? `section ${i + 1}` : 'the list')
	const move = (text, where) => item(text, () => moveTo(id, where)), end = i => () => [i, Infinity]
	const others = [...sections.keys()].filter(i => i !== here)
	menu.ariaLabel = `Move ${title(c)}`
	menu.replaceChildren(
		move('Move up', steps(-1)), move('Move down', steps(1)),
		move(`To the top of ${name(here)}`, () => [here, 0]), move(`To the end of ${name(here)}`, end(here)),
		item('To row…', async () => {
			const input = el('input', '', '', {'aria-label': 'Row', inputmode: 'numeric'})
			const row = parseInt(await question(`To row 1 to ${number(list.count)}`, 'Move', input))
			if (row) moveToRow(id, row)
		}),
		...others.length > 6 ? [item('To section…', async () => {
			const select = el('select', '', '', {'aria-label': 'Section'})
			select.append(...others.map(i => el('option', '', name(i), {value: i})))
			const i = await question(`Move ${title(c)} to the end of a section`, 'Move', select)
			if (i !== null) moveTo(id, end(+i))
		})] : others.map(i => move(`To section ${name(i)}`, end(i))))
	place(from)
}
on(menu, 'keydown', event => {
	const items = [...menu.children], at = items.indexOf(document.activeElement)
	const next = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1}[event.key]
	if (next !== undefined) items.at(next % items.length).focus()
	else if (['Escape', 'Tab'].includes(event.key)) close()
	else return
	event.preventDefault()
})
