// Files: sent in pieces, work that takes several requests, and downloads.
import {ask, bytes, fresh} from './connection.js'
import {list} from './list.js'
import {marked} from './marks.js'
import {customers, el, question, say, sleep} from './words.js'

const PIECE = 256e3
// Work that takes several requests; what is said of it has a button that ends it.
export function begin(what) {
	const file = fresh(), task = {
		what, file, work: file,
		show: ({done, total}) => say(`${task.what}… ${Math.floor(10 * done / total || 0) * 10} %`, false, ['Cancel', task.end]),
		end() {
			task.isCanceled = true
			return ask('/v1/cancel', {token: task.work, file})
		},
		// The answer; nothing if it was canceled.
		async ask(path, body) {
			let answer
			while (!(answer = await ask(path, body, task.show))) await sleep(1000)
			if (!task.isCanceled) return answer
			// What was sent after the cancel is dropped as well.
			task.end()
			say('Canceled; nothing was changed.', true)
		},
		// The same, unless it was refused.
		async run(path, body) {
			const answer = await task.ask(path, body)
			if (!answer || answer.status === 200) return answer
			task.end()
			say(answer.message, true)
		},
	}
	return task
}
export function choice(label, values, value, onchange) {
	const select = el('select', 'wide', '', {'aria-label': label})
	for (const value in values) select.append(el('option', '', `${label}: ${values[value]}`, {value}))
	if (value !== undefined) select.value = value
	if (onchange) select.onchange = () => onchange(select.value)
	return select
}

// Sends a file, of which `name` is looked at before the rest; nothing if that failed.
export async function upload(task, file, name = '') {
	const {size} = file
	// The first piece is empty.
	for (let at = 0, end = 0; !end || at < size; at = end, end += PIECE) {
		task.show({done: at, total: size})
		if (!await task.run(`/v1/files?file=${task.file}&at=${at}${name}`, file.slice(at, end))) return
	}
	return true
}

export async function download() {
	const {ids, body} = marked(), {formats} = await ask('/v1/formats') ?? {}
	const names = formats && Object.fromEntries([
		...formats.map(({name, summary}) => [name, `${name} (${summary})`]),
		...formats.filter(f => f.is_table).map(({name}) => [`${name} ids`, `${name} with ids, to be changed elsewhere and imported again`])])
	const chosen = names && await question(`Download ${customers(ids.length || list.count)}`, 'Download', choice('Format', names))
	if (!chosen) return
	const [format, with_ids] = chosen.split(' ')
	return fetchFile('/v1/export', {format, with_ids: !!with_ids, ...ids[0] && body})
}
// All of the list, with its history.
export const backUp = () => fetchFile('/v1/backup', {})
// Has a file written, and gives it to the browser.
async function fetchFile(path, asked) {
	const task = begin('Writing a file'), {file} = task, page = await task.run(path, {...asked, file, progress: true}), parts = []
	for (let at = 0; at < page?.size; at += parts.at(-1).size) {
		const part = await bytes(`/v1/files?file=${file}&at=${at}`)
		if (!part) return say('The download was interrupted; try again.', true)
		parts.push(part)
	}
	if (!page) return
	ask('/v1/cancel', {file})
	const href = URL.createObjectURL(new Blob(parts))
	Object.assign(el('a'), {href, download: page.name}).click()
	setTimeout(() => URL.revokeObjectURL(href), 60_000)
	say(page.text)
}
