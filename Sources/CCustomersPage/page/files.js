// Files: an import or a copy of the list, after its preview, and downloads.
import {ask, bytes, fresh} from './connection.js'
import {perform, send, undoing} from './edit.js'
import {list} from './list.js'
import {marked} from './marks.js'
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

// Sends a file, of which `name` is looked at before the rest; nothing if that failed.
async function upload(task, file, name = '') {
	const {size} = file
	// The first piece is empty.
	for (let at = 0, end = 0; !end || at < size; at = end, end += PIECE) {
		task.show({done: at, total: size})
		if (!await task.run(`/v1/files?file=${task.file}&at=${at}${name}`, file.slice(at, end))) return
	}
	return true
}
// Asks for what the preview has shown, and says what came of it.
const making = (task, path, asked, what) => perform(async () => {
	const {status} = await send(asked, what, {path, action: undoing, running(answer, token) {
		task.work = token
		task.show(answer)
	}})
	if (status !== 200) task.end()
})

async function importFile(file) {
	const {name} = file, task = begin(`Reading ${name}`)
	const asked = {file: task.file, name, duplicates: 'add', header: true, progress: true, changes: 0}
	if (!await upload(task, file, `&name=${encodeURIComponent(name)}`)) return
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
	making(task, '/v1/import', asked, `Import ${name}`)
}

async function bringIn(file) {
	const {name} = file, task = begin(`Reading ${name}`), asked = {file: task.file, name, unrelated: true, progress: true, changes: 0}
	if (!await upload(task, file)) return
	task.work = fresh()
	const page = await task.run('/v1/pull', {...asked, token: task.work, dry_run: true})
	if (!page) return
	if (page.relation === 'same') return task.end(), say(page.text)
	const box = el('div'), sides = page.conflicts.map(({key, text, winner}) => {
		const side = choice('Keep', {ours: 'here', theirs: 'there'})
		side.ariaLabel = text
		side.value = winner
		box.append(el('p', '', text), side)
		return () => ({key, side: side.value})
	})
	say('')
	if (!await question([page.text, ...page.lines].join('\n'), 'Bring in', sides[0] && box)) return task.end()
	task.what = `Bringing in ${name}`
	making(task, '/v1/pull', {...asked, choices: sides.map(get => get())}, `Bring in ${name}`)
}

export async function download() {
	const {ids, body} = marked(), {formats} = await ask('/v1/formats') ?? {}
	const names = formats && Object.fromEntries(formats.map(({name, summary}) => [name, `${name} (${summary})`]))
	const format = names && await question(`Download ${customers(ids.length || list.count)}`, 'Download', choice('Format', names))
	if (!format) return
	const task = begin('Writing a file'), {file} = task, page = await task.run('/v1/export', {file, format, ...ids[0] && body, progress: true}), parts = []
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

const SAMPLE = [
	'First name,Last name,Company,E-mail,Note', 'Ann,Lee,,ann@example.com,Vegetarian', 'Bob,Ray,Acme,bob@example.com,',
	'Cid,Fox,Zeta,cid@example.com,Call back in May',
].join('\n')
export const addSample = () => perform(() =>
	send({name: 'sample.csv', content: SAMPLE}, 'Add a sample', {path: '/v1/import', action: undoing}))

async function takeFile(file) {
	if (document.querySelector('dialog:modal')) return say('Close the form first.', true)
	await file.slice(0, 6).text() === 'SQLite' ? bringIn(file) : importFile(file)
}
$('file').onchange = ({target}) => {
	takeFile(target.files[0])
	target.value = ''
}
for (const kind of ['dragover', 'dragleave', 'drop']) on(document, kind, event => {
	const {types, files} = event.dataTransfer
	if (!types.includes('Files')) return
	event.preventDefault()
	document.body.classList.toggle('dropping', kind === 'dragover')
	if (kind === 'drop') files[1] ? say('Drop one file at a time.', true) : takeFile(files[0])
})
