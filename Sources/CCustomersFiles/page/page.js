// Starts the page: buttons, and what to do with news.
import {addressOf, addressView, readAddress, replaceAddress, viewOfEntry} from './address.js'
import {leaveCells, restoreCells} from './cell.js'
import {copy, copyLink, pasteBelow} from './clipboard.js'
import {openColumns} from './columnmenu.js'
import {checkColumns, chooseColumnsNamed, isLacking} from './columns.js'
import {browser, follow, keepKey, trusted, written} from './connection.js'
import {uncover} from './cover.js'
import {redraw} from './draw.js'
import {openDuplicates} from './duplicates.js'
import {askAgain, removeMarked, reverse} from './edit.js'
import {followColumns, refresh} from './fields.js'
import {backUp, download} from './files.js'
import {detach, followAddress, form, isLeaving, offerDraft, openForm} from './form.js'
import {chooseSort, showHeads} from './heads.js'
import {openHistory} from './history.js'
import {addSample} from './import.js'
import {by} from './keys.js'
import {list, load, place, restore, sectionSeen, showView, topPlace, total} from './list.js'
import {offerLog, openLog, showDue, today} from './log.js'
import {chosen, markAll, unmark} from './marks.js'
import {item, openMenu, showMenu} from './menu.js'
import './pointer.js'
import {hearOthers, tellOthers} from './presence.js'
import {printLabels, printRows} from './print.js'
import {openRowMenu} from './rowmenu.js'
import {showFound, showText} from './search.js'
import {openSections, showSection} from './sections.js'
import {$, customers, focusList, isTouched, on, retire, say, setText, trouble} from './words.js'

const {classList} = document.body, {draw} = list
list.draw = () => {
	showHeads()
	draw()
	showFound()
	showDue()
	const order = list.view.sort ? ', not in the list\'s order' : ''
	setText($('count'), list.version && list.key !== 'add' ? customers(total()) + order : '')
	for (const which of ['undo', 'redo']) {
		retire($(which), 'disabled', !list[which])
		$(which).title = list[which]?.text ?? ''
	}
	classList.toggle('fixed', list.read_only)
	classList.toggle('photos', list.filled.has('photo'))
	classList.toggle('wall', list.isWall)
	classList.toggle('adding', list.key === 'add')
	classList.toggle('timeless', list.isTimeless)
	classList.toggle('empty', !!list.version && !list.count)
	classList.toggle('other', !list.isOrdered)
	classList.toggle('today', !!list.view.due)
	if (list.key === 'add') {
		$('nobody').ariaLabel = 'Add customers'
		setText($('nobody').firstElementChild, list.added[0] ? `Added: ${list.added.join(', ')}` : '')
	}
	showAddress()
	tellOthers()
}
// The view in the address, unless it is there already.
let addressed = {}
function showAddress() {
	const {view, columns} = list
	if (!list.version || (view === addressed.view && columns === addressed.columns)) return
	addressed = {view, columns}
	addressView()
	showTitle()
}
// Bookmarks of views have names of their own.
let listName = 'Customers'
function showTitle() {
	const {view: {text, due, section}, sections} = list
	document.title = [text || (due ? 'Today' : sections.find(({id}) => id === section)?.title), listName].filter(Boolean).join(' – ')
}
/** @param {View} view */
function showNamed(view, goal) {
	showText(view)
	return showView({...view, due: view.due && today()}, goal)
}
// Shows what the address names, which may be a link or a bookmark.
async function goToAddress(isStart = false) {
	const {view, columns} = readAddress()
	await chooseColumnsNamed(columns)
	await showNamed(view)
	if (view.section) showSection(view.section)
	await followAddress(isStart)
}
// Lights rows up for a moment.
list.light = ids => {
	for (const id of ids) list.flashing.add(id)
	setTimeout(() => (ids.forEach(id => list.flashing.delete(id)), list.draw()), 1000)
	list.draw()
}
list.startOver = () => {
	unmark()
	Object.assign(list, {hand: null, asked: null, cursor: null, cut: null, counted: null, tag: ''})
	leaveCells()
	detach()
	say('This is another list now: it was restored, repaired, or replaced.', true)
}

$('edit').onclick = () => {
	const place = topPlace()
	list.isEditing = !list.isEditing
	list.asked = null
	if (!list.isEditing) unmark()
	setText($('edit'), list.isEditing ? 'Done' : 'Edit')
	$('edit').ariaPressed = `${list.isEditing}`
	redraw()
	restore(place)
}
$('undo').onclick = () => restoreCells() || reverse('undo')
$('redo').onclick = () => reverse('redo')
$('add').onclick = () => openForm(null, sectionSeen())
$('first').onclick = $('add').onclick
$('bring').onclick = () => $('file').click()
$('sample').onclick = addSample
$('section').onclick = ({target}) => openSections(target)
$('more').onclick = ({currentTarget}) => showMenu('More', currentTarget, [
	...list.read_only ? [] : [...list.key ? [] : ['Import…', 'Bring in a copy…'].map(title => item(title, () => $('file').click())), item('Paste rows…', () => pasteBelow()), item('Sections…', () => openSections($('more'))), item('Duplicates…', openDuplicates)],
	...list.count ? [item('Mark all', () => markAll())] : [], item('Sort…', () => chooseSort($('more'))), item('Columns…', () => openColumns($('more'))),
	item('Download…', download), ...list.key ? [] : [item('Download a backup', backUp)], item('Print…', printRows), item('Print labels…', printLabels), item('Copy link to this view', () => copyLink()),
	...list.key ? [] : [item('History', () => openHistory())],
])
// What is longer than its place.
$('news').parentElement.onclick = () => $('news').parentElement.classList.toggle('whole')
$('talk').onclick = () => openLog(form.id)
$('choices').onclick = ({currentTarget}) => openRowMenu(form.id, currentTarget)
for (const [id, distance] of [['before', -1], ['after', 1]]) $(id).onclick = async () => {
	list.cursorRow = place(form.id)
	await by(distance)
	if (list.cursor) openForm(list.cursor)
}
$('unmark').onclick = unmark
$('copyMarked').onclick = () => copy(chosen())
$('removeMarked').onclick = removeMarked
$('moveMarked').onclick = ({target}) => openMenu(chosen(), target)

let build, isOld = false, isLost = false
// Not while something is typed or held.
const reloadIfOld = () => isOld && !form && !list.edited && !list.hand && location.reload()
on($('form'), 'shut', reloadIfOld)

const news = {
	presence: hearOthers,
	hello(data) {
		hearOthers()
		checkColumns()
		isOld = build !== undefined && build !== data.build
		build = data.build
		// A key for a part does not know it.
		setText($('name'), $('name').title = listName = data.list ?? 'Customers')
		showTitle()
		if (isLost && !$('news').textContent) say('Connected again.')
		isLost = false
		trouble()
		reloadIfOld()
		const catchUp = () => list.version && written(data.version) !== written(list.version) && load().then(() => refresh())
		// The first rows are on their way, and may be older.
		list.version ? catchUp() : started.then(catchUp)
	},
	async edit({version, steps}) {
		const ids = steps.flatMap(step => step.ids), others = steps.filter(({page}) => page !== browser), {asked} = list
		const changes = steps.flatMap(({changes = []}) => changes)
		followColumns(changes)
		if (!steps[0] || changes.some(({op, fields}) => /^columns? /.test(op) || fields?.some(isLacking))) checkColumns()
		const isKnown = list.version?.edit >= version.edit, loaded = isKnown || load(ids)
		refresh()
		if (asked !== null) {
			// A question is about what is known; one about a row that is gone has been answered.
			await loaded
			if (list.asked === null) return
		}
		for (const {program, action, text, ids} of others) {
			const news = `${[program, action].filter(Boolean).join(' ') || 'Another program'}: ${text}`
			if (list.asked !== null) askAgain(news, ids)
			// A warning about a state that has the edit already is the newer word.
			else if (!isKnown || !$('news').className) say(news)
			list.light(ids)
		}
	},
	reload: () => (checkColumns(), load()),
	lost({message}) {
		isLost = true
		hearOthers()
		trouble(message)
	},
	trouble: ({message}) => trouble(message),
	well() {
		trouble()
		load().then(() => refresh())
	},
}

// The keyboard of a phone may cover the page without making it smaller: what is edited stays above it. A page that is
// enlarged by two fingers stays as it is.
const {visualViewport: seen} = self
on(seen, 'resize', () => {
	document.body.style.setProperty('--seen', seen.scale === 1 ? `${seen.height}px` : '')
	if (document.activeElement.matches('input, textarea, select')) document.activeElement.scrollIntoView({block: 'nearest'})
})

// Nothing that anyone sees has the key from now on.
const hideKey = () => keepKey() && history.replaceState(history.state ?? {}, '', addressOf(readAddress().id, ''))
// Where the browser allows it, it keeps the page itself, too.
function keepPage() {
	navigator.serviceWorker?.register(trusted?.createScriptURL('') ?? '/worker.js').catch(() => {})
}
const started = goToAddress(true)
started.then(() => {
	hideKey()
	keepPage()
	if (!form) offerDraft().then(offerLog)
})
// What was open is closed, or what was closed is opened, be it a menu, a view of the list, or a form.
on(self, 'popstate', async () => {
	if (uncover(isLeaving)) return
	if (!history.state) return goToAddress().then(hideKey)
	const view = viewOfEntry(), isLeft = isLeaving
	if (view === null && !isLeft) return history.back()
	if (view && !isLeft) showNamed(view, list.cursor)
	await followAddress()
	replaceAddress(readAddress().id)
})
on(self, 'online', () => load().then(() => refresh()))
follow((event, data) => news[event]?.(data))
if (!isTouched()) focusList()
