import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { expectProblem, readJson } from '../../test/answers.ts'
import { eventually } from '../../test/eventually.ts'
import { onStore } from '../../test/stores.ts'
import {
  dcs,
  dps,
  expectOk,
  newProduct,
  newWorld,
  odcs,
  odps,
  uniqueId,
  type World,
} from '../../test/world.ts'
import { ApiError } from '../platform/errors.ts'
import { requireManagedList } from './tag-service.ts'
import { listTags } from './tag-task.ts'

const FEATURES = '/api/organization/features'
const CHANGE_MS_MAX = 1000

const MANAGED = ['pii', 'domain/sales']
test('listTags › lists the tags of all parts of a document, without examples and custom properties', () => {
  const document = {
    tags: ['a', 'b', 1, null],
    outputPorts: [{ tags: ['c', 'a'] }],
    models: {
      examples: { tags: ['d'], fields: { tags: { tags: ['e'], examples: [{ tags: ['x'] }] } } },
    },
    schema: [{ properties: [{ tags: ['f'] }] }],
    custom: { tags: ['x'] },
    customProperties: [{ property: 'p', value: { tags: ['x'] } }],
    properties: { tags: ['x'] },
  }
  assert.deepEqual(listTags(document), ['a', 'b', 'c', 'd', 'e', 'f'])
})

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
    for (const id of MANAGED) {
      await expectOk(world.as('O', 'PUT', `/api/tags/${id}`, { body: { id, info: {} } }))
    }
  })

  const setPolicy = async (managedTagsPolicy: string | null, at = world): Promise<void> => {
    await expectOk(at.as('O', 'PUT', FEATURES, { body: { managedTagsPolicy } }))
  }

  const put = (path: string, body: object, query = ''): Promise<Response> =>
    world.as('O', 'PUT', `${path}/${uniqueId()}${query}`, { body })

  const documents: readonly (readonly [string, string, (tags: string[]) => object])[] = [
    ['an ODPS data product', '/api/dataproducts', (tags) => withoutId(odps('x', { tags }))],
    ['a DPS data product', '/api/dataproducts', (tags) => withoutId(dps('x', { tags }))],
    ['an ODCS data contract', '/api/datacontracts', (tags) => withoutId(odcs('x', { tags }))],
    ['a DCS data contract', '/api/datacontracts', (tags) => withoutId(dcs('x', { tags }))],
    ['an asset', '/api/assets', (tags) => ({ info: { name: 'X', owner: 'a' }, tags })],
    ['a team', '/api/teams', (tags) => ({ name: 'X', tags })],
  ]

  describe('managedTagsPolicy: only-managed-tags-allowed', () => {
    before(async () => await setPolicy('only-managed-tags-allowed'))

    for (const [what, path, build] of documents) {
      test(`PUT of ${what} › 200 with managed tags, 422 naming the field and the tag with others`, async () => {
        await expectOk(put(path, build([])))
        await expectOk(put(path, build(MANAGED)))
        for (const query of ['', '?dryRun=true']) {
          const { code, violations } = await expectProblem(
            put(path, build(['pii', 'PII']), query),
            422,
          )
          assert.equal(code, 'document_invalid')
          assert.equal(violations?.length, 1)
          const [first] = violations ?? []
          assert.equal(first?.field, 'tags[1]')
          assert.match(first?.message ?? '', /^"PII" is not a managed tag/)
          assert.ok(first?.line)
        }
      })
    }

    test('PUT › reads a document with managed tags once', async () => {
      const { services } = world
      const { run } = services.offload
      const tasks: string[] = []
      services.offload.run = (organizationId, task, ...rest) => {
        tasks.push(task.name)
        return run(organizationId, task, ...rest)
      }
      for (const [, path, build] of documents) await expectOk(put(path, build(MANAGED)))
      services.offload.run = run
      const expected = ['data-product', 'data-product', 'data-contract', 'data-contract', 'asset']
      assert.deepEqual(
        tasks,
        expected.map((kind) => `${kind}/assess`),
      )
    })

    test('PUT › 422 for a tag of a port and of a field', async () => {
      const product = withoutId(
        odps('x', { outputPorts: [{ name: 'out', version: '1', tags: ['x'] }] }),
      )
      const first = await expectProblem(put('/api/dataproducts', product), 422)
      assert.equal(first.violations?.[0]?.field, 'outputPorts[0].tags[0]')
      const properties = [{ name: 'id', logicalType: 'string', tags: ['x'] }]
      const contract = withoutId(odcs('x', { schema: [{ name: 'orders', properties }] }))
      const second = await expectProblem(put('/api/datacontracts', contract), 422)
      assert.equal(second.violations?.[0]?.field, 'schema[0].properties[0].tags[0]')
    })

    test('PUT › 200 for a document with another tag that changes nothing, 422 when it changes', async () => {
      await setPolicy(null)
      const id = uniqueId()
      const path = `/api/dataproducts/${id}`
      const body = odps(id, { tags: ['old'] })
      await expectOk(world.as('O', 'PUT', path, { body }))
      await setPolicy('only-managed-tags-allowed')
      await expectOk(world.as('O', 'PUT', path, { body }))
      const reordered = { tags: ['old'], ...odps(id, { tags: ['old'] }) }
      await expectOk(world.as('O', 'PUT', path, { body: reordered }))
      await expectProblem(world.as('O', 'PUT', path, { body: { ...body, name: 'New' } }), 422)
    })

    test('PUT › 403 and not 422 for a caller without permission', async () => {
      const body = withoutId(odps('x', { tags: ['x'] }))
      await expectProblem(world.as('Um', 'PUT', `/api/dataproducts/${uniqueId()}`, { body }), 403)
    })

    test('the policy takes effect in another process within a second', async () => {
      const there = newProduct(store())
      const statuses = async (): Promise<number> => {
        const id = uniqueId()
        const body = odps(id, { tags: ['x'] })
        const key = world.keys.O
        return (await there.call('PUT', `/api/dataproducts/${id}`, { key, body })).status
      }
      assert.equal(await statuses(), 422)
      await setPolicy(null)
      await eventually(CHANGE_MS_MAX, async () => (await statuses()) === 200, 'tags are allowed')
      await setPolicy('only-managed-tags-allowed')
    })

    test('the policy and the tags of another organization have no effect', async () => {
      const other = await newWorld(world)
      const body = withoutId(odps('x', { tags: ['anything'] }))
      await expectOk(other.as('O', 'PUT', `/api/dataproducts/${uniqueId()}`, { body }))
      await setPolicy('only-managed-tags-allowed', other)
      const managed = { ...body, tags: ['pii'] }
      await expectProblem(
        other.as('O', 'PUT', `/api/dataproducts/${uniqueId()}`, { body: managed }),
        422,
      )
    })

    test('the tags of an annotation › are rejected by their position', async () => {
      const { organizationId, services } = world
      const policy = { organizationId, hasOnlyManagedTags: true }
      await requireManagedList(services.db, policy, MANAGED)
      await requireManagedList(services.db, { ...policy, hasOnlyManagedTags: false }, ['x'])
      await assert.rejects(requireManagedList(services.db, policy, ['pii', 'x']), (error) => {
        assert.ok(error instanceof ApiError)
        assert.deepEqual(
          error.violations.map(({ field }) => field),
          ['tags[1]'],
        )
        return error.code === 'validation_failed'
      })
    })

    test('source systems can have every tag', async () => {
      const body = { name: 'ERP', owner: 'a', tags: ['x'] }
      await readJson(put('/api/sourcesystems', body))
    })
  })
})

function withoutId(document: Record<string, unknown>): object {
  return { ...document, id: undefined }
}
