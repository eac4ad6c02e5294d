// Which line of the list is what, and where: the arithmetic of TableLayout and Arrangement in Swift.
import {clamp} from './words.js'

// The last index whose number is not greater; -1 for none.
function lastUpTo(numbers, n) {
	let low = 0, high = numbers.length
	while (low < high) {
		const middle = (low + high) >> 1
		if (numbers[middle] <= n) low = middle + 1
		else high = middle
	}
	return low - 1
}

export const countBelow = (numbers, n) => lastUpTo(numbers, n - 1) + 1

// Sections one below the other. A part has `rows`, and may have `header`, `add`, and `footer`; of one that is folded, only
// the header is shown.
export class Layout {
	starts = []
	firstRows = []
	firstShown = []
	count = 0
	rowCount = 0
	shownCount = 0
	constructor(parts) {
		this.parts = parts
		for (const {rows, header, add, footer, isFolded} of parts) {
			this.starts.push(this.count)
			this.firstRows.push(this.rowCount)
			this.firstShown.push(this.shownCount)
			this.count += !!header + (isFolded ? 0 : rows + !!add + !!footer)
			this.rowCount += rows
			this.shownCount += isFolded ? 0 : rows
		}
	}
	// The section of a line.
	part(line) {return lastUpTo(this.starts, line)}
	// What a line shows: `row`, or `header`, `add`, or `footer` with the section's index.
	item(line) {
		if (!(line >= 0 && line < this.count)) return null
		const i = lastUpTo(this.starts, line), {header, rows, add} = this.parts[i]
		const offset = line - this.starts[i] - +!!header
		if (offset < 0) return {header: i}
		if (offset < rows) return {row: this.firstRows[i] + offset}
		return add && offset === rows ? {add: i} : {footer: i}
	}
	// The section and the number in it of a row, from 0.
	path(row) {
		const i = row >= 0 && row < this.rowCount ? lastUpTo(this.firstRows, row) : -1
		return i < 0 ? null : [i, row - this.firstRows[i]]
	}
	// None for a row that is folded.
	line(row) {
		const path = this.path(row), part = this.parts[path?.[0]]
		return path && !part.isFolded ? this.starts[path[0]] + +!!part.header + path[1] : null
	}
	// How many rows are shown above a row, and which row has so many above it.
	above(row) {
		const [i, offset] = this.path(row) ?? [this.parts.length - 1, 0]
		return i < 0 ? 0 : this.firstShown[i] + (this.parts[i].isFolded ? 0 : offset)
	}
	rowBelow(shown) {
		const n = clamp(shown, 0, Math.max(0, this.shownCount - 1)), i = lastUpTo(this.firstShown, n)
		return this.shownCount ? this.firstRows[i] + n - this.firstShown[i] : 0
	}
}

// The order of rows while some of them, `taken` in ascending order, are in the hand. All numbers are from 0.
export class Arrangement {
	constructor(counts, taken, [section, order]) {
		let first = 0
		this.counts = counts.map(count => count - countBelow(taken, first += count) + countBelow(taken, first - count))
		this.taken = taken
		this.section = section = clamp(section, 0, counts.length - 1)
		this.order = clamp(order, 0, this.counts[section])
		this.gap = this.order
		for (let i = 0; i < section; i++) this.gap += this.counts[i]
		this.counts[section] += taken.length
	}
	// Where a shown row comes from: one in the hand, or a row of the list.
	source(shown) {
		const {gap, taken} = this
		if (shown >= gap && shown < gap + taken.length) return {hand: shown - gap}
		return {row: this.listRow(shown < gap ? shown : shown - taken.length)}
	}
	shown(row) {
		const stayer = row - countBelow(this.taken, row)
		return stayer < this.gap ? stayer : stayer + this.taken.length
	}
	listRow(stayer) {
		// A taken row has as many stayers above it as its number less the taken ones above.
		let low = 0, high = this.taken.length
		while (low < high) {
			const middle = (low + high) >> 1
			if (this.taken[middle] - middle <= stayer) low = middle + 1
			else high = middle
		}
		return stayer + low
	}
	unmovedRows(section) {return this.counts[section] - (section === this.section ? this.taken.length : 0)}
	// The place a number of steps away; after the end of a section comes the start of the next one.
	by(distance) {
		let {section} = this, order = this.order + distance
		while (order < 0 && section > 0) order += this.unmovedRows(--section) + 1
		while (section < this.counts.length - 1 && order > this.unmovedRows(section)) order -= this.unmovedRows(section++) + 1
		return [section, clamp(order, 0, this.unmovedRows(section))]
	}
	// The place of a number among those that stay.
	at(row) {
		let section = 0
		while (section < this.counts.length - 1 && row >= this.unmovedRows(section)) row -= this.unmovedRows(section++)
		return [section, clamp(row, 0, this.unmovedRows(section))]
	}
}
