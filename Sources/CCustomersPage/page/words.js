// Tools, and the line that says what happened.
export const $ = id => document.getElementById(id)
export const on = (target, type, listener, options) => target.addEventListener(type, listener, options)
export const el = (tag, className = '', textContent = '', attributes = {}) => {
	const e = Object.assign(document.createElement(tag), {className, textContent})
	for (const name in attributes) e.setAttribute(name, attributes[name])
	return e
}
export const setText = (e, text) => e.textContent !== text && (e.textContent = text)
export const number = n => n.toLocaleString('en')
export const title = c => (c.name ? `"${c.name}"` : `customer @${c.id}`)
export const customers = n => `${number(n)} customer${n === 1 ? '' : 's'}`
export const clamp = (n, low, high) => Math.max(low, Math.min(n, high))
export const sleep = ms => new Promise(go => setTimeout(go, ms))

export const focusList = () => $('list').focus({preventScroll: true})
// Hides or disables something; the focus that it had goes to the list.
export function retire(e, property, isGone = true) {
	if (isGone && e.contains(document.activeElement)) focusList()
	e[property] = isGone
}

// `action` is the text of a button beside it, and what it does.
export function say(text, isBad, action) {
	setText($('news'), text)
	$('news').className = isBad ? 'bad' : ''
	retire($('act'), 'hidden', !action)
	if (action) [$('act').textContent, $('act').onclick] = action
}
// What is wrong, until it no longer is.
export const trouble = (text = '') => setText($('trouble'), text)

// Asks in a dialog, with a field or without: its value, or true, or null for no.
export function question(text, yes, field) {
	const dialog = $('ask')
	setText($('asked'), text)
	setText($('yes'), yes)
	$('yes').className = yes
	$('answer').replaceChildren(...(field ? [field] : []))
	dialog.returnValue = ''
	$('no').onclick = () => dialog.close()
	dialog.showModal()
	;(field ?? $('no')).focus()
	return new Promise(go => {
		dialog.onclose = () => go(dialog.returnValue === 'yes' ? field?.value ?? true : null)
	})
}
