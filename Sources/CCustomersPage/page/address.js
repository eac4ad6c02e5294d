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
// `at` names an entry of the history that was added here, so that leaving it is going back.
export const replaceAddress = (id, at = history.state?.at) => history.replaceState({...history.state, at}, '', addressOf(id))
export const pushAddress = (id, at) => addEntry(at, addressOf(id))
