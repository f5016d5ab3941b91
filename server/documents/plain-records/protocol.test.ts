/** The promises that every kind of plain record with ids of the client keeps. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, expectViolations, readJson, readText } from '../../../test/answers.ts'
import { listEventsOfSubject } from '../../../test/feed.ts'
import { buildPlainRecord, getPlainRoute, toPlainPath } from '../../../test/plain-records.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, putOne, uniqueId } from '../../../test/world.ts'
import type { CallOptions, World } from '../../../test/world.ts'
import { PLAIN_RECORDS } from '../../../formats/record/plain-kinds.ts'

const PUT_KINDS = PLAIN_RECORDS.filter(({ id }) => id === 'of the client')
// Integers of 16 and more digits, and numbers whose notation would change in a double.
const NUMBERS = '[1764123456789,9007199254740993,12345678901234567890,1.0,1e2,-0,"17641"]'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
    await putOne(world, 'dataproducts', odps('p'))
  })

  for (const kind of PUT_KINDS) {
    const one = getPlainRoute(kind)
    const newPath = (id = uniqueId()): { id: string; path: string } => ({
      id,
      path: toPlainPath(kind, id),
    })
    const send = (method: string, path: string, options?: CallOptions): Promise<Response> =>
      world.as('O', method, path, options)
    const create = async (): Promise<{ id: string; path: string; etag: string }> => {
      const { id, path } = newPath()
      const answer = await expectOk(send('PUT', path, { body: buildPlainRecord(kind, id) }))
      return { id, path, etag: answer.headers.get('etag') ?? '' }
    }

    test(`PUT ${one} › 200 on create and update, with the same bytes, ETag and location-html`, async () => {
      const { id, path } = newPath(`urn:x:${uniqueId()} é`)
      const text = JSON.stringify(buildPlainRecord(kind, id)).slice(0, -1)
      for (const more of ['"custom":{}', `"x":${NUMBERS},\r\n\t"__proto__":{"constructor":null}`]) {
        const body = `\n ${text},${more} }\n`
        const answer = await send('PUT', path, { body })
        assert.equal(answer.status, 200)
        assert.match(answer.headers.get('etag') ?? '', /^"[0-9a-f]{64}"$/)
        assert.match(
          answer.headers.get('location-html') ?? '',
          /^http:\/\/portbook\.test\/[a-z-]+\//,
        )
        assert.equal(await answer.text(), body)
        const got = await send('GET', path)
        assert.equal(await got.text(), body)
        assert.equal(got.headers.get('etag'), answer.headers.get('etag'))
        assert.ok((await readText(send('GET', toPlainPath(kind)))).includes(body))
      }
    })

    test(`PUT ${one} › accepts YAML and returns it as JSON, with all digits`, async () => {
      const { id, path } = newPath()
      const yaml = `${JSON.stringify(buildPlainRecord(kind, id)).slice(0, -1)}, x: ${NUMBERS}}`
      const text = await readText(send('PUT', path, { yaml }))
      assert.ok(text.includes(`"x":${NUMBERS}`), text)
      assert.equal(await readText(send('GET', path)), text)
    })

    test(`PUT ${one} › adds the id of the path, and rejects another one with 422`, async () => {
      const { id, path } = newPath()
      const document: Record<string, unknown> = buildPlainRecord(kind, 'another')
      await expectViolations(send('PUT', path, { body: document }), 422, ['id'])
      const { id: _, ...withoutId } = document
      for (const body of [withoutId, { ...withoutId, id: null }]) {
        assert.deepEqual(await readJson(send('PUT', path, { body })), { id, ...withoutId })
      }
    })

    test(`PUT ${one} › 413 for more bytes than the kind allows, 400 for no JSON, 422 for no object`, async () => {
      const { id, path } = newPath()
      const x = 'x'.repeat(kind.bytesMax)
      const body = { ...buildPlainRecord(kind, id), x }
      await expectProblem(send('PUT', path, { body }), 413)
      await expectProblem(send('PUT', path, { body: '{' }), 400)
      await expectProblem(send('PUT', path, { body: '[]' }), 422)
      await expectProblem(send('GET', path), 404)
    })

    test(`PUT ${one} › 412 if If-Match or If-None-Match does not hold`, async () => {
      const { id, path, etag } = await create()
      const body = { ...buildPlainRecord(kind, id), x: 1 }
      const put = (headers: Record<string, string>): Promise<Response> =>
        send('PUT', path, { body, headers })
      await expectProblem(put({ 'if-none-match': '*' }), 412)
      await expectProblem(put({ 'if-match': '"other"' }), 412)
      await expectOk(put({ 'if-match': etag }))
      await expectProblem(put({ 'if-match': etag }), 412)
    })

    test(`GET of the list of ${one} › has all records on page 0, and no further page`, async () => {
      const { id } = await create()
      const list = toPlainPath(kind)
      const first = await send('GET', `${list}?p=0`)
      assert.equal(first.headers.get('link'), null)
      assert.ok((await first.text()).includes(id))
      assert.equal(await readText(send('GET', `${list}?p=1`)), '[]')
      await expectProblem(send('GET', `${list}?p=-1`), 400)
    })

    test(`GET ${one} › 304 for the current ETag, 404 for an unknown id`, async () => {
      const { path, etag } = await create()
      const headers = { 'if-none-match': etag }
      assert.equal((await send('GET', path, { headers })).status, 304)
      await expectProblem(send('GET', newPath().path), 404)
    })

    test(`DELETE ${one} › 200 without a body, then 404; 412 if If-Match does not hold`, async () => {
      const { path, etag } = await create()
      await expectProblem(send('DELETE', path, { headers: { 'if-match': '"other"' } }), 412)
      assert.equal(await readText(send('DELETE', path, { headers: { 'if-match': etag } })), '')
      await expectProblem(send('DELETE', path), 404)
      await expectProblem(send('GET', path), 404)
    })

    test(`${one} › makes no event`, async () => {
      const { id, path } = await create()
      await expectOk(send('DELETE', path))
      assert.deepEqual(await listEventsOfSubject(world, id), [])
    })

    test(`${one} › concurrent writers of one record all succeed, and one of them is last`, async () => {
      const { id, path } = newPath()
      const texts = await Promise.all(
        Array.from({ length: 10 }, async (_, writer) => {
          const body = JSON.stringify({ ...buildPlainRecord(kind, id), writer })
          return await readText(send('PUT', path, { body }))
        }),
      )
      assert.ok(texts.includes(await readText(send('GET', path))))
    })
  }
})
