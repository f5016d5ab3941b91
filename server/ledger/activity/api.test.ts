import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { addIntegration } from '../../../test/ingested-assets.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, putOne } from '../../../test/world.ts'
import type { CallerName, PersonName, World } from '../../../test/world.ts'
import { ENTRY_KINDS, getAudience } from './entry.ts'

const ACTIVITY = '/api/activity'

interface Entry {
  kind: string
  subject: string
  name: string
  action: string
  actor: string
  actorName: string | null
  team: string | null
  versionBefore: number | null
  versionAfter: number | null
  requestId: string | null
}

type Query = Readonly<Record<string, string>>

const withQuery = (query: Query): string => `${ACTIVITY}?${new URLSearchParams(query).toString()}`

const list = (world: World, query: Query = {}, caller: CallerName = 'O') =>
  readJson<Entry[]>(world.as(caller, 'GET', withQuery(query)))

const HOSTILE = [
  '=HYPERLINK("http://x")',
  '+1',
  '-1',
  '@SUM(A1)',
  '\tx',
  'a,"b"\nc',
  '</script>',
  '\u202E',
]

const collectKinds = async (entries: Promise<Entry[]>): Promise<string[]> =>
  (await entries).map(({ kind }) => kind).toSorted()

const withAudience = (...audiences: string[]): string[] =>
  ENTRY_KINDS.filter((kind) => audiences.includes(getAudience(kind))).toSorted()

// The subject of an entry of each kind; accounts have UUIDs.
const PROBE = '00000000-0000-4000-8000-000000000000'

onStore((store) => {
  const fresh = (): Promise<World> => newWorld(newProduct(store()))

  /** Adds an entry of each kind; those of teams belong to a team, those of people concern a person. */
  async function addOneOfEach(
    world: World,
    of: { team?: string; person?: string | undefined } = {},
  ): Promise<void> {
    await sql`
      insert into activity_entry (
        organization_id, at, principal, kind, subject, name, action, team, person
      )
      select ${world.organizationId}::uuid, now(), 'system', kind, ${PROBE},
        case when names_person(kind, null) then '' else 'Probe' end, 'probed',
        ${of.team ?? ''}, ${of.person ?? null}::uuid
      from unnest(${[...ENTRY_KINDS]}::text[]) as kind
    `.execute(store().db)
  }

  test(`GET ${ACTIVITY} › lists entries newest first, with actor, team, versions and request`, async () => {
    const world = await fresh()
    const answer = await expectOk(
      world.asPerson('Ue', 'PUT', '/api/dataproducts/p', { body: odps('p') }),
    )
    await putOne(world, 'dataproducts', odps('p', { name: 'Renamed' }))
    const [second, first] = await list(world, { subject: 'p' }, 'Um')
    assert.deepEqual(
      [second?.action, second?.versionBefore, second?.versionAfter],
      ['updated', 1, 2],
    )
    assert.deepEqual([first?.action, first?.name, first?.team], ['created', 'Product p', 'a'])
    assert.equal(first?.actor, `user:${world.userIds.Ue}`)
    assert.match(first.actorName ?? '', /^editor-/)
    assert.equal(first.requestId, answer.headers.get('x-request-id'))
  })

  test(`GET ${ACTIVITY} › pages by the link, without a gap or a repetition`, async () => {
    const world = await fresh()
    const ids = Array.from({ length: 11 }, (_, index) => `t${index}`)
    for (const id of ids) {
      // The order of the entries is that of the requests.
      // oxlint-disable-next-line no-await-in-loop
      await putOne(world, 'teams', { id, name: id })
    }
    const seen: string[] = []
    let path: string | undefined = withQuery({ kind: 'team', limit: '3' })
    while (path !== undefined) {
      // oxlint-disable-next-line no-await-in-loop
      const answer = await expectOk(world.as('O', 'GET', path))
      // oxlint-disable-next-line no-await-in-loop
      const page: Entry[] = JSON.parse(await answer.text())
      seen.push(...page.map(({ subject }) => subject))
      path = /<(?<next>[^>]+)>/.exec(answer.headers.get('link') ?? '')?.groups?.['next']
    }
    assert.deepEqual(seen, [...ids.toReversed(), 'b', 'a'])
  })

  test(`GET ${ACTIVITY} › filters by kind, level, actor, team, subject and time`, async () => {
    const world = await fresh()
    await putOne(world, 'dataproducts', odps('p'))
    await expectOk(world.asPerson('Ue', 'DELETE', '/api/dataproducts/p'))
    const actions = async (query: Query) =>
      (await list(world, { kind: 'data-product', ...query })).map(({ action }) => action)
    assert.deepEqual(await actions({}), ['deleted', 'created'])
    assert.deepEqual(await actions({ level: 'breaking' }), ['deleted'])
    assert.deepEqual(await actions({ actor: `user:${world.userIds.Ue}` }), ['deleted'])
    assert.deepEqual(await actions({ team: 'b' }), [])
    assert.deepEqual(await actions({ team: 'a', subject: 'p' }), ['deleted', 'created'])
    assert.deepEqual(await actions({ until: '2020-01-01T00:00:00Z' }), [])
    assert.deepEqual(await actions({ since: '2020-01-01T00:00:00Z' }), ['deleted', 'created'])
  })

  test(`GET ${ACTIVITY} › shows every entry to owners of the organization and to its keys`, async () => {
    const world = await fresh()
    await addOneOfEach(world, { team: 'b', person: world.userIds.Um })
    for (const caller of ['Uo', 'O', 'Or'] as const) {
      // oxlint-disable-next-line no-await-in-loop
      assert.deepEqual(
        await collectKinds(list(world, { subject: PROBE }, caller)),
        [...ENTRY_KINDS].toSorted(),
      )
    }
  })

  test(`GET ${ACTIVITY} › hides runs and integrations of other teams, and accounts and keys of other people`, async () => {
    const world = await fresh()
    await addOneOfEach(world, { team: 'b', person: world.userIds.Uo })
    for (const caller of ['Ue', 'Um', 'Ur', 'T', 'Tr'] as const) {
      // oxlint-disable-next-line no-await-in-loop
      const kinds = await collectKinds(list(world, { subject: PROBE }, caller))
      assert.deepEqual(kinds, withAudience('everyone'), caller)
    }
    await addIntegration(world)
  })

  test(`GET ${ACTIVITY} › shows runs and integrations of one's own team, or of no team`, async () => {
    const world = await fresh()
    await addOneOfEach(world, { team: 'a' })
    assert.deepEqual(
      await collectKinds(list(world, { subject: PROBE }, 'T')),
      withAudience('everyone', 'team'),
    )
    const other = await fresh()
    await addOneOfEach(other)
    assert.deepEqual(
      await collectKinds(list(other, { subject: PROBE }, 'Um')),
      withAudience('everyone', 'team'),
    )
  })

  test(`GET ${ACTIVITY} › shows a person's own accounts, keys and invitations to them`, async () => {
    const world = await fresh()
    await addOneOfEach(world, { team: 'b', person: world.userIds.Um })
    const asPerson = (person: PersonName) =>
      collectKinds(readJson(world.asPerson(person, 'GET', withQuery({ subject: PROBE }))))
    assert.deepEqual(await asPerson('Um'), withAudience('everyone', 'person'))
    assert.deepEqual(await asPerson('Ue'), withAudience('everyone'))
  })

  test(`GET ${ACTIVITY} › shows nothing of another organization`, async () => {
    const [world, other] = [await fresh(), await fresh()]
    await addOneOfEach(other, { person: world.userIds.Uo })
    assert.deepEqual(await list(world, { subject: PROBE }), [])
    assert.deepEqual(await readJson(world.asPerson('Uo', 'GET', withQuery({ subject: PROBE }))), [])
  })

  test(`GET ${ACTIVITY} › lists the assets of runs only on request`, async () => {
    const world = await fresh()
    await addOneOfEach(world)
    const isListed = async (query: Query) =>
      (await list(world, query)).some(({ kind }) => kind === 'ingested-asset')
    assert.equal(await isListed({}), false)
    assert.equal(await isListed({ kind: 'ingested-asset' }), true)
    assert.equal(await isListed({ subject: PROBE }), true)
    assert.equal(await isListed({ actor: 'system', kind: 'ingested-asset', team: '' }), true)
  })

  test(`GET ${ACTIVITY} › 400 for unknown values`, async () => {
    const world = await fresh()
    const wrong: readonly Query[] = [
      { kind: 'mouse' },
      { level: 'none' },
      { since: 'yesterday' },
      { after: 'x' },
      { after: '2026-01-01T00:00:00Z' },
      { limit: '0' },
      { format: 'xml' },
      { actors: 'x' },
      { subject: 'x'.repeat(301) },
    ]
    for (const query of wrong) {
      // oxlint-disable-next-line no-await-in-loop
      await expectProblem(world.as('O', 'GET', withQuery(query)), 400)
    }
  })

  test(`GET ${ACTIVITY}?format=csv › exports every entry, and no cell is a formula`, async () => {
    const world = await fresh()
    for (const [index, name] of HOSTILE.entries()) {
      // oxlint-disable-next-line no-await-in-loop
      await putOne(world, 'teams', { id: `h${index}`, name })
    }
    const answer = await expectOk(world.as('O', 'GET', withQuery({ kind: 'team', format: 'csv' })))
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.match(answer.headers.get('content-disposition') ?? '', /activity\.csv/)
    const text = await answer.text()
    const cells = parseCsv(text)
    assert.equal(cells.length, 1 + HOSTILE.length + 2)
    assert.equal(cells[0]?.[5], 'name')
    for (const cell of cells.flat()) assert.doesNotMatch(cell, /^[=+\-@\t\r]/)
    const names = cells.slice(1).map((row) => row[5])
    assert.ok(names.includes('\'=HYPERLINK("http://x")'))
    assert.ok(names.includes('a,"b"\nc') || names.includes('a,"b" c'))
  })

  test(`GET ${ACTIVITY} › exports JSON lines by the header Accept, in pages of a thousand`, async () => {
    const world = await fresh()
    await sql`
      insert into activity_entry (organization_id, at, principal, kind, subject, name, action)
      select ${world.organizationId}::uuid, now() - make_interval(secs => number / 3), 'system',
        'data-product', 'many-' || number, E'a\nb', 'created'
      from generate_series(1, 2500) as number
    `.execute(store().db)
    const headers = { accept: 'application/jsonl' }
    const path = withQuery({ kind: 'data-product' })
    const text = await readText(world.as('O', 'GET', path, { headers }))
    const lines = text.trimEnd().split('\n')
    assert.equal(lines.length, 2500)
    const subjects = lines.map((line) => {
      const entry: Entry = JSON.parse(line)
      assert.equal(entry.name, 'a\nb')
      return entry.subject
    })
    assert.equal(new Set(subjects).size, 2500)
  })
})

// Reads CSV as RFC 4180 describes it.
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain = '', end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gu,
  )) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    if (row.length > 1) rows.push(row)
    row = []
  }
  return rows
}
