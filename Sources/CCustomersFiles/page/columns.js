// The columns of a wide page: those of the view, and how wide they are; this browser keeps the choice.
import {ask, memory} from './connection.js'
import {list, load, showView, view} from './list.js'
import {clamp} from './words.js'

// What is shown: what was chosen, or what some customer has of the usual ones.
export let columns = []
export const setColumns = now => {columns = now}
// What was chosen, of which the list may not have all anymore. Those that it lacks are neither asked for nor shown, and come
// back if the column does. None has a name twice.
let picked = null
const lacking = new Set()
export const isLacking = field => lacking.has(`extra.${field}`)
function keepOnce(now) {
	const first = new Map()
	for (const c of now ?? []) if (!first.has(c.name)) first.set(c.name, c)
	picked = first.size ? [...first.values()] : null
	const shown = picked?.filter(({name}) => !lacking.has(name)) ?? []
	list.columns = shown[0] ? shown : null
}
keepOnce(memory.get('columns', null))
const widths = memory.get('widths', {})
// The columns that are to be shown, in their order.
export function chooseTo(now) {
	for (const {name} of now) lacking.delete(name)
	return keepChoice(now[0] && [...now, ...picked?.filter(({name}) => lacking.has(name)) ?? []])
}
function keepChoice(now) {
	keepOnce(now)
	memory.set('columns', picked)
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

// One that was chosen goes on being that column when someone renames it; without a name, it was deleted.
export function followChoice(old, name, title) {
	lacking.delete(name)
	if (list.view.sort === old) showView({sort: name}, list.cursor)
	// A cell in edit stays in its column.
	if (name) columns = columns.map(c => c.name === old ? {name, title} : c)
	if (picked?.some(c => c.name === old)) keepChoice(picked.flatMap(c => c.name !== old ? c : name ? {name, title} : []))
}
// Looks which of those that were chosen the list has, whoever has made, deleted, or restored some.
export async function checkColumns() {
	const isExtra = ({name}) => name.startsWith('extra.')
	if (list.isWall || !picked?.some(isExtra)) return
	const page = await ask('/v1/columns'), before = [...lacking].join('\n')
	if (page?.status !== 200) return
	const names = new Set(page.columns.map(({name}) => name))
	lacking.clear()
	for (const c of picked?.filter(isExtra) ?? []) if (!names.has(c.name)) lacking.add(c.name)
	if ([...lacking].join('\n') !== before) keepOnce(picked), list.draw(), load()
}

// Those of an address.
export async function chooseColumnsNamed(names) {
	const page = names && await ask('/v1/columns'), found = names?.map(name => page?.columns?.find(c => c.name === name)).filter(Boolean)
	if (found?.[0]) keepOnce(found)
}
