/** When deprecations were announced, in plans, differences and refusals, for every kind of part. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, odps, type World } from '../../test/world.ts'
import type { Plan } from '../ledger/history/plan.ts'

type Changes = Pick<Plan, 'changes' | 'announced'>

const put = (world: World, path: string, body: object) =>
  expectOk(world.as('O', 'PUT', path, { body }))

const flagged = { deprecated: true }
const KEPT = { name: 'id', logicalType: 'integer' }

const contract = (field: object | undefined, more: object = {}, model: object = {}) =>
  odcs('x', {
    apiVersion: 'v3.2.0',
    schema: [
      {
        name: 'orders',
        properties: [...(field ? [{ name: 'total', logicalType: 'number', ...field }] : []), KEPT],
        ...model,
      },
    ],
    ...more,
  })

const product = (port: object | undefined, more: object = {}) =>
  odps('x', {
    apiVersion: 'v1.1.0',
    outputPorts: [
      { name: 'kept', version: '1' },
      ...(port ? [{ name: 'out', version: '1', ...port }] : []),
    ],
    ...more,
  })

interface Row {
  path: string
  /** The document with a part that is not deprecated, that is, and without the part. */
  plain: object
  deprecated: object
  without: object
}

const EMPTY = { schema: [] }

const ROWS: Readonly<Record<string, Row>> = {
  'a field': {
    path: '/api/datacontracts/x',
    plain: contract({}),
    deprecated: contract(flagged),
    without: contract(undefined),
  },
  'a model': {
    path: '/api/datacontracts/x',
    plain: contract({}),
    deprecated: contract({}, {}, flagged),
    without: contract({}, EMPTY),
  },
  'an output port': {
    path: '/api/dataproducts/x',
    plain: product({}),
    deprecated: product(flagged),
    without: product(undefined),
  },
}

const only = ({ changes }: Changes) =>
  changes.filter(({ kind, level }) => kind === 'removed' && level !== 'wording')

onStore((store) => {
  for (const [part, { path, plain, deprecated, without }] of Object.entries(ROWS)) {
    test(`the removal of ${part} › the plan, the refusal and both differences name the first version of the unbroken run`, async () => {
      const world = await newWorld(newProduct(store()))
      const twin = await newWorld(newProduct(store()))
      // In the twin, the run begins with another version.
      await put(twin, path, deprecated)
      // Version 2 is deprecated, too, but not in the unbroken run of 4, 5 and 6.
      for (const body of [plain, deprecated, plain, deprecated]) await put(world, path, body)
      await put(world, path, { ...deprecated, tags: ['x'] })
      await put(world, path, { ...deprecated, tags: ['y'] })
      const today = new Date().toISOString().slice(0, 4)
      const check = (answer: Changes): void => {
        const [removal, ...more] = only(answer)
        assert.deepEqual(more, [])
        assert.equal(removal?.level, 'breaking')
        assert.equal(removal.announced?.version, 4)
        assert.equal(removal.announced.on.slice(0, 4), today)
        assert.equal(removal.announced.orBefore, false)
        assert.match(
          removal.message,
          / was removed\b.*[.;].* Its deprecation was announced in version 4 on \d{4}-\d\d-\d\d\.$/,
        )
        assert.doesNotMatch(removal.message, /It was deprecated/)
      }
      check(await readJson<Plan>(world.as('O', 'PUT', `${path}?dryRun=true`, { body: without })))
      check(await readJson(world.as('O', 'POST', `${path}/diff`, { body: without })))
      const refused = world.as('O', 'PUT', `${path}?failOn=breaking`, { body: without })
      await expectProblem(refused, 409, /was announced in version 4 on /)
      await put(world, path, without)
      check(await readJson(world.as('O', 'GET', `${path}/diff`)))
      const sinceSecond = await readJson<Changes>(world.as('O', 'GET', `${path}/diff?from=2`))
      assert.equal(only(sinceSecond)[0]?.announced?.version, 2)
      const sinceFirst = await readJson<Changes>(world.as('O', 'GET', `${path}/diff?from=1`))
      assert.equal(only(sinceFirst)[0]?.announced, undefined)
      const inTwin = await readJson<Plan>(
        twin.as('O', 'PUT', `${path}?dryRun=true`, { body: without }),
      )
      assert.equal(only(inTwin)[0]?.announced?.version, 1)
    })
  }

  test('the deletion of a deprecated product › its plan names the announcement', async () => {
    const world = await newWorld(newProduct(store()))
    const path = '/api/dataproducts/x'
    await put(world, path, product({}))
    const planDeletion = () => readJson<Plan>(world.as('O', 'DELETE', `${path}?dryRun=true`))
    assert.equal((await planDeletion()).announced, undefined)
    await put(world, path, product({}, flagged))
    await put(world, path, product({}, { ...flagged, status: 'retired' }))
    assert.equal((await planDeletion()).announced?.version, 2)
    // A document that is registered again begins again.
    await expectOk(world.as('O', 'DELETE', path))
    await put(world, path, product({}, flagged))
    assert.equal((await planDeletion()).announced?.version, 4)
  })

  test('a version of an earlier Portbook › counts as the first or a later one of its run', async () => {
    const world = await newWorld(newProduct(store()))
    const path = '/api/datacontracts/x'
    await put(world, path, contract(flagged))
    await sql`
      update revision set facts = facts - 'deprecated' where organization_id = ${world.organizationId}
    `.execute(store().db)
    await put(world, path, contract(flagged, { tags: ['x'] }))
    const { changes } = await readJson<Plan>(
      world.as('O', 'PUT', `${path}?dryRun=true`, { body: contract(undefined) }),
    )
    const [removal] = only({ changes })
    assert.match(removal?.message ?? '', / in version 2 on \S+ or before\.$/)
    assert.equal(removal?.announced?.orBefore, true)
  })
})
