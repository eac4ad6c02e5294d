// Fields with a value in each line: tags as chips, other contacts as rows; and links to write and to call.
import {el} from './words.js'

const KINDS = ['email', 'phone', 'fax', 'pager', 'address'], MAIN = ['email', 'phone', 'address']
// The lines of ContactLine in Swift: `email work: b@y`, where a line break is `\n`, and a backslash `\\`; without a value,
// `email work:`, it is the label of the main one.
const escape = (text, of = /[\\\n]/g) => text.replace(/\r\n?/g, '\n').replace(of, c => c === '\n' ? '\\n' : `\\${c}`)
const unescape = text => text.replace(/\\([^])/g, (_, c) => c === 'n' ? '\n' : c)
export const writeLine = ({kind, label, value}) =>
	kind ? `${kind}${label && ` ${escape(label, /[\\\n:]/g)}`}:${value && ` ${escape(value)}`}` : value
const isComplete = ({kind, label, value}) => value || label && MAIN.includes(kind)
export function readLine(text) {
	const [, kind, label = '', rest = ''] = /^(\w+)(?: ((?:\\[^]|[^\\:])*))?:(?: ([^]*))?$/.exec(text) ?? []
	const line = {kind, label: unescape(label), value: unescape(rest)}
	return KINDS.includes(kind) && isComplete(line) && writeLine(line) === text ? line : {kind: '', label: '', value: text}
}
// Has a link open the mail program or the phone; it is hidden for anything else.
export function point(link, kind, value) {
	const isMail = kind === 'email'
	link.hidden = !(isMail || kind === 'phone') || !value.trim()
	if (link.hidden) return
	link.textContent = isMail ? 'Write' : 'Call'
	link.href = isMail ? `mailto:${encodeURIComponent(value.trim()).replace('%40', '@')}` : `tel:${value.replace(/[^+\d*#]/g, '')}`
}
// What takes the place of an input: `value` is the text of all lines, of which `make` shows one before `last`.
function group(className, last, name, label, make) {
	const e = el('div', className, '', {role: 'group', 'aria-label': label}), items = () => [...e.children].slice(0, -1)
	const changed = () => e.dispatchEvent(new Event('input', {bubbles: true}))
	const add = line => {
		const item = make(line), remove = el('button', '', '×', {type: 'button', 'aria-label': `Remove ${unescape(line)}`})
		remove.onclick = () => (item.remove(), changed(), e.focus())
		if (!last.disabled) item.append(remove)
		last.before(item)
		return item
	}
	Object.assign(e, {name, add, changed, focus: () => last.focus()}).append(last)
	return Object.defineProperty(e, 'value', {
		get: () => [...items().map(item => item.line), last.line].filter(line => line?.trim()).join('\n'),
		set(text) {
			e.replaceChildren(last)
			for (const line of text.split('\n')) if (line.trim()) add(line)
		},
	})
}
export function chips(input, name, label) {
	const e = group('chips', input, name, label, line => Object.assign(el('span', 'chip', unescape(line)), {line}))
	Object.defineProperty(input, 'line', {get: () => escape(input.value.trim())})
	const take = () => {
		if (input.line) e.add(input.line)
		input.value = ''
	}
	input.onblur = take
	input.onkeydown = event => {
		const isEnd = event.key === 'Enter' || event.key === ','
		if (event.isComposing || !(isEnd ? input.line : event.key === 'Backspace' && !input.value)) return
		isEnd ? take() : input.previousSibling?.remove()
		e.changed()
		event.preventDefault()
		event.stopPropagation()
	}
	return e
}
export function rows({id, disabled}, name, label) {
	const more = el('button', '', 'Add', {id, type: 'button', 'aria-label': `Add to ${label}`})
	const e = group('contacts', more, name, label, text => {
		const row = el('div'), link = el('a'), line = text ? readLine(text) : {kind: 'email', label: '', value: ''}
		const part = (key, tag) => {
			const e = row.appendChild(el(tag, '', '', {name, 'aria-label': key, placeholder: key, autocomplete: 'off'}))
			if (tag === 'select') e.append(...[...KINDS, ''].map(kind => el('option', '', kind || 'other', {value: kind})))
			Object.assign(e, {value: line[key], disabled, oninput() {
				line[key] = e.value
				point(link, line.kind, line.value)
			}})
		}
		part('kind', 'select')
		part('label', 'input')
		part('value', /\n/.test(line.value) ? 'textarea' : 'input')
		if (text && !line.value) row.lastChild.placeholder = `of the main ${line.kind}`
		point(link, line.kind, line.value)
		row.append(link)
		return Object.defineProperty(row, 'line', {get: () => (line.value.trim() || isComplete({...line, value: ''})) && writeLine(line)})
	})
	more.hidden = more.disabled = disabled
	more.onclick = () => e.add('').children[2].focus()
	return e
}
