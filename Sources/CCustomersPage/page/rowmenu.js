// The menu of a row: by a right click, Shift+F10, or, in edit mode, a long press.
import {copy, copyLink, pasteBelow} from './clipboard.js'
import {mayMerge, merge} from './duplicates.js'
import {askDelete, perform, send, undoing} from './edit.js'
import {openForm} from './form.js'
import {openHistory} from './history.js'
import {customer, list} from './list.js'
import {openLog} from './log.js'
import {naming, subject} from './marks.js'
import {item, openMenu, showMenu} from './menu.js'
import {title} from './words.js'

function protect(id, isFree) {
	const who = subject(id)
	return perform(() => send({protect: {...who.body, can_edit: isFree, can_move: isFree}},
		`${isFree ? 'Allow' : 'Forbid'} changes of ${naming(who)}`, {seen: who.seen, action: undoing}))
}
export function openRowMenu(id, from) {
	const c = customer(id)
	if (!c) return
	const {can_edit = true, can_move = true} = c, isProtected = !can_edit || !can_move
	const only = (isMine, ...items) => isMine && !list.read_only ? items : [], add = (text, to) => item(text, () => openForm(null, undefined, {[to]: id}))
	showMenu(`Menu of ${naming(subject(id))}`, from, [
		item('Open', () => openForm(id)),
		...only(true, add('Insert above', 'before'), add('Insert below', 'after')),
		item('Copy', () => copy(id)), ...only(true, item('Paste below', () => pasteBelow(id))), item('Copy link', () => copyLink(id)),
		...only(can_move, item('Move to…', () => openMenu(id, from))),
		...only(mayMerge(subject(id)), item('Merge…', () => {
			const {ids} = subject(id)
			merge(ids, ids.map(id => title(customer(id) ?? {id})))
		})),
		...only(true, item(isProtected ? 'Unprotect' : 'Protect', () => protect(id, isProtected)), item('Log…', () => openLog(id))),
		item('History', () => openHistory(id, c.name)),
		...only(can_edit, item('Delete…', () => askDelete(id))),
	])
}
