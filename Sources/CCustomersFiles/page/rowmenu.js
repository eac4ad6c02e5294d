// The menu of a row: by a right click, Shift+F10, in edit mode a long press, and in its form.
import {copy, copyLink, copyText, pasteBelow} from './clipboard.js'
import {ask} from './connection.js'
import {mayMerge, merge} from './duplicates.js'
import {askDelete, perform, send} from './edit.js'
import {fieldsOf, formPath, get, nest} from './fields.js'
import {form, openForm, showAgain} from './form.js'
import {openHistory} from './history.js'
import {customer, list} from './list.js'
import {openLog} from './log.js'
import {markTo, naming, subject} from './marks.js'
import {item, openMenu, showMenu} from './menu.js'
import {$, customers, say, title} from './words.js'

function protect(id, isFree) {
	const who = subject(id)
	return perform(() => send({protect: {...who.body, can_edit: isFree, can_move: isFree}}, `${isFree ? 'Allow' : 'Forbid'} changes of ${naming(who)}`, {seen: who.seen}).finally(showAgain))
}
// A copy below; without the log and the photo.
async function duplicate(id) {
	const page = await ask(formPath(id))
	if (page?.status !== 200) return page && say(page.message, true)
	return perform(async () => {
		const {status, ids} = await send({insert: {customers: [nest(fieldsOf(page), ({value}) => value)], to: {after: id}}}, 'Duplicate a customer', {shows: 'first'})
		// What is typed next is about the copy.
		if (status === 200 && form) await openForm(ids[0]), form?.tell('This is the copy.')
	})
}
export function openRowMenu(id, from) {
	const isForm = form?.id === id, c = customer(id) ?? (isForm && {id, name: $('title').textContent, can_edit: !form.isFixed})
	if (!c) return
	const {can_edit = true, can_move = true} = c, isProtected = !can_edit || !can_move, {ids} = subject(id), many = ids.length > 1 ? ` ${customers(ids.length)}` : ''
	const only = (isMine, ...items) => isMine && !list.read_only ? items : [], add = (text, to) => item(text, () => openForm(null, undefined, {[to]: id}))
	// Of many lines, which a finger does not select well.
	const address = isForm && form.lines.address && get(form.lines.address)
	// What a click on the link beside a field does.
	const links = isForm ? form.all.map(({to}) => to).filter(link => link.textContent && !link.hidden) : []
	showMenu(`Menu of ${naming(subject(id))}`, from, [
		...isForm ? [] : [item('Open', () => openForm(id))],
		...only(true, add('Insert above', 'before'), add('Insert below', 'after')), ...only(!many, item('Duplicate', () => duplicate(id))),
		...isForm || !list.marks.size || list.marks.has(id) ? [] : [item('Mark up to here', () => markTo(list.cursorRow, [...list.marks.values()].at(-1).row))],
		item(`Copy${many}`, () => copy(id)), ...address ? [item('Copy address', () => copyText(address, 'the address'))] : [], ...only(!isForm, item('Paste below', () => pasteBelow(id))), item('Copy link', () => copyLink(id)),
		...only(can_move, item(`Move${many} to…`, () => openMenu(id, from))),
		...only(mayMerge(subject(id)), item('Merge…', () => merge(ids, ids.map(id => title(customer(id) ?? {id}))))),
		...only(true, item((isProtected ? 'Unprotect' : 'Protect') + many, () => protect(id, isProtected))), ...only(!isForm, item('Log…', () => openLog(id))),
		...links.map(link => item(link.textContent, () => link.click())),
		item('History', () => openHistory(id, c.name)),
		...only(can_edit, item(`Delete${many}…`, () => isForm ? $('remove').click() : askDelete(id, 'Choose Delete'))),
	])
}
