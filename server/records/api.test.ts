/** The promises that only some kinds of records make. Those that all kinds share are tested in `test/record-kinds.test.ts`. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, uniqueId, type World } from '../../test/world.ts'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })
  const put = (path: string, body: object): Promise<Response> =>
    world.as('O', 'PUT', path, { body })

  test('PUT /api/policies/{id} › 200 with the policy, 422 for an unknown status', async () => {
    const id = `GLOBAL-${uniqueId()}`
    for (const status of ['Draft', 'Accepted', 'Rejected', 'Deprecated']) {
      const policy = { id, name: 'Retention', status, content: '# Keep\n\nNothing *forever*.' }
      assert.deepEqual(await readJson(put(`/api/policies/${id}`, policy)), policy)
    }
    const wrong = put(`/api/policies/${id}`, { name: 'Retention', status: 'accepted' })
    const { violations } = await expectProblem(wrong, 422)
    assert.deepEqual(
      violations?.map(({ field }) => field),
      ['status'],
    )
  })

  test('PUT /api/policies/{id} › 403 names the callers who can write a kind without owners', async () => {
    const body = { name: 'Retention', owner: 'a' }
    const answer = world.as('T', 'PUT', `/api/policies/${uniqueId()}`, { body })
    const { detail } = await expectProblem(answer, 403)
    assert.match(
      detail ?? '',
      /Only organization owners and organization keys can change policies\./,
    )
    const ok = await expectOk(put(`/api/policies/${uniqueId()}`, body))
    assert.equal(ok.headers.get('portbook-warnings'), null)
    assert.equal(ok.headers.get('portbook-owner'), null)
  })
})
