import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { readJson } from '../../test/answers.ts'
import { HOSTILE_CONTRACTS } from '../../test/hostile-contracts.ts'
import { onStore } from '../../test/stores.ts'
import { newProduct, newWorld, type World } from '../../test/world.ts'
import type { Model } from '../../formats/schema/model.ts'

const PATH = '/api/datacontracts/hostile'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  for (const { trick, text, mediaType, status } of HOSTILE_CONTRACTS) {
    test(`PUT /api/datacontracts/{id} › ${status} and a clear answer for ${trick}`, async () => {
      const headers = { 'content-type': mediaType }
      const send = (method: string, path: string) =>
        world.as('O', method, path, { body: text, headers })
      const put = await send('PUT', PATH)
      const answer = await put.text()
      assert.equal(put.status, status, answer.slice(0, 1000))
      if (status !== 200) {
        const dry = await send('PUT', `${PATH}?dryRun=true`)
        assert.equal(dry.status, status)
        const problem = JSON.parse(answer) as { detail: string }
        assert.ok(problem.detail.length > 0 && problem.detail.length < 1000)
        return
      }
      assert.equal(answer, text)
      const { models } = await readJson<{ models: Model[] }>(world.as('O', 'GET', `${PATH}/model`))
      for (const model of models) assert.equal(typeof model.name, 'string')
    })
  }

  test('fields and models called like parts of JavaScript are fields and models like any other', async () => {
    const named = HOSTILE_CONTRACTS.find(({ trick }) => trick.startsWith('models called like'))
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
