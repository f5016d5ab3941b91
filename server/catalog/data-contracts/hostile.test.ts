import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { readJson, readText } from '../../../test/answers.ts'
import { HOSTILE_CONTRACTS } from '../../../test/hostile-contracts.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, type World } from '../../../test/world.ts'
import type { Model } from '../../../formats/schema/model.ts'

const PATH = '/api/datacontracts/hostile'
// Larger texts are rejected by the same code, but take seconds.
const DRY_RUN_CHARS_MAX = 1000
// The models of larger texts are large themselves; those of a small text must not become so.
const MODEL_CHARS_MAX = 100_000

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  for (const { trick, text, mediaType, status } of HOSTILE_CONTRACTS) {
    test(`PUT /api/datacontracts/{id} › ${status} and a clear answer for ${trick}`, async () => {
      const headers = { 'content-type': mediaType }
      // Without the former contract, the changes from it are not computed.
      await world.as('O', 'DELETE', PATH)
      const put = await world.as('O', 'PUT', PATH, { body: text, headers })
      const answer = await put.text()
      assert.equal(put.status, status, answer.slice(0, 1000))
      if (status !== 200) {
        const problem = JSON.parse(answer) as { detail: string }
        assert.ok(problem.detail.length > 0 && problem.detail.length < 1000)
        return
      }
      assert.equal(answer, text)
      if (text.length > MODEL_CHARS_MAX) return
      const { models } = await readJson<{ models: Model[] }>(world.as('O', 'GET', `${PATH}/model`))
      for (const model of models) assert.equal(typeof model.name, 'string')
    })
  }

  test('PUT /api/datacontracts/{id} › 200 for a change to a schema of 2^40 fields', async () => {
    for (const trick of ['Protobuf messages inside of themselves', 'JSON Schema of 2^40 fields']) {
      const contract = HOSTILE_CONTRACTS.find((hostile) => hostile.trick === trick)
      await readText(world.as('O', 'PUT', PATH, { body: contract?.text }))
    }
  })

  test('PUT /api/datacontracts/{id}?dryRun=true › 4xx for a text that cannot be read', async () => {
    for (const { text, mediaType, status } of HOSTILE_CONTRACTS) {
      if (status === 200 || text.length > DRY_RUN_CHARS_MAX) continue
      const headers = { 'content-type': mediaType }
      await readText(world.as('O', 'PUT', `${PATH}?dryRun=true`, { body: text, headers }), status)
    }
  })

  test('fields and models called like parts of JavaScript are fields and models like any other', async () => {
    const named = HOSTILE_CONTRACTS.find(({ trick }) => trick.startsWith('models called like'))
    await world.as('O', 'DELETE', PATH)
    await readJson(world.as('O', 'PUT', PATH, { body: named?.text }))
    const { models } = await readJson<{ models: Model[] }>(world.as('O', 'GET', `${PATH}/model`))
    assert.deepEqual(
      models.map(({ name, fields }) => [name, fields.map((field) => field.name)]),
      [
        ['__proto__', ['__proto__', 'constructor']],
        ['constructor', []],
      ],
    )
    assert.equal(Object.hasOwn(Object.prototype, 'type'), false)
  })
})
