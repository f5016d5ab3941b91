import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, withSession, type World } from '../../../test/world.ts'
import { secretBox } from '../../platform/kit/secret-box.ts'
import { newUnsubscribeToken, type UnsubscribeClaim } from './unsubscribe.ts'

interface Settings {
  kinds: { kind: string; onPage: boolean; email: string }[]
}

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const newToken = (kind: UnsubscribeClaim['kind'], own = world): string =>
    newUnsubscribeToken(own.services.secretBox, {
      organizationId: own.organizationId,
      userId: own.userIds.Ue,
      kind,
    })

  const listEmails = async (own = world): Promise<Map<string, string>> => {
    const { kinds } = await readJson<Settings>(
      own.asPerson('Ue', 'GET', '/ui/notification-settings'),
    )
    return new Map(kinds.map(({ kind, email }) => [kind, email]))
  }

  const post = (path: string, body: object): Promise<Response> =>
    world.call('POST', path, { body, headers: SAME_ORIGIN })

  test('POST /unsubscribe › 204 for a mail program without a session, and switches off only that kind', async () => {
    const before = await listEmails()
    assert.equal(before.get('deleted'), 'immediate')
    const answer = await world.call('POST', `/unsubscribe?token=${newToken('deleted')}`, {
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    assert.equal(answer.status, 204)
    assert.deepEqual(await listEmails(), before.set('deleted', 'off'))
    // What is on the page stays, and doing it again changes nothing.
    await expectOk(world.call('POST', `/unsubscribe?token=${newToken('deleted')}`))
    const { kinds } = await readJson<Settings>(
      world.asPerson('Ue', 'GET', '/ui/notification-settings'),
    )
    assert.equal(kinds.find(({ kind }) => kind === 'deleted')?.onPage, true)
  })

  test('GET /unsubscribe › changes nothing, because programs open links', async () => {
    await world.call('GET', `/unsubscribe?token=${newToken('mention')}`)
    assert.equal((await listEmails()).get('mention'), 'digest')
  })

  test('POST /ui/unsubscribe › 204 for the daily e-mail, which switches off all kinds in it', async () => {
    const own = await newWorld(world)
    const token = newToken('digest', own)
    const shown = await readJson<object>(post('/ui/unsubscribe/preview', { token }))
    assert.partialDeepStrictEqual(shown, { kindTitle: null })
    await readText(post('/ui/unsubscribe', { token }), 204)
    const emails = await listEmails(own)
    assert.ok(![...emails.values()].includes('digest'))
    assert.equal(emails.get('deleted'), 'immediate')
  })

  test('POST /ui/unsubscribe/preview › 200 with the kind and the organization', async () => {
    const shown = await readJson<{ kindTitle: string; organizationName: string }>(
      post('/ui/unsubscribe/preview', { token: newToken('breaking_change') }),
    )
    assert.equal(shown.kindTitle, 'Breaking change')
    assert.match(shown.organizationName, /^Organization /)
    assert.deepEqual(Object.keys(shown).toSorted(), ['kindTitle', 'organizationName'])
  })

  test('POST /unsubscribe and /ui/unsubscribe › 404 for a token that is not genuine, or of a person who left', async () => {
    const token = newToken('deleted')
    const foreign = newUnsubscribeToken(secretBox(Buffer.alloc(32, 9)), {
      organizationId: world.organizationId,
      userId: world.userIds.Ue,
      kind: 'deleted',
    })
    const gone = await newWorld(world)
    const ofLeaver = newToken('deleted', gone)
    await expectOk(gone.asPerson('Uo', 'DELETE', `/ui/members/${gone.userIds.Ue}`))
    const changed = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`
    for (const bad of ['', 'x', '%00', changed, foreign, ofLeaver, 'a'.repeat(2000)]) {
      const path = `/unsubscribe?token=${encodeURIComponent(bad)}`
      assert.equal((await world.call('POST', path)).status, 404, bad)
      await expectProblem(post('/ui/unsubscribe', { token: bad }), 404)
      await expectProblem(post('/ui/unsubscribe/preview', { token: bad }), 404)
    }
    assert.equal((await world.call('POST', '/unsubscribe')).status, 404)
  })

  test('POST /ui/unsubscribe › 403 from another site', async () => {
    const headers = { ...withSession('x'), 'sec-fetch-site': 'cross-site' }
    const body = { token: newToken('deleted') }
    await expectProblem(world.call('POST', '/ui/unsubscribe', { body, headers }), 403)
  })
})
