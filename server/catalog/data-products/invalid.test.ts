import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, expectViolations, readJson, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { dps, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'

interface Invalid {
  document: (id: string) => object
  fields: string[]
  says: RegExp
}

const port = { name: 'out', version: '1' }

const INVALID: Record<string, Invalid> = {
  'another id in an ODPS body than in the path': {
    document: () => odps('other-id'),
    fields: ['id'],
    says: /"other-id"/,
  },
  'another id in a DPS body than in the path': {
    document: () => dps('other-id'),
    fields: ['id'],
    says: /"other-id"/,
  },
  'another info.id in a DPS body than in the path': {
    document: () => ({ info: { id: 'other-id', title: 'X', owner: 'a' } }),
    fields: ['info.id'],
    says: /"other-id"/,
  },
  'an ODPS without a name': {
    document: (id) => ({ ...odps(id), name: undefined }),
    fields: ['name'],
    says: /name/,
  },
  'a blank name': { document: (id) => odps(id, { name: ' ' }), fields: ['name'], says: /blank/ },
  'an ODPS without a team': {
    document: (id) => ({ ...odps(id), team: undefined }),
    fields: ['team.name'],
    says: /missing/,
  },
  'an ODPS team without a name': {
    document: (id) => odps(id, { team: { description: 'x' } }),
    fields: ['team.name'],
    says: /missing/,
  },
  'an ODPS team that is null': {
    document: (id) => odps(id, { team: null }),
    fields: ['team.name'],
    says: /missing/,
  },
  'a DPS without a title': {
    document: (id) => ({ ...dps(id), info: { owner: 'a' } }),
    fields: ['info.title'],
    says: /missing/,
  },
  'a DPS without an owner': {
    document: (id) => ({ ...dps(id), info: { title: 'X' } }),
    fields: ['info.owner'],
    says: /missing/,
  },
  'a DPS with two different titles': {
    document: (id) => ({ ...dps(id), info: { title: 'X', name: 'Y', owner: 'a' } }),
    fields: ['info.name'],
    says: /"Y".*"X"/,
  },
  'an unknown owner team of ODPS, naming field and value': {
    document: (id) => odps(id, { team: { name: 'no-such-team' } }),
    fields: ['team.name'],
    says: /no-such-team/,
  },
  'an unknown owner team of DPS, naming field and value': {
    document: (id) => ({ ...dps(id), info: { title: 'X', owner: 'no-such-team' } }),
    fields: ['info.owner'],
    says: /no-such-team/,
  },
  'an owner in other letter case': {
    document: (id) => odps(id, { team: { name: 'A' } }),
    fields: ['team.name'],
    says: /"A"/,
  },
  'a document with the root of opendataproducts.org, saying which standard is meant': {
    document: () => ({ product: { en: { name: 'X' } } }),
    fields: ['product'],
    says: /opendataproducts\.org.*bitol\.io/,
  },
  'a document with the schema of opendataproducts.org, saying which standard is meant': {
    document: () => ({
      schema: 'https://opendataproducts.org/v4.0/schema/odps.json',
      version: '4',
    }),
    fields: ['schema'],
    says: /opendataproducts\.org.*bitol\.io/,
  },
  'a document without any marker': {
    document: (id) => ({ id, name: 'X', team: { name: 'a' } }),
    fields: [''],
    says: /neither an ODPS document .* nor a DPS document/,
  },
  'an empty object': { document: () => ({}), fields: [''], says: /neither/ },
  'a data contract': {
    document: (id) => ({ ...odps(id), kind: 'DataContract' }),
    fields: ['kind'],
    says: /\/api\/datacontracts/,
  },
  'known fields of a wrong type, all of them at once': {
    document: (id) =>
      odps(id, {
        tags: 'x',
        status: 7,
        description: 'a text',
        outputPorts: [port, { ...port, name: ['x'] }, { ...port, contractId: {} }],
      }),
    fields: ['description', 'outputPorts[1].name', 'outputPorts[2].contractId', 'status', 'tags'],
    says: /description.*\(and 4 more\)/,
  },
  'known DPS fields of a wrong type, all of them at once': {
    document: (id) => dps(id, { outputPorts: [{ id: 1, name: 'x', containsPii: 'no' }], tags: {} }),
    fields: ['outputPorts[0].containsPii', 'outputPorts[0].id', 'tags'],
    says: /true or false/,
  },
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  for (const [what, { document, fields, says }] of Object.entries(INVALID)) {
    test(`PUT /api/dataproducts/{id} › 422 for ${what}`, async () => {
      const id = uniqueId()
      const path = `/api/dataproducts/${id}`
      for (const query of ['', '?dryRun=true', '?strict=false']) {
        const put = world.as('O', 'PUT', path + query, { body: document(id) })
        const problem = await expectProblem(put, 422)
        assert.equal(problem.instance, path)
        assert.deepEqual(
          problem.violations?.map(({ field }) => field),
          fields,
        )
        for (const { line, column } of problem.violations ?? []) assert.ok(line && column)
        assert.match(problem.detail, says)
      }
      await expectProblem(world.as('O', 'GET', path), 404)
      await expectProblem(world.as('O', 'GET', `${path}/versions`), 404)
    })
  }

  test('PUT /api/dataproducts/{id} › 422 with line and column of every violation in JSON', async () => {
    const id = uniqueId()
    const body = `{\n  "kind": "DataProduct",\n  "name": 1, "team": {\n    "name": "absent"}, "tags": 2 }`
    const put = world.as('O', 'PUT', `/api/dataproducts/${id}`, { body })
    const { violations } = await expectProblem(put, 422)
    assert.deepEqual(
      violations?.map(({ field, line, column }) => [field, line, column]),
      [
        ['name', 3, 3],
        ['tags', 4, 24],
      ],
    )
    const fixed = body.replace('1', '"X"').replace('2', '[]')
    const other = world.as('O', 'PUT', `/api/dataproducts/${id}`, { body: fixed })
    assert.deepEqual((await expectProblem(other, 422)).violations, [
      {
        field: 'team.name',
        message: 'Unknown team "absent". Create it with PUT /api/teams/{id} first.',
        line: 4,
        column: 5,
      },
    ])
  })

  test('PUT /api/dataproducts/{id} › 422 with line and column of every violation in YAML', async () => {
    const id = uniqueId()
    const yaml =
      'kind: DataProduct\n\nname: X\nteam:\n  name: a\noutputPorts:\n  - name: x\n  - name: [y]\n'
    const put = world.as('O', 'PUT', `/api/dataproducts/${id}`, { yaml })
    const { violations } = await expectProblem(put, 422)
    assert.deepEqual(
      violations?.map(({ field, line, column }) => [field, line, column]),
      [['outputPorts[1].name', 8, 5]],
    )
  })

  test('PUT /api/dataproducts/{id}?strict=true › 422 for what is a warning without it', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    const body = odps(id, { colour: 'red', team: { name: 'a' }, outputPorts: [{ name: 'x' }] })
    await expectViolations(world.as('T', 'PUT', `${path}?strict=true`, { body }), 422, [
      'colour',
      'outputPorts[0].version',
    ])
    await expectProblem(world.as('T', 'GET', path), 404)

    const plan = await readJson<{ warnings: { field: string; line: number; column: number }[] }>(
      world.as('T', 'PUT', `${path}?dryRun=true`, { body }),
    )
    const warned = plan.warnings.map(({ field }) => field)
    assert.ok(warned.includes('colour') && warned.includes('outputPorts[0].version'))
    for (const { line, column } of plan.warnings) assert.ok(line >= 1 && column >= 1)
    await readText(world.as('T', 'PUT', path, { body }))
    await readText(world.as('T', 'PUT', `${path}?strict=true`, { body: odps(id) }))
  })

  test('PUT /api/dataproducts/{id} › 400 for dryRun or strict other than true and false', async () => {
    for (const query of ['dryRun=1', 'dryRun=', 'strict=yes', 'strict=true&strict=false']) {
      const path = `/api/dataproducts/${uniqueId()}?${query}`
      const problem = await expectProblem(world.as('T', 'PUT', path, { body: odps('x') }), 400)
      assert.equal(problem.violations?.[0]?.field, query.split('=')[0])
    }
  })

  test('PUT /api/dataproducts/{id} › an error about a huge value stays small', async () => {
    const id = uniqueId()
    const body = odps(id, { team: { name: 'x'.repeat(500_000) } })
    for (const caller of ['O', 'Um'] as const) {
      const answer = await world.as(caller, 'PUT', `/api/dataproducts/${id}`, { body })
      assert.equal(answer.status, caller === 'O' ? 422 : 403)
      assert.ok((await answer.text()).length < 2000)
    }
  })
})
