/** Notification channels of teams, whose addresses are secrets. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { NOTIFICATION_CHANNEL } from '../../../formats/record/plain-kinds/notification-channel.ts'
import { expectProblem, expectViolations, readJson, readText } from '../../../test/answers.ts'
import { recordStatements } from '../../../test/recorded-statements.ts'
import { onStore } from '../../../test/stores.ts'
import { CALLERS, expectOk, newProduct, newWorld, type World } from '../../../test/world.ts'
import { openDatabase } from '../../platform/kit/database.ts'
import type { Database, Tables } from '../../platform/tables.ts'
import { sealPlainRecords } from './secret-service.ts'
import { listUnsealed } from './store.ts'

const LIST = '/api/teams/a/notification-channels'
const SECRET = 'T0000-secret-path'
const CHANNEL = {
  id: 'alerts',
  name: 'Alerts',
  type: 'slack',
  endpoint: `https://hooks.chat.example/${SECRET}?x=${SECRET}`,
  enabled: true,
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
    await expectOk(world.as('O', 'PUT', `${LIST}/alerts`, { body: CHANNEL }))
  })

  const put = (body: object): Promise<Response> =>
    world.as('O', 'PUT', `${LIST}/${String(Reflect.get(body, 'id'))}`, { body })

  test('PUT /api/teams/{id}/notification-channels/{channelId} › links the page of the team', async () => {
    const answer = await expectOk(put(CHANNEL))
    assert.equal(answer.headers.get('location-html'), 'http://portbook.test/teams/a')
    assert.deepEqual(await answer.json(), CHANNEL)
  })

  test('PUT …/{channelId} › 422 for missing members, other types, and addresses that are not https', async () => {
    const invalid = (more: object): Promise<Response> => put({ ...CHANNEL, id: 'new', ...more })
    await expectViolations(put({ id: 'new' }), 422, ['enabled', 'endpoint', 'name', 'type'])
    await expectViolations(invalid({ type: 'Slack' }), 422, ['type'])
    await expectViolations(invalid({ enabled: 'true' }), 422, ['enabled'])
    for (const endpoint of ['http://hooks.chat.example/x', 'hooks.chat.example', 'javascript:x']) {
      const { violations = [] } = await expectProblem(invalid({ endpoint }), 422)
      assert.ok(violations.every(({ field }) => field === 'endpoint') && violations.length > 0)
    }
  })

  test('GET …/{channelId} › only callers who may edit the team see the address', async () => {
    const seen: Record<string, boolean> = {}
    for (const caller of CALLERS.slice(1)) {
      const one = await readText(world.as(caller, 'GET', `${LIST}/alerts`))
      const all = await readText(world.as(caller, 'GET', LIST))
      assert.equal(one.includes(SECRET), all.includes(SECRET), caller)
      seen[caller] = one.includes(SECRET)
      if (seen[caller]) continue
      const channel = { ...CHANNEL, endpoint: 'https://hooks.chat.example/***' }
      assert.deepEqual(JSON.parse(one), channel)
      assert.deepEqual(JSON.parse(all), [channel])
    }
    const expected = { Uo: true, Ue: false, Um: false, Ur: false, T: true, Tr: false, O: true }
    assert.deepEqual(seen, { ...expected, Or: false })
  })

  test('GET …/{channelId} › the ETag without the address is another one', async () => {
    const [full, hidden] = await Promise.all(
      (['O', 'Or'] as const).map(async (caller) =>
        (await world.as(caller, 'GET', `${LIST}/alerts`)).headers.get('etag'),
      ),
    )
    assert.ok(full && hidden)
    assert.notEqual(full, hidden)
  })

  test('PUT …/{channelId} › two teams may have channels with the same id', async () => {
    const ofB = '/api/teams/b/notification-channels'
    await expectOk(world.as('O', 'PUT', `${ofB}/alerts`, { body: { ...CHANNEL, name: 'Of B' } }))
    const names = async (list: string): Promise<string[]> => {
      const channels = await readJson<{ name: string }[]>(world.as('O', 'GET', list))
      return channels.map(({ name }) => name)
    }
    assert.deepEqual(await names(LIST), ['Alerts'])
    assert.deepEqual(await names(ofB), ['Of B'])
    await expectOk(world.as('O', 'DELETE', `${ofB}/alerts`))
    assert.deepEqual([await names(LIST), await names(ofB)], [['Alerts'], []])
  })

  test('PUT …/{channelId} › 409 if the team has the maximum number; another team has its own', async () => {
    const full = await newWorld(world)
    const put = (team: string, id: string): Promise<Response> =>
      full.as('O', 'PUT', `/api/teams/${team}/notification-channels/${id}`, {
        body: { ...CHANNEL, id },
      })
    const ids = Array.from({ length: NOTIFICATION_CHANNEL.countMax }, (_, at) => `channel-${at}`)
    await Promise.all(ids.map((id) => expectOk(put('a', id))))
    const problem = await expectProblem(put('a', 'one-more'), 409)
    assert.equal(problem.code, 'limit_reached')
    await expectOk(put('b', 'one-more'))
    // The other organization has channels of the team with the same id.
    await expectOk(
      world.as('O', 'PUT', `${LIST}/one-more`, { body: { ...CHANNEL, id: 'one-more' } }),
    )
    await expectOk(world.as('O', 'DELETE', `${LIST}/one-more`))
    await expectOk(put('a', 'channel-0'))
  })

  test('DELETE /api/teams/{id} › deletes the channels of the team', async () => {
    const other = await newWorld(world)
    await expectOk(other.as('O', 'PUT', `${LIST}/alerts`, { body: CHANNEL }))
    await expectOk(other.as('O', 'DELETE', '/api/teams/a'))
    await expectOk(other.as('O', 'PUT', '/api/teams/a', { body: { name: 'A' } }))
    assert.equal(await readText(other.as('O', 'GET', LIST)), '[]')
  })

  test('the database has the address only sealed, and the masked document', async () => {
    const { db } = store()
    const texts = await listTexts(db)
    assert.ok(texts.some((text) => text.includes('hooks.chat.example/***')))
    assert.deepEqual(
      texts.filter((text) => text.includes(SECRET)),
      [],
    )
  })

  test('PUT …/{channelId} › an unchanged document writes nothing; If-Match has the digest of the whole', async () => {
    const body = { ...CHANNEL, id: 'matched', x: [1, { y: 'ü' }] }
    const text = JSON.stringify(body, undefined, 3)
    const path = `${LIST}/matched`
    const created = await expectOk(world.as('O', 'PUT', path, { body: text }))
    assert.equal(await created.text(), text)
    const etag = created.headers.get('etag') ?? ''
    const before = await findUpdatedAt('matched')
    await expectOk(world.as('T', 'PUT', path, { body: text, headers: { 'if-match': etag } }))
    assert.deepEqual(await findUpdatedAt('matched'), before)
    const got = await expectOk(world.as('T', 'GET', path))
    assert.deepEqual([await got.text(), got.headers.get('etag')], [text, etag])
    const other = `https://hooks.chat.example/${SECRET}-other`
    const changed = JSON.stringify({ ...body, endpoint: other })
    await expectOk(world.as('T', 'PUT', path, { body: changed, headers: { 'if-match': etag } }))
    assert.equal(await readText(world.as('T', 'GET', path)), changed)
    await expectProblem(
      world.as('T', 'PUT', path, { body: text, headers: { 'if-match': etag } }),
      412,
    )
    await expectOk(world.as('O', 'DELETE', path))
  })

  test('a sealed address opens only for its channel, also beside a channel with equal ids', async () => {
    const { db } = store()
    const twin = await newWorld(world)
    await expectOk(twin.as('O', 'PUT', `${LIST}/alerts`, { body: { ...CHANNEL, name: 'Twin' } }))
    const copied = db
      .selectFrom('plain_record_secret')
      .select('sealed')
      .where('organization_id', '=', world.organizationId)
      .where('external_id', '=', 'alerts')
    await db
      .updateTable('plain_record_secret')
      .set({ sealed: copied })
      .where('organization_id', '=', twin.organizationId)
      .execute()
    assert.deepEqual(await readJson(world.as('O', 'GET', `${LIST}/alerts`)), CHANNEL)
    // The address is masked, so that it can be entered again.
    const masked = { ...CHANNEL, name: 'Twin', endpoint: 'https://hooks.chat.example/***' }
    assert.deepEqual(await readJson(twin.as('O', 'GET', `${LIST}/alerts`)), masked)
    assert.deepEqual(await readJson(twin.as('O', 'GET', LIST)), [masked])
    await expectOk(twin.as('O', 'PUT', `${LIST}/alerts`, { body: { ...CHANNEL, name: 'Again' } }))
    assert.partialDeepStrictEqual(await readJson(twin.as('O', 'GET', `${LIST}/alerts`)), {
      name: 'Again',
    })
    await expectOk(twin.as('O', 'DELETE', `${LIST}/alerts`))
  })

  test('sealPlainRecords › seals what an earlier version stored in the clear, once', async () => {
    const { db, secretBox } = world.services
    const body = JSON.stringify({ ...CHANNEL, id: 'former' })
    await expectOk(world.as('O', 'PUT', `${LIST}/former`, { body }))
    const former = db.updateTable('plain_record').set({ document: body })
    await former
      .where('organization_id', '=', world.organizationId)
      .where('external_id', '=', 'former')
      .execute()
    await db.deleteFrom('plain_record_secret').where('external_id', '=', 'former').execute()
    assert.equal(await readText(world.as('O', 'GET', `${LIST}/former`)), body)
    assert.equal((await readText(world.as('Um', 'GET', `${LIST}/former`))).includes(SECRET), false)
    assert.equal(await sealPlainRecords(db, secretBox), 1)
    assert.equal(await sealPlainRecords(db, secretBox), 0)
    assert.equal(await readText(world.as('O', 'GET', `${LIST}/former`)), body)
    assert.ok(!(await listTexts(db)).some((text) => text.includes(SECRET)))
  })

  test('listUnsealed › looks up the records of kinds with secrets, and reads no others', async () => {
    const limits = { connectionsMax: 1, connectTimeoutMs: 30_000, queryTimeoutMs: 30_000 }
    const database = openDatabase<Tables>(store().connection, limits, () => undefined)
    const { db, pool } = database
    const sent = await recordStatements(pool).record(() =>
      listUnsealed(db, ['notification-channel'], 10),
    )
    const [{ text, values } = { text: '', values: [] }] = sent
    // A table as small as this one is otherwise read as a whole.
    await pool.query('set enable_seqscan = off')
    const { rows } = await pool.query({ text: `explain ${text}`, values: [...values] })
    const plan = rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n')
    assert.match(plan, /on plain_record .*\n *Index Cond: .*organization_id = .*kind = /)
    await database.close()
  })

  async function findUpdatedAt(id: string): Promise<string | undefined> {
    const row = store().db.selectFrom('plain_record').select('updated_at')
    return (await row.where('external_id', '=', id).executeTakeFirst())?.updated_at
  }
})

/** Lists the rows of all records and their secrets as texts. */
async function listTexts(db: Database): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select to_jsonb(stored)::text as text
    from plain_record as stored
    union all
    select encode(sealed, 'escape')
    from plain_record_secret
  `.execute(db)
  return rows.map(({ text }) => text)
}
