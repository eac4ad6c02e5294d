// Rows on the clipboard.
import {askRows, customer} from './list.js'
import {naming, subject} from './marks.js'
import {say} from './words.js'

export async function copy(id) {
	const who = subject(id), rows = []
	for (const id of who.ids) {
		const c = customer(id) ?? (await askRows('/v1/rows', {from: 1, limit: 1, around: id, brief: true}))?.rows?.find(c => c.id === id)
		if (c) rows.push([c.name, ...c.subtitle?.split(' · ') ?? []].join('\t'))
	}
	await navigator.clipboard.writeText(rows.join('\n')).then(() => say(`Copied ${naming(who)}.`), () => say('The browser refused to copy.', true))
}
