// Rows on the clipboard.
import {linkTo} from './address.js'
import {askRows, customer} from './list.js'
import {naming, subject} from './marks.js'
import {say} from './words.js'

const write = (text, what) => navigator.clipboard.writeText(text).then(() => say(`Copied ${what}.`), () => say('The browser refused to copy.', true))
// Without the key: whoever opens it has one of their own.
export const copyLink = id => write(linkTo(id), id ? 'the link; who opens it needs a key' : 'the link to this view; who opens it needs a key')
export async function copy(id) {
	const who = subject(id), rows = []
	for (const id of who.ids) {
		const c = customer(id) ?? (await askRows('/v1/rows', {from: 1, limit: 1, around: id, brief: true}))?.rows?.find(c => c.id === id)
		if (c) rows.push([c.name, ...c.subtitle?.split(' · ') ?? []].join('\t'))
	}
	await write(rows.join('\n'), naming(who))
}
