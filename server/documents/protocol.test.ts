/**
 * The promises that PUT, GET and DELETE keep for every kind of document. What is special to a kind is tested in its
 * own module.
 */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../test/answers.ts'
import { listEventsOfSubject, summarizeEvent } from '../../test/feed.ts'
import { TESTED_KINDS } from '../../test/document-kinds.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, uniqueId } from '../../test/world.ts'
import type { CallOptions, World } from '../../test/world.ts'
import type { Plan } from '../ledger/history/plan.ts'
import { withId } from '../requests/http/json.ts'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  for (const kind of TESTED_KINDS) {
    const { list, event, newDocument } = kind
    const { newId = uniqueId } = kind
    const newTarget = (id = newId()) => ({ id, path: `${list}/${encodeURIComponent(id)}` })
    const send = (method: string, path: string, options?: CallOptions) =>
      world.as('O', method, path, options)
    const getVersions = async (path: string): Promise<unknown[]> =>
      await readJson<unknown[]>(send('GET', `${path}/versions`))

    for (const [what, template] of Object.entries(kind.texts)) {
      test(`PUT ${list}/{id} › returns the same bytes: ${what}`, async () => {
        const { id, path } = newTarget()
        const text = template.replace('ID', id)
        assert.equal(await readText(send('PUT', path, { body: text })), text)
        assert.equal(await readText(world.as('Tr', 'GET', path)), text)
        assert.equal(await readText(world.as('Tr', 'GET', `${path}/versions/1`)), text)
        const all = await readText(world.as('Tr', 'GET', list))
        assert.ok(all.includes(withId(text.trim(), id, kind.idField)), 'the list has another text')
        if (list === '/api/assets') return
        const later = new Date(Date.now() + 60_000).toISOString()
        assert.equal(await readText(world.as('Tr', 'GET', `${path}?asOf=${later}`)), text)
      })
    }

    test(`PUT ${list}/{id} › accepts YAML, returns it as JSON, and as YAML on request`, async () => {
      const { id, path } = newTarget()
      const [yaml, json] = [kind.yaml.replace('ID', id), kind.json.replace('ID', id)]
      assert.equal(await readText(send('PUT', path, { yaml })), json)
      const got = await send('GET', path)
      assert.equal(got.headers.get('content-type'), 'application/json')
      assert.equal(await got.text(), json)
      const asYaml = await send('GET', path, { headers: { accept: 'application/yaml' } })
      assert.equal(asYaml.headers.get('content-type'), 'application/yaml')
      if (kind.keepsYaml) assert.equal(await asYaml.text(), yaml)
      else assert.match(await asYaml.text(), /12345678901234567890/)
    })

    test(`PUT ${list}/{id} › 200 on create and update, with ETag and location-html`, async () => {
      const { id, path } = newTarget(kind.newId?.() ?? `urn:x:${uniqueId()} é`)
      const created = await send('PUT', path, { body: newDocument(id) })
      const updated = await send('PUT', path, { body: newDocument(id, ['x']) })
      for (const answer of [created, updated]) {
        assert.equal(answer.status, 200)
        assert.match(answer.headers.get('etag') ?? '', /^"[0-9a-f]{64}"$/)
        const page = `http://portbook.test/${kind.pages}/${encodeURIComponent(id)}`
        assert.equal(answer.headers.get('location-html'), page)
      }
      assert.notEqual(created.headers.get('etag'), updated.headers.get('etag'))
      const got = await send('GET', path)
      assert.equal(got.headers.get('etag'), updated.headers.get('etag'))
      assert.equal(got.headers.get('location-html'), updated.headers.get('location-html'))
      assert.deepEqual(await got.json(), newDocument(id, ['x']))
    })

    test(`PUT ${list}/{id} › only a change of meaning creates a version and an event`, async () => {
      const { id, path } = newTarget()
      const put = (tags: readonly string[]) => send('PUT', path, { body: newDocument(id, tags) })
      const first = await getEtag(put(['a', 'b']))
      assert.equal(await getEtag(put(['a', 'b'])), first)
      const reordered = Object.fromEntries(Object.entries(newDocument(id, ['a', 'b'])).toReversed())
      const kept = await readText(send('PUT', path, { body: reordered }))
      assert.equal(kept, JSON.stringify(newDocument(id, ['a', 'b'])))
      await expectOk(put(['c']))
      await readText(send('DELETE', path))
      const events = await listEventsOfSubject(world, id, { include: 'document' })
      assert.deepEqual(
        events.map((one) => [summarizeEvent(one), one.data.version, Boolean(one.data.before)]),
        [
          [`${event}CreatedEvent`, 1, false],
          [`${event}UpdatedEvent`, 2, true],
          [`${event}DeletedEvent`, 2, true],
        ],
      )
      assert.equal((await getVersions(path)).length, 2)
      await expectOk(put([]))
      const [again] = (await listEventsOfSubject(world, id)).slice(3)
      assert.equal(again?.data.version, 3, 'versions continue after those of the deleted document')
    })

    test(`PUT and DELETE ${list}/{id} › 412 if a condition fails, 304 for a current ETag`, async () => {
      const { id, path } = newTarget()
      const put = (headers: Record<string, string>, tag: string, query = '') =>
        send('PUT', `${path}${query}`, { headers, body: newDocument(id, [tag]) })
      await expectProblem(put({ 'if-match': '*' }, 'x'), 412)
      const etag = await getEtag(put({ 'if-none-match': '*' }, 'w'))
      await expectProblem(put({ 'if-none-match': '*' }, 'x'), 412)
      await expectProblem(put({ 'if-match': '"other"' }, 'x', '?dryRun=true'), 412)
      await expectProblem(put({ 'if-match': '"other"' }, 'w'), 412)
      const now = await getEtag(put({ 'if-match': etag }, 'x'))
      await expectProblem(put({ 'if-match': etag }, 'y'), 412)
      const headers = { 'if-none-match': now }
      assert.equal((await send('GET', path, { headers })).status, 304)
      const remove = (tag: string) => send('DELETE', path, { headers: { 'if-match': tag } })
      await expectProblem(remove(etag), 412)
      await readText(remove(now))
      await expectProblem(remove(now), kind.absentStatus === 200 ? 412 : 404)
    })

    test(`PUT ${list}/{id}?dryRun=true › returns the outcome and writes nothing`, async () => {
      const { id, path } = newTarget()
      const getPlan = async (tags: readonly string[]): Promise<string> => {
        const body = newDocument(id, tags)
        return (await readJson<Plan>(send('PUT', `${path}?dryRun=true`, { body }))).outcome
      }
      assert.equal(await getPlan([]), 'created')
      await expectProblem(send('GET', path), 404)
      await expectProblem(send('GET', `${path}/versions`), 404)
      await expectOk(send('PUT', path, { body: newDocument(id) }))
      assert.equal(await getPlan([]), 'unchanged')
      assert.equal(await getPlan(['x']), 'updated')
      assert.deepEqual(await readJson(send('GET', path)), newDocument(id))
      assert.deepEqual((await listEventsOfSubject(world, id)).map(summarizeEvent), [
        `${event}CreatedEvent`,
      ])
    })

    test(`PUT ${list}/{id} › 422 with the position of an unknown team and of another id`, async () => {
      const { id, path } = newTarget()
      const { reference } = kind
      const sent: [body: string, field: string][] = [
        [JSON.stringify(newDocument('other')), kind.idField ?? 'id'],
      ]
      if (reference !== undefined) {
        sent.push([JSON.stringify(reference.document).replace('ID', id), reference.field])
      }
      for (const [body, field] of sent) {
        for (const query of ['', '?dryRun=true']) {
          const answer = send('PUT', `${path}${query}`, { body })
          const [violation, ...more] = (await expectProblem(answer, 422)).violations ?? []
          assert.deepEqual(more, [])
          assert.deepEqual([violation?.field, violation?.line], [field, 1])
          assert.ok((violation?.column ?? 0) >= 1)
        }
      }
      await expectProblem(send('GET', path), 404)
    })

    test(`PUT ${list}/{id} › 400 malformed, 413 too large, 415 another media type, 405 another method`, async () => {
      const { id, path } = newTarget()
      await expectProblem(send('PUT', path, { body: '{' }), 400)
      await expectProblem(send('PUT', path, { body: '' }), 400)
      await expectProblem(send('PUT', `${path}?dryRun=1`, { body: newDocument(id) }), 400)
      await expectProblem(send('PUT', `${path}?strict=yes`, { body: newDocument(id) }), 400)
      const large = { ...newDocument(id), x: 'x'.repeat(kind.bytesMax) }
      await expectProblem(send('PUT', path, { body: large }), 413)
      const headers = { 'content-type': 'text/plain' }
      await expectProblem(send('PUT', path, { headers, body: '{}' }), 415)
      await expectProblem(send('POST', path, { body: {} }), 405)
      await expectProblem(send('GET', path), 404)
    })

    test(`PUT ${list}/{id} › accepts ids like names in JavaScript, rejects hostile ones`, async () => {
      for (const id of [
        '__proto__',
        'constructor',
        'latest',
        'versions',
        'urn:a:b',
        '😀',
        'x'.repeat(256),
      ]) {
        const { path } = newTarget(id)
        if (kind.newId !== undefined) {
          await expectProblem(send('PUT', path, { body: newDocument(id) }), 422)
          continue
        }
        await expectProblem(send('GET', path), 404)
        await expectOk(send('PUT', path, { body: newDocument(id) }))
        assert.deepEqual(await readJson(send('GET', path)), newDocument(id))
        await readText(send('DELETE', path))
      }
      for (const id of [
        '%00',
        '%2F',
        kind.hasSlashIds ? 'a%2F%2Fb' : 'a%2Fb',
        'http:%2F%2Fx',
        '%E2%80%AE',
        '%ff',
        'x'.repeat(257),
      ]) {
        await expectProblem(send('PUT', `${list}/${id}`, { body: newDocument('x') }), 400)
        await expectProblem(send('GET', `${list}/${id}`), 400)
        await expectProblem(send('DELETE', `${list}/${id}`), 400)
      }
    })

    test(`PUT ${list}/{id} › concurrent changes create versions without gaps`, async () => {
      const { id, path } = newTarget()
      const puts = Array.from({ length: 20 }, (_, at) =>
        expectOk(send('PUT', path, { body: newDocument(id, [`t${at}`]) })),
      )
      await Promise.all(puts)
      assert.deepEqual(
        (await listEventsOfSubject(world, id)).map(({ data }) => data.version),
        Array.from({ length: 20 }, (_, at) => at + 1),
      )
    })

    test(`DELETE ${list}/{id} › 200 without a body, then ${kind.absentStatus}`, async () => {
      const { id, path } = newTarget()
      await expectOk(send('PUT', path, { body: newDocument(id) }))
      const headers = { 'content-type': 'application/json', 'content-length': '0' }
      assert.equal(await readText(send('DELETE', path, { headers, body: '' })), '')
      await expectProblem(send('GET', path), 404)
      const again = await send('DELETE', path)
      assert.equal(again.status, kind.absentStatus)
      assert.ok(!(await readText(send('GET', list))).includes(id))
    })
  }
})

async function getEtag(answer: Promise<Response>): Promise<string> {
  return (await expectOk(answer)).headers.get('etag') ?? ''
}
