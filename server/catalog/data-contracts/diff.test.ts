import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, odcs, odps, uniqueId, type World } from '../../../test/world.ts'
import type { Plan } from '../../ledger/history/plan.ts'

interface Diff {
  from: number
  to: number | 'draft'
  level: string
  changes: Plan['changes']
}

const columns = (types: Record<string, string>): object => ({
  schema: [
    {
      name: 'orders',
      properties: Object.entries(types).map(([name, physicalType]) => ({ name, physicalType })),
    },
  ],
})

const ports = (...names: string[]): object => ({
  outputPorts: names.map((name) => ({ name, version: '1' })),
})

// Four versions of each kind: the second adds, the third takes away, the fourth only explains.
const KINDS = {
  datacontracts: (id: string) => [
    odcs(id, columns({ id: 'integer' })),
    odcs(id, columns({ id: 'integer', total: 'decimal(10,2)' })),
    odcs(id, columns({ id: 'integer', total: 'decimal(12,2)' })),
    odcs(id, { ...columns({ id: 'integer', total: 'decimal(12,2)' }), tags: ['x'] }),
  ],
  dataproducts: (id: string) => [
    odps(id, ports('a')),
    odps(id, ports('a', 'b')),
    odps(id, ports('b')),
    odps(id, { ...ports('b'), tags: ['x'] }),
  ],
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  for (const [room, getVersions] of Object.entries(KINDS)) {
    const registered = async () => {
      const id = uniqueId()
      const path = `/api/${room}/${id}`
      for (const body of getVersions(id)) await readText(world.as('T', 'PUT', path, { body }))
      const diff = (query: string) => readJson<Diff>(world.as('Tr', 'GET', `${path}/diff${query}`))
      return { id, path, diff, documents: getVersions(id) }
    }

    test(`GET /api/${room}/{id}/diff › between two versions, in either direction`, async () => {
      const { diff } = await registered()
      const answers = await Promise.all(
        ['?from=1&to=2', '?from=2&to=3', '?from=3&to=4', '?from=4&to=2', '?from=1&to=1'].map(diff),
      )
      assert.deepEqual(
        answers.map(({ from, to, level }) => [from, to, level]),
        [
          [1, 2, 'additive'],
          [2, 3, 'breaking'],
          [3, 4, 'wording'],
          [4, 2, room === 'datacontracts' ? 'additive' : 'additive'],
          [1, 1, 'none'],
        ],
      )
      assert.deepEqual(answers[4]?.changes, [])
      const [change] = answers[0]?.changes ?? []
      assert.equal(change?.kind, 'added')
      assert.match(change?.path ?? '', /^\/(schema|outputPorts)\//)
      assert.ok((change?.message.length ?? 0) > 0)
    })

    test(`GET /api/${room}/{id}/diff › without numbers the last version and the one before`, async () => {
      const { diff } = await registered()
      const last = await diff('')
      assert.deepEqual([last.from, last.to, last.level], [3, 4, 'wording'])
      const second = await diff('?to=2')
      assert.deepEqual([second.from, second.to], [1, 2])
      const sinceFirst = await diff('?from=1')
      assert.deepEqual([sinceFirst.from, sinceFirst.to], [1, 4])
    })

    test(`GET /api/${room}/{id}/diff › 400 before the first version and for a text that is not a number, 404 for a missing version`, async () => {
      const { path } = await registered()
      const get = (query: string) => world.as('Tr', 'GET', `${path}/diff${query}`)
      await expectProblem(get('?to=1'), 400, /first/)
      for (const query of ['?from=0', '?from=x', '?to=-1', '?from=1.0', '?to=draft']) {
        await expectProblem(get(query), 400)
      }
      await expectProblem(get('?from=1&to=9'), 404)
      await expectProblem(world.as('Tr', 'GET', `/api/${room}/${uniqueId()}/diff`), 404)
    })

    test(`POST /api/${room}/{id}/diff › a draft against the last version, or a named one; nothing is written`, async () => {
      const { path, documents } = await registered()
      const post = (query: string, body: object) =>
        readJson<Diff>(world.as('T', 'POST', `${path}/diff${query}`, { body }))
      const [first, second, , fourth] = documents
      const back = await post('?to=draft', first ?? {})
      assert.deepEqual([back.from, back.to, back.level], [4, 'draft', 'breaking'])
      const same = await post('', fourth ?? {})
      assert.deepEqual([same.level, same.changes], ['none', []])
      const older = await post('?from=1', second ?? {})
      assert.deepEqual([older.from, older.level], [1, 'additive'])
      const versions = await readJson<unknown[]>(world.as('T', 'GET', `${path}/versions`))
      assert.equal(versions.length, 4)
      await expectProblem(world.as('T', 'POST', `${path}/diff`, { body: {} }), 422)
      await expectProblem(world.as('T', 'POST', `${path}/diff?to=3`, { body: first }), 400)
      await expectProblem(world.as('Tr', 'POST', `${path}/diff`, { body: first }), 403)
    })

    test(`PUT /api/${room}/{id}?failOn=breaking › 409 with the changes, a dry run too; nothing is written`, async () => {
      const { id, path, documents } = await registered()
      const [, second] = documents
      // Going back to the second version takes away what the third and fourth have.
      const breaking = room === 'datacontracts' ? odcs(id, columns({ id: 'bigint' })) : odps(id)
      for (const query of ['?failOn=breaking', '?failOn=breaking&dryRun=true']) {
        const answer = await world.as('T', 'PUT', path + query, { body: breaking })
        assert.equal(answer.headers.get('content-type'), 'application/problem+json')
        const problem = JSON.parse(await readText(Promise.resolve(answer), 409)) as Diff & {
          detail: string
        }
        assert.equal(problem.level, 'breaking')
        assert.match(problem.detail, /breaking/)
        assert.ok(problem.changes.some(({ level }) => level === 'breaking'))
      }
      const versions = await readJson<unknown[]>(world.as('T', 'GET', `${path}/versions`))
      assert.equal(versions.length, 4)
      await readText(world.as('T', 'PUT', `${path}?failOn=breaking`, { body: second }))
      await readText(world.as('T', 'PUT', path, { body: breaking }))
      await expectProblem(world.as('T', 'PUT', `${path}?failOn=wording`, { body: second }), 400)
    })
  }
})
