// Sections: added, renamed, moved, and deleted with their customers.
import {perform, send} from './edit.js'
import {customer, list} from './list.js'
import {item, sectionName, showMenu} from './menu.js'
import {customers, el, question, say} from './words.js'

const edit = (what, section, seen) => perform(() => send({section}, what, {seen}))
const askTitle = (text, yes, value = '') =>
	question(text, yes, Object.assign(el('input', '', '', {'aria-label': 'Title'}), {value}))
// The menu of a section, by its index; without one, of that at the cursor.
export function openSections(from, i) {
	const {sections} = list
	if (list.readOnly) return say('This list is read-only.', true)
	i ??= sections.findLastIndex(s => (customer(list.cursor)?.row ?? 1) >= s.first)
	const section = sections[i]
	const add = item('Add a section…', async () => {
		const text = await askTitle('New section', 'Add')
		if (text) edit('Add a section', {add: {title: text}})
	})
	if (!section) return showMenu('Sections', from, [add])
	const {id, count} = section, name = sectionName(i), move = to => () => edit('Move a section', {move: {id, to}})
	showMenu(`Section ${name}`, from, [
		item(`Rename ${name}…`, async () => {
			const text = await askTitle(`Rename ${name}`, 'Rename', section.title)
			if (text && text !== section.title) edit('Rename a section', {rename: {id, title: text}})
		}),
		...i ? [item(`Move ${name} up`, move(i))] : [],
		...sections[i + 1] ? [item(`Move ${name} down`, move(i + 2))] : [],
		item(`Delete ${name}…`, async () => {
			const seen = list.version, withCustomers = count > 0
			const text = `Delete section "${section.title}"${withCustomers ? ` with ${customers(count)}` : ''}?`
			if (await question(text, 'Delete')) edit('Delete a section', {delete: {id, withCustomers}}, seen)
		}),
		add])
}
