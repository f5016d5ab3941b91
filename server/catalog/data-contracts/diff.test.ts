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

interface Difference {
  sourceKind: string
  source1: { id: string; version: string; canonicalUrl?: string }
  source2: { id: string; version: string; canonicalUrl?: string }
  impact: { major: number; minor: number; patch: number }
  diffs: { message: string; impactLevel: string; path: string }[]
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

    test(`GET /api/${room}/{id}/diff?format=omds › 200 with a metadata difference, also for a media type of it`, async () => {
      const { id, path } = await registered()
      const asked = `${path}/diff?from=2&to=3`
      const get = (query: string, accept?: string) =>
        world.as('Tr', 'GET', asked + query, accept === undefined ? {} : { headers: { accept } })
      const answer = await get('&format=omds')
      assert.equal(answer.headers.get('content-type'), 'application/omds+json')
      assert.equal(answer.headers.get('portbook-draft'), 'rfc-0039; text=2026-07')
      const difference = await readJson<Difference>(Promise.resolve(answer))
      const { source1, source2, impact, diffs } = difference
      assert.equal(difference.sourceKind, room === 'datacontracts' ? 'DataContract' : 'DataProduct')
      assert.deepEqual([source1.id, source2.id], [id, id])
      assert.ok(source1.canonicalUrl?.endsWith(`${path}/versions/2`))
      await readText(world.as('Tr', 'GET', new URL(source2.canonicalUrl ?? '').pathname))
      const { changes } = await readJson<Diff>(get(''))
      assert.deepEqual(
        diffs.map(({ message }) => message),
        changes.map(({ message }) => message),
      )
      assert.ok(impact.major > 0)
      for (const accept of ['application/omds+json', 'application/json, application/omds+json']) {
        const chosen = await get('', accept)
        assert.equal(chosen.headers.get('content-type'), 'application/omds+json', accept)
      }
      for (const [query, accept] of [
        ['', 'application/omds+yaml'],
        ['&format=omds', 'application/yaml'],
        ['&format=omds', 'application/omds+yaml'],
      ] as const) {
        const chosen = await get(query, accept)
        assert.equal(chosen.headers.get('content-type'), 'application/omds+yaml', query + accept)
        assert.match(await readText(Promise.resolve(chosen)), /^apiVersion: v1\.0\.0\n/)
      }
      const usual = await get('', 'application/json')
      assert.equal(usual.headers.get('content-type'), 'application/json')
      assert.equal(usual.headers.get('portbook-draft'), null)
      const byRfc = await readJson<Difference>(get('&format=omds&rules=rfc0039'))
      assert.equal(byRfc.diffs.length, diffs.length)
    })

    test(`GET and POST /api/${room}/{id}/diff?format= › 400 for an unknown format, 404 and 422 as without one`, async () => {
      const { path } = await registered()
      await expectProblem(world.as('Tr', 'GET', `${path}/diff?format=oors`), 400, /omds/)
      await expectProblem(world.as('Tr', 'GET', `${path}/diff?format=omds&rules=x`), 400)
      await expectProblem(world.as('Tr', 'GET', `${path}/diff?format=omds&to=9`), 404)
      const post = (query: string, body: object) =>
        world.as('T', 'POST', `${path}/diff${query}`, { body })
      await expectProblem(post('?format=omds', {}), 422)
      await expectProblem(post('?format=xml', {}), 400)
    })

    test(`POST /api/${room}/{id}/diff?format=omds › 200, the draft has no version of the catalog`, async () => {
      const { path, documents } = await registered()
      const body = documents[0] ?? {}
      const difference = await readJson<Difference>(
        world.as('T', 'POST', `${path}/diff?format=omds`, { body }),
      )
      assert.equal(difference.source2.canonicalUrl, undefined)
      assert.ok(difference.source1.canonicalUrl?.endsWith(`${path}/versions/4`))
      assert.ok(difference.diffs.some(({ impactLevel }) => impactLevel === 'MAJOR'))
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

  test('GET /api/sourcesystems/{id}/diff?format=omds › the usual answer: no standard describes it', async () => {
    const path = `/api/sourcesystems/${uniqueId()}`
    for (const name of ['a', 'b'])
      await readText(world.as('O', 'PUT', path, { body: { id: path.slice(19), name, owner: 'a' } }))
    const answer = await world.as('O', 'GET', `${path}/diff`, {
      headers: { accept: 'application/omds+json' },
    })
    assert.equal(answer.headers.get('content-type'), 'application/json')
  })
})
