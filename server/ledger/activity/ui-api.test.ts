import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { addIntegration } from '../../../test/ingested-assets.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, odps, putOne } from '../../../test/world.ts'
import type { PersonName, World } from '../../../test/world.ts'
import { appendEnds, RUN_ENTRY_COLUMNS } from '../../ingestion/runs/run-record.ts'
import { type ActivityChangesPage, type ActivityGroup, type ActivityPage } from './activity.ts'

const ACTIVITY = '/ui/activity'
const CHANGES = '/ui/activity/changes'

type Query = Readonly<Record<string, string | readonly string[]>>

const withQuery = (path: string, query: Query): string => {
  const search = new URLSearchParams()
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) search.append(name, value)
  }
  return `${path}?${search.toString()}`
}

const getActivity = (world: World, query: Query = {}, person: PersonName = 'Um') =>
  readJson<ActivityPage>(world.asPerson(person, 'GET', withQuery(ACTIVITY, query)))

async function allGroups(world: World, query: Query = {}): Promise<ActivityGroup[]> {
  const groups: ActivityGroup[] = []
  let after: string | null = ''
  while (after !== null) {
    // Each page names the next one.
    // oxlint-disable-next-line no-await-in-loop
    const page: ActivityPage = await getActivity(world, { ...query, ...(after && { after }) })
    groups.push(...page.groups)
    after = page.next
  }
  return groups
}

const summarize = ({ tallies }: ActivityGroup) =>
  tallies.map(({ kind, action, count }) => `${count} ${kind} ${action}`)

const DOCUMENTS = ['data-product', 'data-contract', 'team']

const at = (second: number) => new Date(Date.UTC(2020, 0, 1, 10, 0, second)).toISOString()

const isBreaking = (id: string): boolean => Number(id.slice(1)) % 5 === 4

onStore((store) => {
  const fresh = (): Promise<World> => newWorld(newProduct(store()))

  /** Adds entries with a date in the past, one for each element. */
  async function addEntries(
    world: World,
    entries: readonly { at: string; id: string; principal: string; level?: string }[],
  ): Promise<void> {
    await sql`
      insert into activity_entry (
        organization_id, at, principal, kind, subject, name, action, level, version_after
      )
      select
        ${world.organizationId}::uuid, at, principal, 'data-contract', id, 'Contract ' || id,
        case when level is null then 'created' else 'updated' end, coalesce(level, 'none'), 1
      from json_to_recordset(${JSON.stringify(entries)}::json)
        as entry (at timestamptz, id text, principal text, level text)
    `.execute(store().db)
  }

  test(`GET ${ACTIVITY} › groups changes by actor and minute, breaking ones first`, async () => {
    const world = await fresh()
    const person = `user:${world.userIds.Ue}`
    await addEntries(world, [
      { at: '2020-01-01T10:00:01Z', id: 'a', principal: 'api-key:x' },
      { at: '2020-01-01T10:00:59Z', id: 'b', principal: 'api-key:x' },
      { at: '2020-01-01T10:00:30Z', id: 'z', principal: 'api-key:x', level: 'breaking' },
      { at: '2020-01-01T10:00:10Z', id: 'c', principal: person, level: 'wording' },
      { at: '2020-01-01T10:01:00Z', id: 'd', principal: person, level: 'additive' },
    ])
    const { groups, next } = await getActivity(world, { until: '2020-02-01T00:00:00Z' })
    assert.equal(next, null)
    assert.deepEqual(
      groups.map(({ minute, actor, total, breaking }) => [
        minute.slice(11, 16),
        actor,
        total,
        breaking,
      ]),
      [
        ['10:01', person, 1, 0],
        ['10:00', 'api-key:x', 3, 1],
        ['10:00', person, 1, 0],
      ],
    )
    const [later, pushed] = groups
    assert.match(later?.actorName ?? '', /^editor-/)
    assert.equal(pushed?.actorName, 'Portbook')
    assert.deepEqual(summarize(pushed ?? assert.fail()), [
      '2 data-contract created',
      '1 data-contract updated',
    ])
    assert.deepEqual(
      pushed?.changes.map(({ id, name, action, level }) => [id, name, action, level]),
      [
        ['z', 'Contract z', 'updated', 'breaking'],
        ['a', 'Contract a', 'created', null],
        ['b', 'Contract b', 'created', null],
      ],
    )
  })

  test(`GET ${ACTIVITY} › reaches every breaking change of the week after a push of 200 teams`, async () => {
    const world = await fresh()
    const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(store().db)
    const now = Date.parse(rows[0]?.now ?? '')
    const ids = Array.from({ length: 30 }, (_, at) => `c${String(at).padStart(2, '0')}`)
    await addEntries(
      world,
      ids.map((id, at) => ({
        at: new Date(now - 3_600_000 - at * 60_000).toISOString(),
        id,
        principal: 'system',
        level: 'breaking',
      })),
    )
    const teams = Array.from({ length: 200 }, (_, at) => `squad-${at}`)
    await Promise.all(teams.map((id) => putOne(world, 'teams', { id, name: id, type: 'Team' })))
    const since = new Date(now - 7 * 86_400_000).toISOString()
    const breaking = await allGroups(world, { level: 'breaking', since, limit: '7' })
    assert.deepEqual(
      breaking.flatMap(({ changes }) => changes.map(({ id }) => id)),
      ids,
    )
    const all = await allGroups(world, { kind: DOCUMENTS, since, limit: '7' })
    assert.ok(all.length <= 30 + 4, `200 teams make ${all.length - 30} groups`)
    assert.equal(
      all.reduce((sum, { total }) => sum + total, 0),
      30 + 200 + 2,
    )
  })

  test(`GET ${ACTIVITY} › ends a page early after a minute with many changes, and continues after it`, async () => {
    const world = await fresh()
    const many = Array.from({ length: 10_001 }, (_, index) => ({
      at: at(120 + (index % 60)),
      id: `many-${index}`,
      principal: `api-key:${index % 2}`,
    }))
    const few = [0, 70].map((second) => ({
      at: at(second),
      id: `few-${second}`,
      principal: 'system',
    }))
    await addEntries(world, [...many, ...few])
    const until = '2020-02-01T00:00:00Z'
    const first = await getActivity(world, { until })
    assert.deepEqual(
      first.groups.map(({ total, changes }) => [total, changes.length]),
      [
        [5001, 5],
        [5000, 5],
      ],
    )
    const rest = await getActivity(world, { until, after: first.next ?? '' })
    assert.deepEqual(
      rest.groups.flatMap(({ changes }) => changes.map(({ id }) => id)),
      ['few-70', 'few-0'],
    )
    assert.equal(rest.next, null)
    const groups = await allGroups(world, { until, limit: '1' })
    assert.deepEqual(
      groups.map(({ total }) => total),
      [5001, 5000, 1, 1],
    )
  })

  test(`GET ${CHANGES} › lists a whole group page by page, without a gap or a repetition`, async () => {
    const world = await fresh()
    const ids = Array.from({ length: 23 }, (_, index) => `c${String(index).padStart(2, '0')}`)
    await addEntries(
      world,
      ids.map((id, index) => ({
        at: at(20),
        id,
        principal: 'system',
        ...(index % 5 === 4 && { level: 'breaking' }),
      })),
    )
    const group = { actor: 'system', minute: '2020-01-01T10:00:00Z', limit: '4' }
    const changeIds: string[] = []
    let after: string | null = ''
    while (after !== null) {
      const path = withQuery(CHANGES, { ...group, ...(after && { after }) })
      // oxlint-disable-next-line no-await-in-loop
      const page: ActivityChangesPage = await readJson(world.asPerson('Um', 'GET', path))
      changeIds.push(...page.changes.map(({ id }) => id))
      after = page.next
    }
    assert.deepEqual(changeIds, [...ids.filter(isBreaking), ...ids.filter((id) => !isBreaking(id))])
  })

  test(`GET ${ACTIVITY} › filters by kind, level, actor and time`, async () => {
    const world = await fresh()
    await putOne(world, 'dataproducts', odps('p'))
    await putOne(world, 'datacontracts', odcs('c', { team: { name: 'a' } }))
    await expectOk(
      world.asPerson('Ue', 'PUT', '/api/dataproducts/p', { body: odps('p', { name: 'Renamed' }) }),
    )
    await putOne(world, 'assets', { id: 'x', info: { name: 'X' } })
    await expectOk(world.as('O', 'DELETE', '/api/dataproducts/p'))
    const ids = async (query: Query) =>
      (await allGroups(world, query))
        .flatMap(({ changes }) => changes.map(({ id, action }) => `${id} ${action}`))
        .toSorted()
    assert.deepEqual(await ids({ kind: 'asset' }), ['x created'])
    assert.deepEqual(await ids({ kind: ['data-contract', 'team'] }), [
      'a created',
      'b created',
      'c created',
    ])
    assert.deepEqual(await ids({ kind: 'ingestion-run' }), [])
    assert.deepEqual(await ids({ kind: 'ingestion-run', level: 'breaking' }), [])
    assert.deepEqual(await ids({ level: 'wording' }), ['p updated'])
    assert.deepEqual(await ids({ level: 'breaking' }), ['p deleted'])
    assert.deepEqual(await ids({ actor: `user:${world.userIds.Ue}` }), ['p updated'])
    assert.deepEqual(await ids({ team: 'b' }), ['b created'])
    assert.deepEqual(await ids({ until: '2020-01-01T00:00:00Z' }), [])
    assert.deepEqual(await ids({ since: '2099-01-01T00:00:00Z' }), [])
    const [{ changes, breaking } = assert.fail()] = await allGroups(world, { level: 'breaking' })
    assert.equal(breaking, 1)
    assert.deepEqual(
      changes.map(({ name, version, level }) => [name, version, level]),
      [['Renamed', 2, 'breaking']],
    )
  })

  test(`GET ${ACTIVITY} › shows a run that changed assets to viewers of its integration`, async () => {
    const world = await fresh()
    const mine = await addIntegration(world, { owner: 'a' })
    const theirs = await addIntegration(world, { owner: 'b' })
    const idle = await addIntegration(world)
    for (const { runId } of [mine, theirs]) {
      await sql`
        with ended as (
          update ingestion_run
          set assets_created = 3, assets_deleted = 1
          where id = ${runId}
          returning ${RUN_ENTRY_COLUMNS}, ingestion_run.completed_at
        )
        ${appendEnds({ at: sql`run.completed_at` }, 'ended')}
      `.execute(store().db)
    }
    const runs = async (person: PersonName) =>
      (await getActivity(world, { kind: 'ingestion-run' }, person)).groups.flatMap(
        ({ changes }) => changes,
      )
    const [{ at, details, ...run } = assert.fail(), ...others] = await runs('Ue')
    assert.match(at, /Z$/)
    assert.deepEqual(others, [])
    assert.deepEqual(run, {
      kind: 'ingestion-run',
      id: mine.runId,
      name: mine.externalId,
      action: 'ingested',
      version: null,
      versionBefore: null,
      level: null,
      team: 'a',
      integrationExternalId: mine.externalId,
      counts: { created: 3, updated: 0, deleted: 1 },
    })
    assert.equal(details?.['runKind'], 'ingest')
    const all = (await runs('Uo')).map(({ integrationExternalId: id }) => id)
    assert.deepEqual(new Set(all), new Set([mine.externalId, theirs.externalId]))
    assert.ok(!all.includes(idle.externalId))
  })

  test(`GET ${ACTIVITY} › does not show data of another organization`, async () => {
    const [world, other] = [await fresh(), await fresh()]
    await putOne(other, 'dataproducts', odps('theirs'))
    const before = await getActivity(world, { kind: DOCUMENTS })
    assert.deepEqual(
      before.groups.flatMap(({ changes }) => changes.map(({ id }) => id)).toSorted(),
      ['a', 'b'],
    )
    const [group] = (await getActivity(other, { kind: DOCUMENTS })).groups
    const path = withQuery(CHANGES, { actor: group?.actor ?? '', minute: group?.minute ?? '' })
    assert.ok(
      (await readJson<ActivityChangesPage>(other.asPerson('Um', 'GET', path))).changes.length > 0,
    )
    const { changes } = await readJson<ActivityChangesPage>(world.asPerson('Um', 'GET', path))
    assert.deepEqual(changes, [])
  })

  test(`GET ${ACTIVITY} › 400 for unknown values`, async () => {
    const world = await fresh()
    const wrong: readonly Query[] = [
      { kind: 'mouse' },
      { level: 'none' },
      { since: 'yesterday' },
      { until: '2026-02-30T00:00:00Z' },
      { after: 'x' },
      { after: '2026-01-01T00:00:00Z' },
      { limit: '0' },
      { actor: 'x'.repeat(301) },
      { after: `2026-01-01T00:00:00Z ${'x'.repeat(2000)}` },
    ]
    for (const query of wrong) {
      await expectProblem(world.asPerson('Um', 'GET', withQuery(ACTIVITY, query)), 400)
    }
    const group = { actor: 'system', minute: '2026-01-01T00:00:00Z' }
    for (const query of [
      {},
      { actor: 'system' },
      { minute: group.minute },
      { ...group, after: 'x' },
    ]) {
      await expectProblem(world.asPerson('Um', 'GET', withQuery(CHANGES, query)), 400)
    }
  })
})
