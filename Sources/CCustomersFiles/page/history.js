// What was done, by whom, and what it changed; a step can be reverted alone.
import {ask} from './connection.js'
import {perform, send} from './edit.js'
import {el, question, say} from './words.js'

export async function openHistory(id = '', name = '') {
	const body = el('div', 'wide'), more = el('button', '', 'Earlier steps', {type: 'button'})
	/** @type {Step} */
	let chosen
	let next = ''
	function show(step) {
		const e = el('details'), summary = el('summary', '', step.text), button = el('button', '', 'Revert…')
		summary.append(el('small', '', `${new Date(step.time).toLocaleString()} · ${step.by}`))
		button.onclick = () => {chosen = step}
		button.hidden = !step.can_revert
		e.append(summary, el('p', '', step.lines.filter(line => line !== step.text).join('\n')), button)
		e.open = id
		return e
	}
	more.onclick = async () => {
		const page = await ask(`/v1/${id && `rows/${id}/`}history${next && `?before=${next}`}`)
		if (!page?.steps) return false
		const steps = page.steps.map(show)
		more.before(...steps)
		steps[0]?.firstChild.focus()
		more.hidden = !(next = page.next)
		return true
	}
	body.append(more)
	// Why nothing came was said.
	if (!await more.onclick()) return
	await question(`History ${name && `of ${name}`}`, 'Close', body)
	if (!chosen) return
	// The history of a customer tells of a step only what it did to them.
	const {steps} = id ? await ask(`/v1/history?before=${chosen.step + 1}`) ?? {} : {steps: [chosen]}, whole = steps?.[0]
	if (steps && whole?.step !== chosen.step) return say('The history no longer has this step.', true)
	if (whole && await question(`${whole.text}\n\nUndo this step alone? Later changes stay.`, 'Revert'))
		perform(() => send({step: chosen.step, time: chosen.time}, 'Revert a step', {path: '/v1/revert'}))
}
