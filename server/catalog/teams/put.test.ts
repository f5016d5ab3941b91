import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import type { Plan } from '../../ledger/history/plan.ts'
import { expectOk, newProduct, newWorld, uniqueId, type World } from '../../../test/world.ts'
import { TEAM_TYPES } from '../../../formats/team/team-type.ts'

const TEAM = '/api/teams/{id}'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const put = (id: string, body: unknown, query = ''): Promise<Response> =>
    world.as('O', 'PUT', `/api/teams/${encodeURIComponent(id)}${query}`, { body })
  const get = (id: string): Promise<Response> => world.as('Tr', 'GET', `/api/teams/${id}`)

  test(`PUT ${TEAM} › every field comes back, unknown ones and big numbers too`, async () => {
    const id = uniqueId()
    const rest =
      '"parent":"a","description":"D","members":[{"emailAddress":"X@Example.test","role":"Owner","since":1.0}],' +
      '"tags":["b","a"],"links":{"wiki":"https://example.test"},"custom":{"cost":12345678901234567890,"rate":1.0},' +
      '"ourOwn":{"deep":[1e400000]},"__proto__":{"x":1},"constructor":"c"'.replace(
        '1e400000',
        '1e2',
      )
    const text = `{"id":"${id}","name":"N","type":"Platform Team",${rest}}`
    assert.equal(await readText(put(id, text)), text)
    assert.equal(await readText(get(id)), text)
  })

  test(`PUT ${TEAM} › id from the path and type Team when they are absent`, async () => {
    const id = uniqueId()
    assert.deepEqual(await readJson(put(id, { name: 'N' })), { id, name: 'N', type: 'Team' })
  })

  test(`PUT ${TEAM} › null fields count as absent`, async () => {
    const id = uniqueId()
    const nothing = {
      id: null,
      type: null,
      parent: null,
      description: null,
      members: null,
      tags: null,
      links: null,
      custom: null,
    }
    const stored = await readJson(put(id, { name: 'N', ...nothing }))
    assert.deepEqual(stored, { ...nothing, id, name: 'N', type: 'Team' })
    const members = [{ emailAddress: `${id}@example.test`, role: null }]
    await readText(put(id, { name: 'N', members }))
  })

  for (const type of TEAM_TYPES) {
    test(`PUT ${TEAM} › type ${type} in any letter case`, async () => {
      const id = uniqueId()
      for (const sent of [type, type.toUpperCase(), type.toLowerCase(), ` ${type} `]) {
        const stored = await readJson<{ type: string }>(put(id, { name: 'N', type: sent }))
        assert.equal(stored.type, type)
      }
    })
  }

  for (const sent of ['Data Product Team', 'internal', ' Gilde ', '<b>Ü</b>']) {
    test(`PUT ${TEAM} › 200 for the type "${sent}", returned as Team with the text as it was sent`, async () => {
      const id = uniqueId()
      const path = `/api/teams/${id}`
      const expected = { id, name: 'N', type: 'Team', customType: sent }
      assert.deepEqual(await readJson(put(id, { name: 'N', type: sent })), expected)
      assert.deepEqual(await readJson(get(id)), expected)
      for (const again of [{ id, name: 'N', type: sent }, expected]) {
        const { outcome } = await readJson<Plan>(
          world.as('O', 'PUT', `${path}?dryRun=true`, { body: again }),
        )
        assert.equal(outcome, 'unchanged')
      }
      const changed = await readJson(put(id, { ...expected, type: 'domain' }))
      assert.deepEqual(changed, { id, name: 'N', type: 'Domain' })
    })
  }

  test(`PUT ${TEAM} › an empty list of members means the same as none`, async () => {
    const id = uniqueId()
    const path = `/api/teams/${id}`
    const bare = { id, name: 'N', type: 'Team' }
    await readJson(put(id, bare))
    const empty = await expectOk(world.as('O', 'PUT', path, { body: { ...bare, members: [] } }))
    assert.deepEqual(await empty.json(), bare)
    const versions = await readJson<unknown[]>(world.as('O', 'GET', `${path}/versions`))
    assert.equal(versions.length, 1)
    const renamed = { ...bare, name: 'M', members: [] }
    const { changes } = await readJson<Plan>(
      world.as('O', 'PUT', `${path}?dryRun=true`, { body: renamed }),
    )
    assert.deepEqual(
      changes.map((change) => change.path),
      ['/name'],
    )
    await readJson(put(id, renamed))
    const { outcome } = await readJson<Plan>(
      world.as('O', 'PUT', `${path}?dryRun=true`, { body: { ...bare, name: 'M' } }),
    )
    assert.equal(outcome, 'unchanged')
  })

  test(`PUT ${TEAM} › an empty type is the type Team`, async () => {
    const id = uniqueId()
    assert.deepEqual(await readJson(put(id, { name: 'N', type: ' ' })), {
      id,
      name: 'N',
      type: 'Team',
    })
  })

  test(`PUT ${TEAM}?strict=true › 422 for an unknown type, with the types`, async () => {
    const path = `/api/teams/${uniqueId()}?strict=true`
    const body = { name: 'N', type: 'Guild' }
    const { violations } = await expectProblem(world.as('O', 'PUT', path, { body }), 422)
    assert.equal(violations?.[0]?.field, 'type')
    assert.match(violations[0].message, /^"Guild" is not a team type, .* Types are Domain, Team/)
  })

  for (const [what, more, field, says] of [
    ['a type that is not text', { type: 1 }, 'type', /must be text/],
    ['no name', { name: undefined }, 'name', /needs a name/],
    ['a name of white space', { name: ' \t' }, 'name', /needs a name/],
    ['a name that is not text', { name: 1 }, 'name', /must be text/],
    ['another id than in the path', { id: 'other' }, 'id', /"other" here and ".*" in the path/],
    ['an id that differs in letter case', { id: 'X' }, 'id', /in the path/],
    ['an id that is not text', { id: 1 }, 'id', /must be text/],
    ['an unknown parent', { parent: 'unknown' }, 'parent', /Unknown team "unknown"/],
    ['a parent that is not text', { parent: ['a'] }, 'parent', /must be text/],
    ['members that are not a list', { members: {} }, 'members', /must be a list/],
    ['a member that is not an object', { members: ['x@y.z'] }, 'members[0]', /must be an object/],
    [
      'a member without an address',
      { members: [{ role: 'Owner' }] },
      'members[0].emailAddress',
      /needs an e-mail address/,
    ],
    [
      'an empty address',
      { members: [{ emailAddress: '' }] },
      'members[0].emailAddress',
      /needs an e-mail address/,
    ],
    [
      'a role that is not text',
      { members: [{ emailAddress: 'x', role: 1 }] },
      'members[0].role',
      /must be text/,
    ],
    ['tags that are not a list', { tags: 'x' }, 'tags', /must be a list/],
    ['links that are not a map', { links: [] }, 'links', /must be an object/],
    ['custom that is not a map', { custom: 'x' }, 'custom', /must be an object/],
  ] as const) {
    test(`PUT ${TEAM} › 422 for ${what}, naming field and place`, async () => {
      const id = uniqueId()
      const problem = await expectProblem(put(id, { name: 'N', ...more }), 422)
      const [first, ...others] = problem.violations ?? []
      assert.deepEqual(others, [])
      assert.equal(first?.field, field)
      assert.match(first.message, says)
      assert.equal(first.line, 1)
      assert.ok(first.column !== undefined && first.column >= 1)
      await expectProblem(get(id), 404)
      await expectProblem(world.as('O', 'GET', `/api/teams/${id}/versions`), 404)
    })
  }

  test(`PUT ${TEAM} › 422 with all problems at once, sorted by field`, async () => {
    const body = { id: 'other', type: 'Guild', members: [{}, { emailAddress: 1 }], tags: 1 }
    const { violations } = await expectProblem(put(uniqueId(), body), 422)
    assert.deepEqual(
      violations?.map(({ field }) => field),
      ['id', 'members[0].emailAddress', 'members[1].emailAddress', 'name', 'tags'],
    )
  })

  test(`PUT ${TEAM} › 422 for an address that is too long to look up`, async () => {
    const { violations } = await expectProblem(put(uniqueId(), newTeamWithAddress(10_000)), 422)
    assert.deepEqual(
      violations?.map(({ field }) => field),
      ['members[0].emailAddress'],
    )
    await expectProblem(put(uniqueId(), newTeamWithAddress(321)), 422)
    await readText(put(uniqueId(), newTeamWithAddress(320)))
  })

  test(`PUT ${TEAM} › members [] removes them, and so does leaving them out`, async () => {
    const email = `${uniqueId()}@example.test`
    const id = uniqueId()
    const getTeams = async (): Promise<unknown[]> =>
      await readJson(world.as('O', 'GET', `/api/teams?email=${email}`))
    for (const without of [{ members: [] }, {}, { members: null }]) {
      await readText(put(id, { name: 'N', members: [{ emailAddress: email, role: 'Owner' }] }))
      assert.equal((await getTeams()).length, 1)
      await readText(put(id, { name: 'N', ...without }))
      assert.deepEqual(await getTeams(), [])
    }
  })

  test(`PUT ${TEAM} › roles of one's own are kept as text`, async () => {
    const members = [
      { emailAddress: 'a@example.test', role: 'Hüter der Schlüssel' },
      { emailAddress: 'a@example.test', role: 'Owner' },
      { emailAddress: 'unknown', role: '' },
    ]
    const stored = await readJson<{ members: unknown }>(put(uniqueId(), { name: 'N', members }))
    assert.deepEqual(stored.members, members)
  })

  test(`PUT ${TEAM} › 422 for a list, depth 65 and 100,001 nodes; 1 MiB, depth 64 are fine`, async () => {
    const id = uniqueId()
    await expectProblem(put(id, '[]'), 422)
    await expectProblem(put(id, nested(63)), 422)
    await expectProblem(put(id, { name: 'N', tags: Array(100_001).fill('t') }), 422)
    await readText(put(id, nested(62)))
    const frame = JSON.stringify({ name: 'N', description: '' }).length
    const description = 'x'.repeat(1024 * 1024 - frame)
    await readText(put(id, { name: 'N', description }))
  })

  test(`PUT ${TEAM} › dryRun returns the plan and writes nothing`, async () => {
    const id = uniqueId()
    const members = [{ emailAddress: `${id}@example.test`, role: 'Owner' }]
    const nothing = { level: 'none', changes: [], affected: [] }
    const created = await readJson(put(id, { name: 'N', membrs: [] }, '?dryRun=true'))
    const { warnings, ...plan } = created as { warnings: { field: string }[] }
    assert.deepEqual(plan, { ...nothing, outcome: 'created' })
    assert.deepEqual(
      warnings.map(({ field }) => field),
      ['membrs'],
    )
    await expectProblem(get(id), 404)
    await readText(put(id, { name: 'N' }))
    assert.deepEqual(await readJson(put(id, { name: 'N' }, '?dryRun=true')), {
      ...nothing,
      outcome: 'unchanged',
      warnings: [],
    })
    const updated = await readJson(put(id, { name: 'M', members }, '?dryRun=true'))
    assert.deepEqual(updated, {
      ...nothing,
      outcome: 'updated',
      level: 'additive',
      warnings: [],
      changes: [
        {
          path: '/members',
          kind: 'added',
          level: 'additive',
          before: null,
          after: members,
          message: 'The members of the team was added.',
        },
        {
          path: '/name',
          kind: 'changed',
          level: 'wording',
          before: 'N',
          after: 'M',
          message: 'The name of the team was changed.',
        },
      ],
    })
    await expectProblem(put(id, { name: '' }, '?dryRun=true'), 422)
    assert.deepEqual(await readJson(get(id)), { id, name: 'N', type: 'Team' })
    const versions = await readJson<unknown[]>(world.as('O', 'GET', `/api/teams/${id}/versions`))
    assert.equal(versions.length, 1)
  })

  test(`PUT ${TEAM} › the plan only lists changes by meaning, with every digit of numbers`, async () => {
    const id = uniqueId()
    await readText(put(id, big(1)))
    const reordered = '{"custom":{"big":12345678901234567891,"x":1.0},"tags":["b","a"],"name":"M"}'
    const getPaths = async (body: string): Promise<string[]> => {
      const plan = await readJson<{ changes: { path: string }[] }>(put(id, body, '?dryRun=true'))
      return plan.changes.map(({ path }) => path)
    }
    assert.deepEqual(await getPaths(reordered), ['/name'])
    assert.deepEqual(await getPaths(big(2)), ['/custom'])
    const withNull = big(1).replace('{', '{"description":null,')
    assert.deepEqual(await getPaths(withNull), ['/description'])
  })

  test(`PUT ${TEAM} › strict makes an error of what deviates; a bad flag is 400`, async () => {
    const id = uniqueId()
    await expectProblem(put(id, { name: 'N', description: null }, '?strict=true'), 422)
    await readText(put(id, { name: 'N', description: null }))
    await expectProblem(put(id, { name: 'N' }, '?strict=yes'), 400)
    await expectProblem(put(id, { name: 'N' }, '?dryRun=1'), 400)
  })
})

/** A team with a member whose address has so many characters, and cannot be compressed. */
function newTeamWithAddress(characters: number): object {
  const noise = Array.from({ length: characters }, () => uniqueId().slice(-1)).join('')
  return { name: 'N', members: [{ emailAddress: noise }] }
}

function nested(depth: number): string {
  return `{"name":"N","custom":{"d":${'['.repeat(depth)}${']'.repeat(depth)}}}`
}

function big(last: number): string {
  return `{"name":"N","tags":["a","b"],"custom":{"x":1,"big":1234567890123456789${last}}}`
}
