// The entries of the browser's history. What covers the page, a menu or a question, has one, so that Back closes it. It stays
// for the next one, and Back passes it if nothing is open.
let isCovered = !!history.state?.isCover
export function cover() {
	if (!isCovered) history.pushState({...history.state, isCover: true}, '')
	isCovered = true
}
// Whether Back has closed something. An entry without a state was not made here: it is that of a link or a bookmark.
export function uncover(isLeaving) {
	const was = isCovered, above = /** @type {Control[]} */ ([...document.querySelectorAll('dialog:modal:not(#form), :popover-open')]).at(-1)
	isCovered = !!history.state?.isCover
	if (!was || isCovered || isLeaving || !history.state) return false
	above ? above.matches('dialog') ? above.close() : above.hidePopover() : history.back()
	return true
}
// Leaves the entry of a form, and that of what covered it.
export const leaveEntry = () => isCovered ? history.go(-2) : history.back()
// Adds an entry, or makes one of that of a menu or a question.
export function addEntry(state, address) {
	isCovered ? history.replaceState(state, '', address) : history.pushState(state, '', address)
	isCovered = false
}
