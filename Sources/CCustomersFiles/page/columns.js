// The columns of a wide page: those of the view, and how wide they are; this browser keeps the choice.
import {ask, memory} from './connection.js'
import {list, load, showView, view} from './list.js'
import {clamp} from './words.js'

// What is shown: what was chosen, or what some customer has of the usual ones.
export let columns = []
export const setColumns = now => {columns = now}
list.columns = memory.get('columns', null)
const widths = memory.get('widths', {})
// The columns that are to be shown, in their order.
export function chooseTo(chosen) {
	list.columns = chosen.length ? chosen : null
	memory.set('columns', list.columns)
	list.draw()
	return load()
}
// A column has the width that someone gave it, in pixels, or its part of what there is.
export const widthOf = name => widths[name] ? `0 0 ${widths[name]}px` : ''
export function widen(name, width, isDone) {
	widths[name] = clamp(Math.round(width), 48, 800)
	for (const e of view.querySelectorAll(`[data-column="${CSS.escape(name)}"]`)) e.style.flex = widthOf(name)
	if (isDone) memory.set('widths', widths)
}

// Those that were chosen go on being those columns when someone renames or deletes some.
/** @param {{op: string, column?: string, new_name?: string}[]} changes */
export function followColumns(changes) {
	for (const {op, column, new_name: title} of changes) if (/^columns (rename|drop)$/.test(op)) {
		const old = `extra.${column}`, name = title && `extra.${title}`
		if (list.view.sort === old) showView({sort: name}, list.cursor)
		if (list.columns?.some(c => c.name === old)) chooseTo(list.columns.flatMap(c => c.name !== old ? c : name ? {name, title} : []))
	}
}

// Those of an address.
export async function chooseColumnsNamed(names) {
	const page = names && await ask('/v1/columns'), found = names?.map(name => page?.columns?.find(c => c.name === name)).filter(Boolean)
	if (found?.[0]) list.columns = found
}
