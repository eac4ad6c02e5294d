// What the checker of types does not know of browsers, and of the page: its elements are those of HTML.

/** An element of the document by its id, whatever it is. */
interface Control extends HTMLElement {
	value: string
	checked: boolean
	disabled: boolean
	open: boolean
	href: string
	files: FileList
	select(): void
	show(): void
	showModal(): void
	close(): void
}

declare class OffscreenCanvas {
	constructor(width: number, height: number)
	width: number
	height: number
	getContext(kind: '2d'): CanvasRenderingContext2D
	convertToBlob(options: object): Promise<Blob>
}

interface Document {
	getElementById(id: string): Control
}

/** A view of the list: the matches of a text, or all rows; in the order of a column, or of the list; who is due by a day. */
interface View {
	text?: string
	only?: boolean
	sort?: string
	descending?: boolean
	due?: string | false
	section?: number
}

interface Window {
	trustedTypes?: {createPolicy(name: string, rules: object): {createScriptURL(url: string): string, createHTML(text: string): string}}
}

interface HTMLElement {
	showPopover(): void
	hidePopover(): void
}

interface Element extends ElementCSSInlineStyle {
	name: string
	readonly dataset: DOMStringMap
	readonly offsetWidth: number
	onclick: ((this: GlobalEventHandlers, event: MouseEvent) => any) | null
	onsubmit: ((this: GlobalEventHandlers, event: SubmitEvent) => any) | null
	focus(options?: FocusOptions): void
	/** The column that a cell shows. */
	c?: {name: string, title: string}
}

interface ChildNode {
	readonly children: HTMLCollection
	readonly dataset: DOMStringMap
	focus(): void
	replaceChildren(...nodes: (Node | string)[]): void
}

/** A version of the list: the mark of its last step, and the number of its last edit. */
interface Version {
	mark: string
	edit: number
}

/** How an edit is sent, and what is done with its answer. */
interface Sending {
	seen?: Version
	path?: string
	/** The kinds of refusals that the caller tells of. */
	quiet?: string[]
	/** Which of the rows that were edited is shown after it, wherever it is. */
	shows?: 'first' | 'last'
	/** Whether a person typed the values. */
	typed?: boolean
	/** The customer whose draft is sent; null for a new one. */
	saved?: number | string | null
	/** What is said when it is done, instead of the words of the list. */
	done?: string
	running?: (answer: object, token: string) => void
}

/** A step of the history. */
interface Step {
	step: number
	time: string
	text: string
}

interface Array<T> {
	findLast(is: (element: T) => unknown): T | undefined
	indexOf(element: unknown): number
	findLastIndex(is: (element: T) => unknown): number
}

