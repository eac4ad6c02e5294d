// Sections: folded, carried by their headings, added, renamed, moved, and deleted with their customers.
import {copyLink} from './clipboard.js'
import {redraw} from './draw.js'
import {perform, send} from './edit.js'
import {customer, edges, fold, height, list, scrollTo, top, view} from './list.js'
import {markTo} from './marks.js'
import {askTitle, item, sectionName, showMenu} from './menu.js'
import {$, clamp, customers, on, question, say} from './words.js'

// The number of a section, from 1, which others may change at any time.
const placeOf = id => list.sections.findIndex(section => section.id === id) + 1
const change = (what, edit, seen) => perform(() => send(edit, what, {seen}))
// The menu of a section, by its index; without one, of that at the cursor.
export function openSections(from, i) {
	const {sections} = list
	if (list.read_only) return say('This list is read-only.', true)
	i ??= sections.findLastIndex(s => (customer(list.cursor)?.position ?? 1) >= s.first)
	const section = sections[i]
	const add = item('Add a section…', async () => {
		const text = await askTitle('New section', 'Add')
		if (text) change('Add a section', {add_section: {title: text}})?.then(({status}) => status === 200 && goTo(list.sections.length - 1))
	})
	if (!section) return showMenu('Sections', from, [add])
	const {id, count} = section, name = sectionName(i), move = by => () => change('Move a section', {move_section: {id, to: placeOf(id) + by}})
	showMenu(`Section ${name}`, from, [
		...section.title ? [item(`${list.folded.has(id) ? 'Unfold' : 'Fold'} ${name}`, () => toggleFold(i))] : [],
		...sections[1] ? [item(canFold() ? 'Fold all sections' : 'Unfold all sections', foldAll)] : [],
		...count ? [item(`Mark ${customers(count)}`, () => markTo(section.first + count - 2, section.first - 1))] : [],
		item(`Copy link to ${name}`, () => copyLink(undefined, id)),
		item(`Rename ${name}…`, async () => {
			const text = await askTitle(`Rename ${name}`, 'Rename', section.title)
			const now = list.sections[placeOf(id) - 1]?.title ?? section.title
			if (!text || text === now || (now !== section.title && !await question(`It is "${now}" now. Rename it to "${text}"?`, 'Rename'))) return
			change('Rename a section', {rename_section: {id, title: text}})
		}),
		...i ? [item(`Move ${name} up`, move(-1))] : [],
		...sections[i + 1] ? [item(`Move ${name} down`, move(1))] : [],
		item(`Delete section "${name}"…`, async () => {
			const seen = list.version
			const text = `Delete section "${section.title}"${count ? ` with ${customers(count)}` : ''}?`
			if (await question(text, 'Delete')) change('Delete a section', {delete_section: {id, with_customers: count > 0}}, seen)
		}),
		add])
}

// ---- Folding: only the heading is shown

export function toggleFold(i) {
	const {id, title} = list.sections[i]
	if (!title) return say('A section without a title has no heading to fold.')
	fold(id, !list.folded.has(id))
	redraw()
}
const canFold = () => list.sections.some(({id, title}) => title && !list.folded.has(id))
export function foldAll() {
	const isFolded = canFold()
	for (const {id, title} of list.sections) if (title) fold(id, isFolded)
	redraw()
}
const goTo = i => scrollTo(list.layout.starts[i] * height)
on($('stuck'), 'click', event => {
	const i = +$('stuck').dataset.part, {target} = event
	event.stopPropagation()
	if (target.dataset.do) return openSections(target, i)
	if (target.matches('.fold *')) toggleFold(i)
	goTo(i)
})
// Shows the section that an address names.
export function showSection(id) {
	const i = list.sections.findIndex(section => section.id === id)
	if (i < 0 || !list.isOrdered) return
	fold(id)
	goTo(i)
}

// ---- Carrying: a heading goes to another place among the headings, which are shown alone meanwhile

// What is carried follows what others do to the sections.
class Carried {
	y = 0
	constructor(id) {
		this.id = id
		// The section that comes after it; none at the end.
		this.next = this.others[this.i]?.id
	}
	get i() {return placeOf(this.id) - 1}
	get others() {return list.sections.filter(({id}) => id !== this.id)}
	get to() {
		const {others, next} = this, i = others.findIndex(({id}) => id === next)
		return i < 0 ? others.length : i
	}
}
let grip = null
on(view, 'pointerdown', ({target, button, pointerId, clientY}) => {
	const line = target.dataset.do === 'carry' && target.closest('.header')
	if (!line || button || list.hand || list.read_only) return
	grip = {pointerId, id: list.sections[line.item.header].id, start: clientY, offset: clientY - line.getBoundingClientRect().top}
})
on(view, 'pointermove', ({pointerId, clientY}) => {
	if (pointerId !== grip?.pointerId) return
	const {id, start, offset} = grip, i = placeOf(id) - 1
	if (i < 0) return
	if (!list.carried && Math.abs(clientY - start) < 6) return
	const above = clientY - edges().top - offset
	if (!list.carried) {
		list.carried = new Carried(id)
		try {view.setPointerCapture(pointerId)} catch {}
		redraw()
		scrollTo(list.layout.starts[i] * height - above)
	}
	const {starts} = list.layout, y = clamp(above + top, 0, starts.at(-1) * height)
	// One is passed with its middle, by the head or the foot of the one that is carried.
	const passed = starts.filter((line, n) => n < i ? y >= (line + .5) * height : n > i && y + height > (line + .5) * height)
	Object.assign(list.carried, {y, next: list.carried.others[passed.length]?.id})
	list.draw()
})
function release({pointerId, type, key}) {
	if (!(key === 'Escape' && list.carried) && pointerId !== grip?.pointerId) return
	const {carried} = list, above = carried && carried.y - top
	grip = list.carried = null
	if (!carried) return
	const {id, i, to} = carried
	const show = () => placeOf(id) && scrollTo(list.layout.starts[placeOf(id) - 1] * height - above)
	redraw()
	show()
	if (i < 0) return say('The section is already deleted.', true)
	if (type !== 'pointerup' || to === i) return say('Nothing was moved.')
	change('Move a section', {move_section: {id, to: to + 1}})?.then(show)
}
on(view, 'pointerup', release)
on(view, 'pointercancel', release)
on(document, 'keydown', event => list.carried && (release(event), event.stopImmediatePropagation()), true)
