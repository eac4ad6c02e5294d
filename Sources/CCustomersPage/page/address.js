// The address: `#/customer/17` has a customer open, and `#/view/?text=Berlin` has the search, the order, the
// section, and the columns.
import {keyInAddress} from './connection.js'
import {list} from './list.js'

// The customer that is named, or "new", and the view.
/** @returns {{id: number | string | null, view: View, columns?: string[]}} */
export function readAddress() {
	const [path, query] = location.hash.slice(1).split('?'), [, kind, id] = path.split('/')
	const {only, descending, columns, section, ...rest} = Object.fromEntries(new URLSearchParams(query))
	return {
		id: kind !== 'customer' ? null : id === 'new' ? id : +id || null,
		view: {text: '', sort: undefined, ...rest, only: only !== 'no', descending: descending === 'yes', section: +section || undefined}, columns: columns?.split('\n'),
	}
}
export function addressOf(id, key = keyInAddress(), section = list.view.section) {
	const {text, only, sort, descending, due} = list.view, columns = list.columns?.map(({name}) => name).join('\n')
	const said = {text, only: text && !only && 'no', sort, descending: sort && descending && 'yes', due: due && 'today', section: !text && !sort && !due && section, columns}
	const query = `${new URLSearchParams(Object.entries(said).filter(([, value]) => value))}`
	return `${location.pathname}#${key}${id ? `/customer/${id}` : query ? '/view/' : ''}${query && `?${query}`}`.replace(/#$/, '')
}
export const linkTo = (id, section) => location.origin + addressOf(id, '', section)
// `at` names an entry of the history that was added here, so that leaving it is going back.
export const replaceAddress = (id, at = history.state?.at) => history.replaceState({...history.state, at}, '', addressOf(id))
export function pushAddress(id, at) {
	isCovered ? history.replaceState({at}, '', addressOf(id)) : history.pushState({at}, '', addressOf(id))
	isCovered = false
}

// What covers the page, a menu or a question, has an entry, so that Back closes it. It stays for the next one, and Back
// passes it if nothing is open.
let isCovered = !!history.state?.isCover
export function cover() {
	if (!isCovered) history.pushState({...history.state, isCover: true}, '')
	isCovered = true
}
// Whether Back has closed something. An entry without a state was not made here: it is that of a link or a bookmark.
export function uncover(isLeaving) {
	const was = isCovered, open = /** @type {Control[]} */ ([...document.querySelectorAll('dialog:modal:not(#form), :popover-open')]).at(-1)
	isCovered = !!history.state?.isCover
	if (!was || isCovered || isLeaving || !history.state) return false
	open ? open.matches('dialog') ? open.close() : open.hidePopover() : history.back()
	return true
}
// Leaves the entry of a form, and that of what covered it.
export const leaveEntry = () => isCovered ? history.go(-2) : history.back()
