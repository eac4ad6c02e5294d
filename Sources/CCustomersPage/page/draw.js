// One element for each line on the screen, kept as long as it shows the same customer.
import {columns} from './columns.js'
import {height, layOut, lineAt, list, known, shift, space, top, view, want} from './list.js'
import {customers, el, number, setText, title} from './words.js'

const MARGIN = 8, shown = new Map()
const button = action => el('button', '', '', {tabindex: -1, 'data-do': action, type: 'button'})
function make(key) {
	const line = el('div', '', '', {role: 'row', id: key})
	const cell = (className, ...children) => {
		const e = line.appendChild(el('span', className, '', {role: className === 'name' ? 'rowheader' : 'gridcell'}))
		e.append(...children)
		return e
	}
	if (key[0] !== 'r') {
		cell('name')
		if (/^h/.test(key)) cell('more', button('section')).firstChild.setAttribute('aria-haspopup', 'menu')
	}
	else {
		cell('minus', button('ask'))
		cell('number')
		cell('name', el('b'), el('i', '', '', {role: 'img', 'aria-label': 'favorite'}), el('small'))
		for (const {name} of columns) cell(`column ${name}`)
		cell('handle', button('menu')).firstChild.setAttribute('aria-haspopup', 'menu')
	}
	return line
}

// Shows what is on the screen, and reads what is missing.
function draw() {
	const {layout, hand} = list, used = new Set()
	const end = Math.min(layout.count, lineAt(top + view.clientHeight) + MARGIN)
	let next = space.firstChild
	for (let line = Math.max(0, lineAt(top) - MARGIN); line < end; line++) {
		const item = layout.item(line), [[kind, n]] = Object.entries(item)
		const source = kind === 'row' ? hand?.place.source(n) ?? {row: n} : {}
		const c = source.hand === undefined ? known(source.row) : hand.rows[source.hand]
		const key = kind === 'row' ? `r${c ? c.id : -n}` : kind + list.sections[n].id
		const e = shown.get(key) ?? make(key)
		shown.set(key, e)
		used.add(e)
		// An element that is inserted again loses its transition, so the order waits while rows are in the hand.
		if (!e.isConnected || (!hand && e !== next)) space.insertBefore(e, next)
		else next = e.nextSibling
		const isHeld = source.hand !== undefined, y = isHeld && hand.y !== null ? hand.y + source.hand * height : line * height
		if (kind === 'row') paint(e, c, n, isHeld)
		else {
			e.className = `line ${kind}`
			e.item = item
			setText(e.firstChild, kind === 'add' ? '(add new)' : list.sections[n][kind === 'footer' ? kind : 'title'])
			if (kind === 'header') e.lastChild.firstChild.ariaLabel = `Section "${list.sections[n].title}"`
			e.firstChild.dataset.count = list.sections[1] ? number(layout.parts[n].rows) : ''
		}
		e.style.transform = `translateY(${Math.round(y - shift)}px)`
		e.setAttribute('aria-rowindex', line + 1)
	}
	for (const [key, e] of shown) if (!used.has(e)) e.remove(), shown.delete(key)
	view.setAttribute('aria-activedescendant', shown.has(`r${list.cursor}`) ? `r${list.cursor}` : '')
	want()
}

// The rows have other columns now.
export function clear() {
	space.replaceChildren()
	shown.clear()
}
function paint(e, c, row, isHeld) {
	const [minus, numeral, name, ...others] = e.children, handle = others[columns.length]
	const isAsked = !!c && list.asked === c.id, isMarked = !!c && list.marks.has(c.id), canEdit = c && c.can_edit !== false
	Object.assign(e, {customer: c, row})
	const classes = {
		line: true, row: true, marked: isMarked, cursor: !!c && c.id === list.cursor, held: isHeld, asked: isAsked,
		flash: !!c && list.flashing.has(c.id), hit: c?.match !== undefined && list.isOrdered,
		overdue: !!c?.next && c.next < list.view.due,
	}
	for (const name in classes) e.classList.toggle(name, classes[name])
	e.setAttribute('aria-selected', isMarked)
	setText(numeral, number(list.isOrdered || !c ? row + 1 : c.position))
	const [text, star, subtitle] = name.children, cells = c ?? {}
	setText(text, c ? c.name || `@${c.id}` : '…')
	setText(star, '★')
	star.hidden = !cells.is_favorite
	const parts = (c?.subtitle ?? '').split(' · '), isWide = innerWidth > 720
	// A cell may end with how many others there are: `a@x +1`.
	const isSeen = part => isWide && [cells.company, cells.email].some(cell => cell?.split(' +')[0] === part)
	const rest = parts.filter(part => !isSeen(part))
	setText(subtitle, [c?.match, list.view.due && c?.next, ...rest].filter(Boolean).join(' · '))
	columns.forEach(({name}, i) => setText(others[i], cells[name] ?? ''))
	const show = ({firstChild}, isShown, label) => {
		firstChild.hidden = !isShown
		if (isShown) firstChild.ariaLabel = label + title(c)
	}
	show(minus, canEdit && list.isEditing, 'Delete ')
	show(handle, c && c.can_move !== false && !list.read_only && list.isOrdered, 'Move ')
	const old = others[columns.length + 1]
	if (isAsked && !old) {
		const b = button('delete'), {size} = list.marks, isOne = !isMarked || size === 1
		setText(b, isOne ? 'Delete' : `Delete ${number(size)}`)
		b.ariaLabel = `Delete ${isOne ? title(c) : customers(size)}`
		e.appendChild(el('span', 'delete', '', {role: 'gridcell'})).append(b)
		b.focus({preventScroll: true})
	} else if (!isAsked) old?.remove()
}

list.draw = draw
export function redraw() {
	document.body.classList.toggle('editing', list.isEditing)
	view.classList.toggle('asking', list.asked !== null)
	view.classList.toggle('holding', !!list.hand)
	layOut()
	list.draw()
}
