// One element for each line on the screen, kept as long as it shows the same customer.
import {layOut, list, known, shift, space, top, view, want} from './list.js'
import {el, number, setText, title} from './words.js'

const MARGIN = 8, shown = new Map()
const button = action => el('button', '', '', {tabindex: -1, 'data-do': action, type: 'button'})
function make(key) {
	const line = el('div', '', '', {role: 'row', id: key})
	const cell = (className, ...children) => {
		const e = line.appendChild(el('span', className, '', {role: className === 'name' ? 'rowheader' : 'gridcell'}))
		e.append(...children)
		return e
	}
	if (key[0] !== 'r') cell('name')
	else {
		cell('minus', button('ask'))
		cell('number')
		cell('name', el('b'), el('i', '', '', {role: 'img', 'aria-label': 'favorite'}), el('small'))
		for (const column of ['company', 'email', 'phone']) cell(`column ${column}`)
		cell('handle', button('menu')).firstChild.setAttribute('aria-haspopup', 'menu')
	}
	return line
}

// Shows what is on the screen, and reads what is missing.
function draw() {
	const {layout, hand} = list, used = new Set()
	const end = Math.min(layout.count, layout.lineAt(top + view.clientHeight) + MARGIN)
	let next = space.firstChild
	for (let line = Math.max(0, layout.lineAt(top) - MARGIN); line < end; line++) {
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
		if (kind === 'row') paint(e, c, n, source.hand !== undefined)
		else {
			e.className = `line ${kind}`
			e.item = item
			setText(e.firstChild, kind === 'add' ? '(add new)' : list.sections[n][kind === 'footer' ? kind : 'title'])
			e.firstChild.dataset.count = number(layout.parts[n].rows)
		}
		const y = hand && hand.y !== null && source.hand !== undefined ? hand.y + source.hand * layout.heights.row : layout.y(line)
		e.style.transform = `translateY(${Math.round(y - shift)}px)`
		e.setAttribute('aria-rowindex', line + 1)
	}
	for (const [key, e] of shown) if (!used.has(e)) e.remove(), shown.delete(key)
	view.setAttribute('aria-activedescendant', shown.has(`r${list.cursor}`) ? `r${list.cursor}` : '')
	want()
}

function paint(e, c, row, isHeld) {
	const [minus, numeral, name, ...columns] = e.children, handle = columns[3]
	const isAsked = c && list.asked === c.id, isMarked = !!c && list.marks.has(c.id), canEdit = c && c.canEdit !== false
	Object.assign(e, {customer: c, row})
	const swipe = e.classList.contains('swiped')
	e.className = ['line row', isMarked && 'marked', c && c.id === list.cursor && 'cursor', isHeld && 'held', isAsked && 'asked',
		swipe && 'swiped', c && list.flashing.has(c.id) && 'flash'].filter(Boolean).join(' ')
	e.setAttribute('aria-selected', isMarked)
	setText(numeral, number(row + 1))
	const [text, star, subtitle] = name.children, cells = c?.columns ?? {}
	setText(text, c ? c.name || `@${c.id}` : '…')
	setText(star, c?.favorite ? '★' : '')
	star.hidden = !c?.favorite
	// On a wide screen, columns show some parts of it.
	const parts = (c?.subtitle ?? '').split(' · '), isWide = innerWidth > 720
	setText(subtitle, parts.filter(part => !isWide || (part !== cells.company && part !== cells.email)).join(' · '))
	;['company', 'email', 'phone'].forEach((column, i) => setText(columns[i], cells[column] ?? ''))
	const show = ({firstChild}, isShown, label) => {
		firstChild.hidden = !isShown
		if (isShown) firstChild.ariaLabel = label + title(c)
	}
	show(minus, canEdit && list.isEditing, 'Delete ')
	show(handle, c && c.canMove !== false && !list.readOnly, 'Move ')
	const old = columns[4]
	if (isAsked && !old) {
		const b = button('delete'), count = isMarked ? list.marks.size : 1
		setText(b, count > 1 ? `Delete ${number(count)}` : 'Delete')
		b.ariaLabel = count > 1 ? `Delete ${count} customers` : `Delete ${title(c)}`
		e.appendChild(el('span', 'delete', '', {role: 'gridcell'})).append(b)
		b.focus({preventScroll: true})
	} else if (!isAsked) old?.remove()
}

list.draw = draw
// After a change of what is shown.
export function redraw() {
	document.body.classList.toggle('editing', list.isEditing)
	view.classList.toggle('asking', list.asked !== null)
	view.classList.toggle('holding', !!list.hand)
	layOut()
	list.draw()
}
