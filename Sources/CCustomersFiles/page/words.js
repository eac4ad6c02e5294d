// Tools, and the line that says what happened.
import {cover} from './cover.js'

// Every id that is asked for is one of the document.
export const $ = id => document.getElementById(id)
export const on = (target, type, listener, options) => target.addEventListener(type, listener, options)
export const el = (tag, className = '', textContent = '', attributes = {}) => {
	const e = Object.assign(document.createElement(tag), {className, textContent})
	for (const name in attributes) e.setAttribute(name, attributes[name])
	return e
}
// A sentence, in which a name of the other direction does not turn around what is beside it.
export function setWords(e, text) {
	if (e.textContent !== text) e.replaceChildren(...text.split(/("[^"]*")/).map((part, i) => i % 2 ? el('bdi', '', part) : part))
}
export const setText = (e, text) => e.textContent !== text && (e.textContent = text)
export const number = n => n.toLocaleString('en')
export const title = c => (c.name ? `"${c.name}"` : `customer @${c.id}`)
export const customers = n => `${number(n)} customer${n === 1 ? '' : 's'}`
// Whether there is room for columns.
export const isWide = () => innerWidth > 720
// Whether fingers use it: a field that has the focus brings up a keyboard.
export const isTouched = () => matchMedia('(pointer: coarse)').matches
export const clamp = (n, low, high) => Math.max(low, Math.min(n, high))
export const sleep = ms => new Promise(go => setTimeout(go, ms))

// Shows that something waits for its answer; 1 when it begins, -1 when it ends.
let waits = 0
export const wait = by => document.body.classList.toggle('waiting', (waits += by) > 0)

export const focusList = () => $('list').focus({preventScroll: true})
// Hides or disables something; the focus that it had goes to the list.
export function retire(e, property, isGone = true) {
	if (isGone && e.contains(document.activeElement)) focusList()
	e[property] = isGone
}

// A number as people write it: 12000, 12,000, 12.000, or 12 000; NaN for anything else.
export const readNumber = text => /^\s*\d{1,3}(([.,'’\s])\d{3})?(\2\d{3})*\s*$|^\s*\d+\s*$/.test(text) ? +text.replace(/\D/g, '') : NaN

let quiet, said = ''
// `action` is the text of a button beside it, and what it does. What is no more news goes.
export function say(text, isBad, action) {
	setWords($('news'), text)
	$('news').className = isBad ? 'bad' : ''
	$('news').parentElement.className = ''
	retire($('act'), 'hidden', !action)
	if (action) [$('act').textContent, $('act').onclick] = action
	clearTimeout(quiet)
	if (text) quiet = setTimeout(say, 30_000, '')
	// What covers the page has a place for it.
	const place = $('ask').open ? $('heard') : $('form').matches(':modal') && $('message')
	if (place && (text || place.textContent === said)) setWords(place, text)
	said = text
}
// What was refused is no news anymore.
export const unsay = () => $('news').className && say('')
// What is wrong, until it no longer is.
export const trouble = (text = '') => setText($('trouble'), text)

// What is asked: the first line is what it is about.
export function setAsked(text) {
	const [first, ...rest] = text.split(/(?=\n)/)
	setWords($('asked').firstChild, first)
	setWords($('asked').lastChild, rest.join(''))
}
// Whether something that may have been typed can be left.
export const mayLeave = isTyped => !isTyped || question('Discard what you typed?', 'Discard', undefined, undefined, 'Keep editing')
// What is wrong with a name if another one has it.
export function wrongName(what, text, all) {
	// Of a column, accents and spaces do not matter.
	const fold = name => (what === 'column' ? name.normalize('NFD').replace(/[\p{M}\s]/gu, '') : name.trim()).toLowerCase()
	const {title} = all.find(({title}) => fold(title) === fold(text)) ?? {}
	return title ? `There is a ${what} "${title}" already.` : ''
}
// Asks in a dialog, with a field or without: its value, or true, or null for no. `check` says what is wrong with a value.
/** @param {(value: string) => string} check */
export function question(text, yes, field, check = () => '', no = 'Cancel') {
	const dialog = $('ask'), problem = el('p', 'bad', '', {role: 'alert'})
	setAsked(text)
	setText($('yes'), yes)
	setText($('no'), no)
	setText($('heard'), '')
	$('yes').className = yes
	$('answer').replaceChildren(...(field ? [field, problem] : []))
	let go
	// The event of its closing may come when the next question is open.
	const end = value => (dialog.close(), go(value))
	$('no').onclick = () => end(null)
	dialog.firstElementChild.onsubmit = event => {
		event.preventDefault()
		setText(problem, check(field?.value))
		problem.textContent ? field.focus() : end(field?.value ?? true)
	}
	cover()
	dialog.showModal()
	;(field ?? $('no')).focus()
	// Beside it means no, unless something may have been typed.
	dialog.onclick = ({target}) => {
		if (target === dialog && !$('answer').firstChild) end(null)
	}
	dialog.onclose = () => dialog.open || go(null)
	return new Promise(answer => (go = answer))
}
