// One element for each line on the screen, kept as long as it shows the same customer.
import {columns, widthOf} from './columns.js'
import {USUAL, height, keep, known, layOut, lineAt, list, place, screen, shift, space, top, view, want} from './list.js'
import {showPhoto} from './photos.js'
import {showWho} from './presence.js'
import {$, clamp, customers, el, isWide, number, setText, title} from './words.js'

const MARGIN = 8, shown = new Map()
const button = action => el('button', '', '', {tabindex: -1, 'data-do': action, type: 'button'})
function makeRow(key) {
	const line = el('div', '', '', {role: 'row', id: key})
	const cell = (className, role, ...children) => {
		const e = line.appendChild(el('span', className, '', {role}))
		e.append(...children)
		return e
	}
	if (key[0] !== 'r') {
		const isHeader = key[0] === 'h'
		if (isHeader) cell('fold', 'gridcell', button('fold'))
		cell('name', 'rowheader').dir = 'auto'
		if (isHeader) cell('more', 'gridcell', button('section'), button('carry')).firstChild.setAttribute('aria-haspopup', 'menu')
	}
	else {
		cell('minus', 'gridcell', button('ask'))
		cell('number', 'gridcell')
		// Cells of their own, so that what is read does not run together.
		cell('name', 'presentation', el('img', 'photo', '', {alt: ''}), el('b', '', '', {role: 'rowheader', dir: 'auto'}), ' ', el('small', '', '', {role: 'gridcell', dir: 'auto'})).lastChild.append(el('span', 'who'), el('span'))
		for (const {name} of columns) {
			const e = cell(`column ${name}`, 'gridcell')
			e.dir = 'auto'
			e.dataset.column = name
			e.style.flex = widthOf(name)
		}
		cell('star', 'gridcell')
		cell('handle', 'gridcell', button('menu')).firstChild.setAttribute('aria-haspopup', 'menu')
	}
	return line
}

// The lines that are drawn: those on the screen, and those of the cursor, of the question, of the form, of the cells in
// edit, and of the hand, wherever they are, so that what is said of them stays true.
function drawnLines(bottom) {
	const {layout, hand, cursor, asked, opened, edited} = list, lines = new Set()
	const end = Math.min(layout.count, lineAt(bottom) + MARGIN)
	for (let line = Math.max(0, lineAt(top) - MARGIN); line < end; line++) lines.add(line)
	for (const id of [cursor, asked, opened, edited?.id]) {
		const row = hand?.ids.includes(id) ? -1 : place(id)
		if (row >= 0) lines.add(layout.line(hand ? hand.place.shown(row) : row))
	}
	if (hand) lines.add(layout.line(hand.row))
	lines.delete(null)
	return [...lines].sort((a, b) => a - b)
}
const isCalm = matchMedia('(prefers-reduced-motion)')
// Puts a line at a pixel of `space`. After news it goes there from where it was on the screen, so that one sees what moved.
function glide(e, y, isNew) {
	const {at} = e, to = `translateY(${y}px)`
	e.at = y + shift - top
	e.style.transform = to
	if (!list.isNews || isCalm.matches || Math.abs(e.at - at) < 2) return
	e.animate(isNew ? [{opacity: 0}, {opacity: 1}] : [{transform: `translateY(${at + top - shift}px)`}, {transform: to}], {duration: 200, easing: 'ease-out'})
}
// Shows what is on the screen, and reads what is missing.
function drawRows() {
	// The size is asked for before anything is drawn: after it, each time costs a layout.
	const {layout, hand} = list, bottom = top + screen(), near = (MARGIN + 2) * height, {activeElement} = document
	keep()
	document.body.classList.toggle('editing', list.isEditing)
	view.classList.toggle('asking', list.asked !== null)
	view.classList.toggle('holding', !!hand)
	const own = new Map(list.isOrdered ? [...list.kept.values()].map(c => [c.position - 1, c]) : [])
	const lines = drawnLines(bottom).map(line => {
		const item = layout.item(line), [[kind, n]] = Object.entries(item)
		const source = kind === 'row' ? hand?.place.source(n) ?? {row: n} : {}
		const c = source.hand === undefined ? known(source.row) ?? own.get(source.row) : hand.customer(source.hand)
		return {line, item, kind, n, source, c, key: kind === 'row' ? `r${c ? c.id : -n}` : kind + list.sections[n].id}
	})
	// First, so that those that stay are not inserted again.
	const keys = new Set(lines.map(({key}) => key))
	for (const [key, e] of shown) if (!keys.has(key)) e.remove(), shown.delete(key)
	let next = space.firstChild
	for (const {line, item, kind, n, source, c, key} of lines) {
		const isNew = !shown.has(key), e = shown.get(key) ?? makeRow(key)
		shown.set(key, e)
		// An element that is inserted again loses its transition, so the order waits while rows are in the hand.
		if (!e.isConnected || (!hand && e !== next)) space.insertBefore(e, next)
		else next = e.nextSibling
		const isHeld = source.hand !== undefined, y = isHeld && hand.y !== null ? hand.y + source.hand * height : line * height
		if (kind === 'row') paint(e, c, n, isHeld)
		else {
			e.className = `line ${kind}`
			e.item = item
			const name = e.querySelector('.name')
			setText(name, kind === 'add' ? '(add new)' : list.sections[n][kind === 'footer' ? kind : 'title'])
			name.dataset.count = countOf(n)
			if (kind === 'header') paintHeader(e, n)
		}
		glide(e, Math.round(clamp(kind === 'header' ? y + carriedBy(n) : y, top - near, bottom + near) - shift), isNew)
		e.setAttribute('aria-rowindex', line + 2)
	}
	// An element that is inserted again loses the focus, too.
	if (space.contains(activeElement) && activeElement !== document.activeElement) activeElement.focus()
	list.isNews = false
	drawStuck()
	const active = `r${hand ? hand.id : list.cursor}`
	shown.has(active) ? view.setAttribute('aria-activedescendant', active) : view.removeAttribute('aria-activedescendant')
	want()
}

const countOf = i => list.sections[1] || list.layout.parts[i].isFolded ? number(list.layout.parts[i].rows) : ''
function paintHeader(e, i) {
	const [fold, , more] = e.children, {title} = list.sections[i]
	e.classList.toggle('held', list.carried?.i === i)
	fold.firstChild.ariaExpanded = !list.layout.parts[i].isFolded
	fold.firstChild.ariaLabel = `Rows of "${title}"`
	more.firstChild.ariaLabel = `Section "${title}"`
	more.lastChild.ariaLabel = `Move section "${title}"`
	more.lastChild.hidden = !list.sections[1]
}
// How far a heading is from its line while one of them is carried.
function carriedBy(n) {
	const {i, to, y} = list.carried ?? {i: -1}
	if (i < 0) return 0
	if (n === i) return y - list.layout.starts[i] * height
	return n < i && n >= to ? height : n > i && n <= to ? -height : 0
}
// The heading of the rows at the top stays there.
const stuck = $('stuck')
function drawStuck() {
	const {layout} = list, i = list.isOrdered && !list.carried ? layout.part(lineAt(top)) : -1
	const isStuck = i >= 0 && layout.parts[i].header && !layout.parts[i].isFolded, start = layout.starts[i] * height
	stuck.hidden = !isStuck || top <= start
	if (stuck.hidden) return
	const size = stuck.offsetHeight, spare = height - size
	stuck.hidden = top < start + spare
	stuck.dataset.part = `${i}`
	const [, name] = stuck.children
	setText(name, list.sections[i].title)
	name.dataset.count = countOf(i)
	// The next one pushes it away.
	stuck.style.transform = `translateY(${Math.min(0, layout.starts[i + 1] * height + spare - top - size) || 0}px)`
}

// The start of a text may hide what was found in it.
function excerpt(match) {
	const text = match.replace(/\s+/g, ' '), low = text.toLowerCase(), word = list.view.text.toLowerCase().split(/\s+/).find(word => low.includes(word)), [title] = text.split(': ', 1)
	const start = text.lastIndexOf(' ', low.indexOf(word) - 2) + 1
	return word && start > title.length + 10 ? `${title}: … ${text.slice(start)}` : text
}
// Of a long text, its start, so that there is room for others beside it.
const shorten = text => text.length > 24 ? `${text.slice(0, 23).trimEnd()}…` : text
// The rows have other columns now.
export function clear() {
	space.replaceChildren()
	shown.clear()
}
function paint(e, c, row, isHeld) {
	const [minus, numeral, name, ...others] = e.children, [star, handle, old] = others.slice(columns.length)
	const isAsked = !!c && list.asked === c.id, isMarked = !!c && list.marks.has(c.id), canEdit = c && c.can_edit !== false
	Object.assign(e, {customer: c, row})
	const classes = {
		line: true, row: true, marked: isMarked, cursor: !!c && c.id === list.cursor, opened: !!c && c.id === list.opened, held: isHeld, asked: isAsked,
		flash: !!c && list.flashing.has(c.id), hit: c?.match !== undefined && list.isOrdered,
		overdue: !!c?.next && c.next < list.view.due, locked: !!c && !canEdit, cut: !!c && !!list.cut?.all.has(c.id),
	}
	for (const name in classes) e.classList.toggle(name, classes[name])
	e.setAttribute('aria-selected', isMarked)
	setText(numeral, number(list.isOrdered || !c ? row + 1 : c.position))
	const [photo, text, , {childNodes: [who, subtitle]}] = name.childNodes, cells = c ?? {}
	setText(text, c?.name === undefined ? '…' : c.name || `@${c.id}`)
	setText(star, cells.is_favorite ? '★' : '')
	cells.is_favorite ? star.setAttribute('aria-label', 'favorite') : star.removeAttribute('aria-label')
	const parts = (c?.subtitle ?? '').split(' · ')
	// A cell may end with how many others there are: `a@x +1`.
	const isSeen = part => isWide() && [cells.company, cells.email].some(cell => cell?.split(' +')[0] === part)
	const own = isWide() ? [] : columns.filter(c => !USUAL.some(({name}) => name === c.name)).map(({name}) => cells[name])
	const rest = [...own.filter(text => text && !parts.includes(text)).map(shorten), ...parts.filter(part => !isSeen(part))]
	// In a list that no one can edit here, it would say nothing.
	const isProtected = c && !canEdit && !list.read_only && !list.key
	setText(subtitle, [isProtected && 'protected', c?.match && excerpt(c.match), list.view.due && c?.next, ...rest].filter(Boolean).join(' · '))
	showWho(who, c?.id)
	showPhoto(photo, c?.id, cells.photo)
	const edited = c && list.edited?.id === c.id ? list.edited.lines : {}
	// A row has cells only.
	for (const part of ['first_name', 'last_name']) {
		const field = edited[part]?.element
		if (field && !name.contains(field)) name.append(Object.assign(field, {role: 'gridcell'}))
	}
	columns.forEach(({name}, i) => {
		const cell = others[i], field = edited[name]?.element
		if (!field) setText(cell, cells[name] ?? '')
		else if (!cell.contains(field)) cell.replaceChildren(field)
	})
	// What is read of the row at the cursor; without commas, names would run together.
	const isFavorite = cells.is_favorite && 'favorite', words = [...columns.map(({name}) => cells[name]), subtitle.textContent]
	e.ariaLabel = [numeral.textContent, text.textContent, isFavorite, who.textContent, ...words].filter(Boolean).join(', ')
	const show = ({firstChild}, isShown, label) => {
		firstChild.hidden = !isShown
		if (isShown) firstChild.ariaLabel = label + title(c)
	}
	show(minus, canEdit && list.isEditing, 'Delete ')
	show(handle, c && c.can_move !== false && !list.read_only && list.isOrdered, 'Move ')
	if (isAsked) {
		const b = old?.firstChild ?? button('delete'), {size} = list.marks, isOne = !isMarked || size === 1
		setText(b, isOne ? 'Delete' : `Delete ${number(size)}`)
		b.ariaLabel = `Delete ${isOne ? title(c) : customers(size)}`
		if (!old) e.appendChild(el('span', 'delete', '', {role: 'gridcell'})).append(b)
	} else old?.remove()
}

list.draw = drawRows
export function redraw() {
	layOut()
	list.draw()
}
