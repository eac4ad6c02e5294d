// Files: an import after its preview, and downloads.
import {ask, bytes, fresh} from './connection.js'
import {named, perform, send, undoing} from './edit.js'
import {list} from './list.js'
import {$, customers, el, on, question, say, sleep} from './words.js'

const PIECE = 256e3, KNOWN = {add: 'add again', skip: 'skip', update: 'update'}
// Work that takes several requests; what is said of it has a button that ends it.
function begin(what) {
	const file = fresh(), task = {
		what, file, work: file,
		show: ({done, total}) => say(`${task.what}… ${Math.floor(10 * done / total || 0) * 10} %`, false, ['Cancel', task.end]),
		end() {
			task.isCanceled = true
			return ask('/v1/cancel', {token: task.work, file})
		},
		async run(path, body) {
			let answer
			while (!(answer = await ask(path, body, task.show))) await sleep(1000)
			// What was sent after the cancel is dropped as well.
			if (task.isCanceled) return task.end(), say('Canceled; nothing was changed.', true)
			return answer.status === 200 ? answer : (task.end(), say(answer.message, true))
		},
	}
	return task
}
function choice(label, values) {
	const select = el('select', 'wide', '', {'aria-label': label})
	for (const value in values) select.append(el('option', '', `${label}: ${values[value]}`, {value}))
	return select
}

async function importFile(file) {
	if (document.querySelector('dialog[open]')) return say('Close the form first.', true)
	const {name, size} = file, task = begin(`Reading ${name}`)
	const asked = {file: task.file, name, duplicates: 'add', header: true, progress: true, changes: 0}
	// The first piece is empty: the name is looked at before the content is sent.
	for (let at = 0, end = 0; !end || at < size; at = end, end += PIECE) {
		task.show({done: at, total: size})
		if (!await task.run(`/v1/files?file=${task.file}&at=${at}&name=${encodeURIComponent(name)}`, file.slice(at, end))) return
	}
	for (let yes, old; !yes; ) {
		task.work = fresh()
		const page = await task.run('/v1/import', {...asked, token: task.work, dry_run: true})
		if (!page) return
		const select = choice('Customers already in the list', KNOWN)
		select.value = old = asked.duplicates
		select.onchange = () => $('ask').close()
		say('')
		yes = await question([page.text, ...page.lines].join('\n'), 'Import', select)
		Object.assign(asked, page.read, {duplicates: select.value})
		if (!yes && select.value === old) return task.end(), say('Nothing was imported.')
	}
	task.what = `Importing ${name}`
	perform(async () => {
		const {status} = await send(asked, `Import ${name}`, {path: '/v1/import', action: undoing, running(answer, token) {
			task.work = token
			task.show(answer)
		}})
		if (status !== 200) task.end()
	})
}

export async function download() {
	const ids = [...list.marks.keys()], {formats} = await ask('/v1/formats') ?? {}
	const names = formats && Object.fromEntries(formats.map(({name, summary}) => [name, `${name} (${summary})`]))
	const format = names && await question(`Download ${customers(ids.length || list.count)}`, 'Download', choice('Format', names))
	if (!format) return
	const task = begin('Writing a file'), {file} = task, page = await task.run('/v1/export', {file, format, ...ids[0] && named(ids), progress: true}), parts = []
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

$('file').onchange = ({target}) => {
	importFile(target.files[0])
	target.value = ''
}
for (const kind of ['dragover', 'dragleave', 'drop']) on(document, kind, event => {
	const {types, files} = event.dataTransfer
	if (!types.includes('Files')) return
	event.preventDefault()
	document.body.classList.toggle('dropping', kind === 'dragover')
	if (kind === 'drop') files[1] ? say('Drop one file at a time.', true) : importFile(files[0])
})
