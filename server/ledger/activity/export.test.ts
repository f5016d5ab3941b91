import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, putOne } from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'
import { QUIET_KINDS } from './activity.ts'

type Query = Readonly<Record<string, string | readonly string[]>>

const withQuery = (path: string, query: Query): string => {
  const search = new URLSearchParams()
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) search.append(name, value)
  }
  return `${path}?${search.toString()}`
}

const toExportPath = (organization: string) =>
  withQuery('/ui/activity/export', { format: 'csv', kind: 'team', organization })

const listActorNames = (of: World) =>
  readJson<{ principal: string; name: string }[]>(of.asPerson('Um', 'GET', '/ui/activity/actors'))

onStore((store) => {
  const fresh = (): Promise<World> => newWorld(newProduct(store()))

  test('GET /ui/activity/export › downloads the kinds that the page lists, with its filters', async () => {
    const world = await fresh()
    await putOne(world, 'teams', { id: 'c', name: 'C' })
    const quiet = randomUUID()
    await sql`
      insert into activity_entry (organization_id, at, principal, kind, subject, name, action)
      select ${world.organizationId}::uuid, now(), 'system', kind, ${quiet}, '', 'created'
      from unnest(${QUIET_KINDS}::text[]) as kind
    `.execute(store().db)
    const exported = async (query: Query): Promise<string[]> => {
      const path = withQuery('/ui/activity/export', { format: 'jsonl', ...query })
      const answer = await expectOk(world.asPerson('Uo', 'GET', path))
      assert.match(
        answer.headers.get('content-disposition') ?? '',
        /^attachment; .*activity\.jsonl/,
      )
      const lines = (await answer.text()).split('\n').filter((line) => line !== '')
      return lines.map((line) => {
        const { kind, subject }: { kind: string; subject: string } = JSON.parse(line)
        return `${kind} ${subject}`
      })
    }
    const usual = await exported({})
    assert.ok(usual.includes('team c'))
    assert.deepEqual(
      usual.filter((line) => line.endsWith(quiet)),
      [],
    )
    assert.deepEqual(await exported({ kind: 'account', actor: 'system' }), [`account ${quiet}`])
    assert.deepEqual(await exported({ kind: 'team', until: '2020-01-01T00:00:00Z' }), [])
    await expectProblem(world.asPerson('Uo', 'GET', '/ui/activity/export?format=xml'), 400)
  })

  test('GET /ui/activity/export › a link names the organization in the query, and only members read it', async () => {
    const [world, other] = [await fresh(), await fresh()]
    const text = await readText(world.asPerson('Um', 'GET', toExportPath(world.organizationId)))
    assert.match(text, /"team","a"/)
    await expectProblem(world.asPerson('Um', 'GET', toExportPath(other.organizationId)), 403)
    await expectProblem(world.asPerson('Um', 'GET', toExportPath('x')), 400)
  })

  test('GET /ui/activity/actors › 200 with members and keys of the organization only', async () => {
    const [world, other] = [await fresh(), await fresh()]
    const before = await listActorNames(world)
    assert.ok(
      before.every(({ name }) => name !== 'team'),
      'a key that has changed nothing',
    )
    await expectOk(world.as('T', 'PUT', '/api/dataproducts/p', { body: odps('p') }))
    const actors = await listActorNames(world)
    const ids = actors.map(({ principal }) => principal)
    assert.ok(ids.includes(`user:${world.userIds.Ue}`))
    assert.ok(
      actors.some(({ principal, name }) => principal.startsWith('api-key:') && name === 'team'),
    )
    const theirs = await listActorNames(other)
    assert.ok(theirs.every(({ principal }) => !ids.includes(principal)))
  })
})
