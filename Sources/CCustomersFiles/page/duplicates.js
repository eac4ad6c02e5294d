// Customers that may be the same: in groups, or marked; they are merged into the first.
import {ask} from './connection.js'
import {perform, send} from './edit.js'
import {list} from './list.js'
import {customers, el, number, question, say, title} from './words.js'

const LARGEST = 20, WORDS = {name: 'name', email: 'e-mail address', phone: 'phone number'}
export const mayMerge = ({ids}) => ids.length > 1 && ids.length <= LARGEST
export async function merge(ids, names, seen = list.version) {
	const text = `Merge ${names.join(', ')}?\n\nThe first keeps its values, and gets what it lacks from the others, which are deleted.`
	return await question(text, 'Merge') && perform(() => send({merge: {ids}}, `Merge ${customers(ids.length)}`, {seen}))
}
export async function openDuplicates() {
	const page = await ask('/v1/duplicates')
	if (page?.status !== 200) return page && say(page.message, true)
	const {groups, count, version} = page, body = el('div', 'wide')
	if (!count) return say('No customers have a name, an e-mail address, or a phone number in common.')
	/** @type {object[]} */
	let chosen
	for (const group of groups) {
		const e = el('details'), {rows, reasons} = group, summary = el('summary', '', rows.map(c => c.name || title(c)).join(', ')), button = el('button', '', 'Merge…')
		summary.append(el('small', '', `The same ${reasons.map(reason => WORDS[reason]).join(' and ')}${group.count > rows.length ? `, and ${number(group.count - rows.length)} more` : ''}`))
		button.onclick = () => {chosen = rows}
		e.append(summary, ...rows.map(c => el('p', '', [`Row ${number(c.position)}`, c.name, c.company, c.email, c.phone].filter(Boolean).join(' · '))), button)
		body.append(e)
	}
	await question(count === 1 ? 'Customers who may be the same' : `${number(count)} groups of customers who may be the same`, 'Close', body)
	if (!chosen) return
	const answer = await merge(chosen.map(c => c.id), chosen.map(title), version)
	if (answer?.status === 200 && count > 1) openDuplicates()
}
