// Photos that are set and taken away.
import {ask} from './connection.js'
import {perform, send} from './edit.js'
import {begin, upload} from './files.js'
import {say} from './words.js'

const IMAGES = ['image/jpeg', 'image/png', 'image/webp'], WIDEST = 640
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
