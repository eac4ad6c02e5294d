// Sections: added, renamed, moved, and deleted with their customers.
import {perform, send} from './edit.js'
import {customer, list} from './list.js'
import {item, sectionName, showMenu} from './menu.js'
import {customers, el, question, say} from './words.js'

const change = (what, edit, seen) => perform(() => send(edit, what, {seen}))
const askTitle = (text, yes, value = '') =>
	question(text, yes, Object.assign(el('input', '', '', {'aria-label': 'Title'}), {value}))
// The menu of a section, by its index; without one, of that at the cursor.
export function openSections(from, i) {
	const {sections} = list
	if (list.read_only) return say('This list is read-only.', true)
	i ??= sections.findLastIndex(s => (customer(list.cursor)?.position ?? 1) >= s.first)
	const section = sections[i]
	const add = item('Add a section…', async () => {
		const text = await askTitle('New section', 'Add')
		if (text) change('Add a section', {add_section: {title: text}})
	})
	if (!section) return showMenu('Sections', from, [add])
	const {id, count} = section, name = sectionName(i), move = to => () => change('Move a section', {move_section: {id, to}})
	showMenu(`Section ${name}`, from, [
		item(`Rename ${name}…`, async () => {
			const text = await askTitle(`Rename ${name}`, 'Rename', section.title)
			if (text && text !== section.title) change('Rename a section', {rename_section: {id, title: text}})
		}),
		...i ? [item(`Move ${name} up`, move(i))] : [],
		...sections[i + 1] ? [item(`Move ${name} down`, move(i + 2))] : [],
		item(`Delete ${name}…`, async () => {
			const seen = list.version
			const text = `Delete section "${section.title}"${count ? ` with ${customers(count)}` : ''}?`
			if (await question(text, 'Delete')) change('Delete a section', {delete_section: {id, with_customers: count > 0}}, seen)
		}),
		add])
}
