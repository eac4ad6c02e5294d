// The address: `#/customer/17` has a customer open, and `#/view/?text=Berlin` has the search, the order, the
// section, and the columns.
import {keyInAddress} from './connection.js'
import {addEntry} from './cover.js'
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
// Whether it is a search, an order, or what is due, and not the list as it is.
/** @param {View} view */
const isOther = ({text, sort, due}) => !!(text || sort || due)
// Whether the entry of the history is, or is above, one that was added for such a view. One whose view has ended stays for the
// next, and Back passes it.
let isViewed = !!history.state?.isViewed
// `at` names an entry of the history that was added here, so that leaving it is going back.
export const replaceAddress = (id, at = history.state?.at) => {
	isViewed ||= isOther(list.view)
	history.replaceState({...history.state, at, isViewed}, '', addressOf(id))
}
export const pushAddress = (id, at) => addEntry({at, isViewed}, addressOf(id))
// The view has changed. That of a link has its entry.
export function addressView() {
	const {id} = readAddress()
	if (!isOther(list.view) || isViewed || !history.state) return replaceAddress(id)
	isViewed = true
	pushAddress(id, history.state.at)
}
// The view that Back or Forward has come to, if it is another one; null if there is nothing to see, which is to be passed.
export function viewOfEntry() {
	const was = isViewed, {section} = list.view, {view} = readAddress()
	isViewed = !!history.state.isViewed
	if (isOther(list.view)) return isViewed ? undefined : {...list.view, text: '', sort: undefined, due: undefined}
	if (isViewed) return isOther(view) ? {...view, section} : undefined
	return was ? null : undefined
}
