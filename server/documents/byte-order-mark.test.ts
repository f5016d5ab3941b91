/** A file that begins with a UTF-8 byte order mark, as some editors and PowerShell write it. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { listEventsOfSubject } from '../../test/feed.ts'
import { readJson } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { newProduct, newWorld, odcs, odps, uniqueId, type World } from '../../test/world.ts'

const DOCUMENTS: Record<string, (id: string) => object> = {
  dataproducts: odps,
  datacontracts: odcs,
  assets: (id) => ({ id, info: { name: 'orders', type: 'table' } }),
}

// A client that decodes text drops the mark, so that bytes are compared.
const getBytes = async (answer: Promise<Response>): Promise<string> => {
  const response = await answer
  const bytes = Buffer.from(await response.arrayBuffer())
  assert.equal(response.status, 200, bytes.toString())
  return bytes.toString('hex')
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  for (const [room, newDocument] of Object.entries(DOCUMENTS)) {
    test(`PUT /api/${room}/{id} › a byte order mark is accepted and comes back, in JSON and in YAML`, async () => {
      const [first, second] = [uniqueId(), uniqueId()]
      const json = `\uFEFF${JSON.stringify(newDocument(first), null, 2)}`
      const yaml = `\uFEFF${JSON.stringify(newDocument(second))}\n`
      const path = `/api/${room}/${first}`
      const sent = Buffer.from(json).toString('hex')
      assert.equal(await getBytes(world.as('O', 'PUT', path, { body: json })), sent)
      assert.equal(await getBytes(world.as('O', 'GET', path)), sent)
      assert.equal(await getBytes(world.as('O', 'GET', `${path}/versions/1`)), sent)
      const other = `/api/${room}/${second}`
      const headers = { accept: 'application/yaml' }
      const answer = world.as('O', 'PUT', other, { yaml, headers })
      assert.equal(await getBytes(answer), Buffer.from(yaml).toString('hex'))
      // Inside of other JSON the mark would be an error.
      const lists = [`/api/${room}`, `/api/${room}?asOf=2999-01-01T00:00:00Z`]
      for (const list of lists.slice(0, room === 'assets' ? 1 : 2)) {
        const ids = (await readJson<{ id: string }[]>(world.as('O', 'GET', list))).map(
          ({ id }) => id,
        )
        assert.ok(ids.includes(first) && ids.includes(second), list)
      }
      assert.equal((await listEventsOfSubject(world, first, { include: 'document' })).length, 1)
    })
  }
})
