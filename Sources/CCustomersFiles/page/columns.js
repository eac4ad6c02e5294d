// The columns of a wide page: those of the view, and how wide they are; this browser keeps the choice.
import {ask, memory} from './connection.js'
import {list, load, view} from './list.js'
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

// Those of an address.
export async function chooseColumnsNamed(names) {
	const page = names && await ask('/v1/columns'), found = names?.map(name => page?.columns?.find(c => c.name === name)).filter(Boolean)
	if (found?.[0]) list.columns = found
}
