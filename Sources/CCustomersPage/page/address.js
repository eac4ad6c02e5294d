// The address: `#/customer/17` has a customer open, and `#/view/?text=Berlin` has the search, the order, and the columns.
import {keyInAddress} from './connection.js'
import {list} from './list.js'

// The customer that is named, or "new", and the view.
export function readAddress() {
	const [path, query] = location.hash.slice(1).split('?'), [, kind, id] = path.split('/')
	const {only, descending, columns, ...rest} = Object.fromEntries(new URLSearchParams(query))
	return {
		id: kind !== 'customer' ? null : id === 'new' ? id : +id || null,
		view: {text: '', sort: undefined, ...rest, only: only !== 'no', descending: descending === 'yes'}, columns: columns?.split('\n'),
	}
}
export function addressOf(id, key = keyInAddress()) {
	const {text, only, sort, descending, due} = list.view, columns = list.columns?.map(({name}) => name).join('\n')
	const said = {text, only: text && !only && 'no', sort, descending: sort && descending && 'yes', due: due && 'today', columns}
	const query = `${new URLSearchParams(Object.entries(said).filter(([, value]) => value))}`
	return `${location.pathname}#${key}${id ? `/customer/${id}` : query ? '/view/' : ''}${query && `?${query}`}`.replace(/#$/, '')
}
export const linkTo = id => location.origin + addressOf(id, '')
// `at` names an entry of the history that was added here, so that leaving it is going back.
export const replaceAddress = (id, at = history.state?.at) => history.replaceState({at}, '', addressOf(id))
export const pushAddress = (id, at) => history.pushState({at}, '', addressOf(id))
