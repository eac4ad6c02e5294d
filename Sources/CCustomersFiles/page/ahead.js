// Keys that are pressed while what they are for is on its way: they are pressed again when it is there, and forgotten if it
// does not come. They are never about the list that is seen meanwhile.
import {ask, written} from './connection.js'
import {list, view} from './list.js'
import {$, on, say, sleep} from './words.js'

let onTheirWay = 0, isPressedAgain = false
/** @type {(no?: undefined) => void} */
let giveUp = () => {}
const early = []
/** @template T @param {Promise<T>} work @returns {Promise<T>} */
export async function holdKeys(work) {
	let came
	onTheirWay++
	try {
		return came = await work
	} finally {
		onTheirWay--
		if (!came && !onTheirWay) early.length = 0
		while (early[0] && !onTheirWay) pressEarly(early.shift())
	}
}
// What is to be opened, as soon as it can be read; what is typed meanwhile is for it. Nothing once Escape is pressed, or
// something else is to be opened. Other answers are said.
export async function askHeld(path) {
	giveUp()
	let isWanted = true, isLate = false
	const seen = list.version && written(list.version), end = new Promise(go => giveUp = () => (isWanted = false, go(undefined)))
	for (; isWanted; isLate = true, await Promise.race([sleep(500), end])) {
		const page = await Promise.race([ask(path), end])
		if (page && page.status !== 200) say(page.status === 404 ? 'This customer was deleted.' : page.message, true)
		// What was typed would go over what no one has seen.
		if (page?.version && isLate && early[0] && written(page.version) !== seen) early.length = 0, say('Others have changed the list since, so what you typed is left out.', true)
		if (page) return page
	}
}
// Whether a key has to wait; those that the browser has a meaning for don't.
export function waitsForIt(event) {
	const {key, ctrlKey, metaKey, altKey, repeat} = event
	if (key === 'Escape') early.length = 0, giveUp()
	const isWord = ctrlKey || metaKey ? /^([sa]|Enter)$/i.test(key) : key.length === 1 || /^(Tab|Enter|Backspace|Delete|F2|Arrow.*)$/.test(key)
	if (!onTheirWay || isPressedAgain || event.isComposing || altKey || !isWord) return false
	if (!repeat) early.push(event)
	return true
}
// What the browser would do with a key, too: that of a script means nothing to it.
function pressEarly({key, ctrlKey, metaKey, shiftKey}) {
	const target = /** @type {HTMLInputElement} */ (document.activeElement)
	isPressedAgain = true
	const isFree = target.dispatchEvent(new KeyboardEvent('keydown', {key, ctrlKey, metaKey, shiftKey, bubbles: true, cancelable: true}))
	isPressedAgain = false
	if (!isFree || !target.matches('input, textarea, select')) return
	if (ctrlKey || metaKey) target.select?.()
	else if (key === 'Tab') focusBeside(target, shiftKey ? -1 : 1)
	else if (key.length === 1) document.execCommand('insertText', false, key)
	else if (/^(Backspace|Delete)$/.test(key)) document.execCommand(key === 'Delete' ? 'forwardDelete' : 'delete')
}
function focusBeside(e, distance) {
	const all = [.../** @type {NodeListOf<HTMLElement>} */ (e.closest('dialog')?.querySelectorAll('input, textarea, select, button') ?? [])]
	const open = all.filter(other => other.tabIndex >= 0 && other.offsetParent && !other.matches(':disabled'))
	open.at((open.indexOf(e) + distance) % open.length)?.focus()
}
on(document, 'keydown', event => {
	const {target} = event
	if (target.closest('[popover]') || !(target === document.body || view.contains(target) || $('form').contains(target)) || !waitsForIt(event)) return
	event.preventDefault()
	event.stopImmediatePropagation()
}, true)
