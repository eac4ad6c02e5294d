// Moving without dragging (WCAG 2.5.7): the handle is a button with a menu.
import {cover} from './cover.js'
import {perform, send} from './edit.js'
import {moveTo, moveToPlace, moveToRow, steps} from './hand.js'
import {customer, list, total} from './list.js'
import {naming, subject} from './marks.js'
import {$, clamp, el, focusList, number, on, question, readNumber, say, title, wrongName} from './words.js'

const menu = $('menu')
const close = () => menu.hidePopover()
// What of a form it was opened by has the focus again, and else the list. A key that chooses nothing goes back to what was
// pressed by a key, wherever that is.
let opener = null, pressed = null
on(menu, 'beforetoggle', ({newState}) => newState === 'closed' && (opener?.isConnected ? opener.focus() : focusList()))

export const item = (text, action) => {
	const b = el('button', '', text, {role: 'menuitem', tabindex: -1, type: 'button'})
	b.onclick = () => (close(), action())
	return b
}
// `from` is an element, or a point.
export function showMenu(label, from, items) {
	menu.ariaLabel = label
	menu.replaceChildren(...items)
	// Of a form that is alone, the rest of the page can't be clicked.
	;(document.querySelector('dialog:modal') ?? document.querySelector('main')).append(menu)
	cover()
	opener = from.closest?.('#form') ? from : null
	pressed = from === document.activeElement ? from : null
	menu.showPopover()
	const box = from.getBoundingClientRect?.(), {x, y} = box ? {x: box.right - menu.offsetWidth, y: box.bottom} : from
	menu.style.left = `${clamp(x, 8, innerWidth - menu.offsetWidth - 8)}px`
	menu.style.top = `${clamp(y, 8, innerHeight - menu.offsetHeight - 8)}px`
	menu.firstChild.focus()
}
export const askTitle = (text, yes, value = '') =>
	question(text, yes, Object.assign(el('input', '', '', {'aria-label': 'Title'}), {value}), text => wrongName('section', text, list.sections.filter(s => s.title !== value)))
export const sectionName = i => list.sections[i].title || (list.sections[1] ? `section ${i + 1}` : 'the list')
export function openMenu(id, from) {
	const c = customer(id) ?? {}, {sections} = list
	if (list.read_only) return
	if (c.can_move === false) return say(`${title(c)} is protected against moving.`, true)
	const here = sections.findIndex(s => c.position < s.first + s.count), what = `Move ${naming(subject(id))}`
	const end = (i, to = 'last') => moveToPlace(id, {section: sections[i].id, to})
	const others = [...sections.keys()].filter(i => i !== here)
	showMenu(what, from, [
		...list.isOrdered && c.id ? [item('Move up', () => moveTo(id, steps(-1))), item('Move down', () => moveTo(id, steps(1)))] : [],
		...here < 0 ? [] : ['first', 'last'].map(to =>
			item(`To the ${to === 'first' ? 'top' : 'end'} of ${sectionName(here)}`, () => end(here, to))),
		item('To row…', async () => {
			const input = el('input', '', '', {'aria-label': 'Row', inputmode: 'numeric', autocomplete: 'off'}), most = total() - subject(id).ids.length + 1
			const range = `To row 1 to ${number(most)}`, rowIn = text => readNumber(text) >= 1 && readNumber(text) <= most
			const text = await question(range, 'Move', input, text => rowIn(text) ? '' : `Type a number from 1 to ${number(most)}.`)
			if (text !== null) moveToRow(id, readNumber(text))
		}),
		...others.length > 6 ? [item('To section…', async () => {
			const select = el('select', '', '', {'aria-label': 'Section'})
			select.append(...others.map(i => el('option', '', sectionName(i), {value: i})))
			const i = await question(`${what} to the end of a section`, 'Move', select)
			if (i !== null) end(i)
		})] : others.map(i => item(`To section ${sectionName(i)}`, () => end(i))),
		item('To a new section…', async () => {
			const text = await askTitle('New section', 'Move'), made = text && await perform(() => send({add_section: {title: text}}, 'Add a section'))
			if (made?.status === 200) moveToPlace(id, {section: list.sections.at(-1).id, to: 'last'})
		})])
}
on(menu, 'keydown', event => {
	const items = [...menu.children], at = items.indexOf(document.activeElement)
	const next = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1}[event.key]
	if (next !== undefined) items.at(next % items.length).focus()
	else if (['Escape', 'Tab'].includes(event.key)) opener ??= pressed, close()
	else return
	event.preventDefault()
	// The form that it may be in has other keys.
	event.stopPropagation()
})
