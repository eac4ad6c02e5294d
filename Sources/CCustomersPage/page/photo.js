// Photos of customers, in rows and in the form; a tag names each.
import {ask, bytes} from './connection.js'
import {perform, send} from './edit.js'
import {begin, upload} from './files.js'
import {say} from './words.js'

const IMAGES = ['image/jpeg', 'image/png', 'image/webp'], WIDEST = 640, MOST_PHOTOS = 300
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

// Small, upright, and without what a camera notes of the place.
async function shrink(file) {
	const image = await createImageBitmap(file), scale = Math.min(1, WIDEST / Math.max(image.width, image.height))
	const canvas = new OffscreenCanvas(Math.ceil(image.width * scale), Math.ceil(image.height * scale)), paper = canvas.getContext('2d')
	paper.fillStyle = '#fff'
	paper.fillRect(0, 0, canvas.width, canvas.height)
	paper.drawImage(image, 0, 0, canvas.width, canvas.height)
	return canvas.convertToBlob({type: 'image/jpeg', quality: .85})
}
const sendPhoto = (id, file, what) => perform(() => send({file}, what, {path: `/v1/rows/${id}/photo`}))
export async function setPhoto(id, file) {
	const photo = IMAGES.includes(file.type) && await shrink(file).catch(() => null)
	if (!photo) return say('A photo is a JPEG, PNG, or WebP file.', true)
	const task = begin('Sending the photo')
	if (await upload(task, photo)) await sendPhoto(id, task.file, 'Set a photo')
	ask('/v1/cancel', {file: task.file})
}
export const takePhoto = id => sendPhoto(id, undefined, 'Take away a photo')
