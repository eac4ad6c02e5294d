// Photos of customers, in rows and in the form; a tag names each.
import {bytes} from './connection.js'

const MOST_PHOTOS = 300
/** @type {Map<string, Promise<string>>} */
const photos = new Map()
function addressOfPhoto(key, id) {
	if (!photos.has(key)) photos.set(key, bytes(`/v1/rows/${id}/photo`).then(photo => photo ? URL.createObjectURL(photo) : ''))
	if (photos.size > MOST_PHOTOS) {
		const [[old, address]] = photos
		photos.delete(old)
		address.then(URL.revokeObjectURL)
	}
	return photos.get(key)
}
// An element keeps its photo as long as it has the same tag.
export async function showPhoto(img, id, tag) {
	const key = tag ? `${id} ${tag}` : ''
	if (img.dataset.key === key) return
	img.dataset.key = key
	img.hidden = true
	const address = key && await addressOfPhoto(key, id)
	if (address && img.dataset.key === key) Object.assign(img, {src: address, hidden: false})
}
