/**
 * kill -9 of the server while people sign in with a provider and a directory changes a group: after each, what was
 * answered is stored, what was cut off happened completely or not at all, and repeating it adds each person once.
 */

import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { readJson } from '../answers.ts'
import { GROUP_SCHEMA, PATCH_SCHEMA, USER_SCHEMA } from '../directory.ts'
import { isLong } from '../eventually.ts'
import { startLyingIssuer } from '../oidc/lying-issuer.ts'
import { onPlace, query } from '../operator.ts'
import { fetchProduct, newBrowser, type Browser } from '../people.ts'
import { createUnattendedStart, runProduct, startProduct } from '../process.ts'
import { newClaims, newSignIns, type SignIns } from '../provider-sign-ins.ts'
import type { StorePlace } from '../stores.ts'
import type { Product } from '../world.ts'

const ROUNDS = isLong ? 20 : 2
const AT_ONCE = 12

test(`kill -9 while people finish sign-ins, ${ROUNDS} times`, async () => {
  await onPlace(async (place) => {
    const issuer = await startLyingIssuer()
    const start = createUnattendedStart(place)
    const environment = {
      ...start.environment,
      PORTBOOK_OIDC_ISSUER: issuer.issuer,
      PORTBOOK_OIDC_CLIENT_ID: 'portbook',
      PORTBOOK_OIDC_DOMAINS: 'velmora.example',
      PORTBOOK_OIDC_JOIN: 'everyone',
      PORTBOOK_IDENTITY_ALLOWED: '127.0.0.1',
    }
    const everyone: ReturnType<typeof newClaims>[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const product = await startProduct(environment)
      const signIns = newSignIns(fetchProduct(product.url), issuer, await findProvider(product.url))
      const people = Array.from({ length: AT_ONCE }, () => newClaims())
      everyone.push(...people)
      const begun = await Promise.all(
        people.map(async (claims) => await signIns.start(undefined, {}, claims)),
      )
      const enough = newCount(randomInt(1, AT_ONCE / 2))
      const finished = begun.map(async (one) => {
        const status = await signIns.finish(one).then(
          (answer) => answer.status,
          () => 0,
        )
        enough.add()
        return status
      })
      await enough.reached
      await product.kill('SIGKILL')
      const statuses = await Promise.all(finished)
      for (const [at, { email }] of people.entries()) {
        const stored = await countPerson(place, email)
        const complete = { accounts: 1, members: 1, identities: 1, sessions: 1 }
        if (statuses[at] === 200) assert.deepEqual(stored, complete, email)
        else assert.ok([0, 1].includes(stored.accounts), email)
        const { accounts, ...others } = stored
        for (const [table, count] of Object.entries(others)) {
          if (table !== 'sessions') assert.equal(count, accounts, `${email}: ${table}`)
        }
      }
      await signInAgain(environment, issuer, people)
    }
    for (const { email } of everyone) {
      const { accounts, members, identities } = await countPerson(place, email)
      assert.deepEqual([accounts, members, identities], [1, 1, 1], email)
    }
    await verify(environment)
    await issuer.close()
  })
})

test(`kill -9 while a directory changes a group, ${ROUNDS} times`, async () => {
  await onPlace(async (place) => {
    const start = createUnattendedStart(place)
    const owner = { email: 'owner@velmora.example', password: start.password }
    let directory: { key: string; group: string; users: readonly string[] } | undefined
    let last: readonly string[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const product = await startProduct(start.environment)
      const remote = fetchProduct(product.url)
      directory ??= await provision(remote, owner)
      const { key, group, users } = directory
      const path = `/api/scim/v2/Groups/${group}`
      let inFlight: readonly string[] = last
      const enough = newCount(randomInt(3, 20))
      const writing = (async () => {
        for (let at = 0; ; at += 1) {
          // Pairs, so that a change that was applied in part is seen.
          const pair = [users[(2 * at) % users.length], users[(2 * at + 1) % users.length]]
          const members = pair.flatMap((value) => (value === undefined ? [] : [value]))
          inFlight = members
          const value = members.map((one) => ({ value: one }))
          const answer = await sendScim(remote, key, 'PATCH', path, {
            schemas: [PATCH_SCHEMA],
            Operations: [{ op: 'replace', path: 'members', value }],
          }).catch(() => undefined)
          if (answer === undefined) return
          assert.ok(answer.ok, await answer.text())
          last = members
          enough.add()
        }
      })()
      await Promise.race([enough.reached, writing])
      await product.kill('SIGKILL')
      await writing
      const rows = await query(
        place,
        `select user_id from directory_group_member where group_id = '${group}' order by user_id`,
      )
      const stored = JSON.stringify(rows.map((row) => row['user_id']))
      const possible = [last, inFlight].map((members) => JSON.stringify(members.toSorted()))
      assert.ok(possible.includes(stored), `${stored} is not one of ${possible.join(' and ')}`)
      last = JSON.parse(stored) as string[]
    }
    await verify(start.environment)
  })
})

/** Counts up to a number of answers. */
function newCount(wanted: number): { reached: Promise<void>; add(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  let count = 0
  return {
    reached: promise,
    add() {
      count += 1
      if (count >= wanted) resolve()
    },
  }
}

async function findProvider(url: string): Promise<string> {
  const options = newBrowser(fetchProduct(url)).ask('GET', '/ui/sign-in/options')
  const { providers } = await readJson<{ providers: { id: string }[] }>(options)
  assert.ok(providers[0] !== undefined)
  return providers[0].id
}

/** Signs everyone in with a new process: the sign-in that was cut off must not be in the way. */
async function signInAgain(
  environment: Record<string, string>,
  issuer: SignIns['issuer'],
  people: readonly ReturnType<typeof newClaims>[],
): Promise<void> {
  const product = await startProduct(environment)
  const signIns = newSignIns(fetchProduct(product.url), issuer, await findProvider(product.url))
  for (const claims of people) assert.equal((await signIns.signIn(claims)).status, 200)
  await product.stop()
}

async function countPerson(place: StorePlace, email: string) {
  const [row] = await query(
    place,
    `with person as (select id from user_account where email_key = '${email}')
     select (select count(*)::integer from person) as accounts,
       (select count(*)::integer from organization_member where user_id in (table person)) as members,
       (select count(*)::integer from provider_identity where user_id in (table person)) as identities,
       (select count(*)::integer from session where user_id in (table person)) as sessions`,
  )
  return row as { accounts: number; members: number; identities: number; sessions: number }
}

/** Creates a key of a directory, users and a group. */
async function provision(
  remote: Pick<Product, 'call'>,
  owner: { email: string; password: string },
) {
  const browser: Browser = newBrowser(remote)
  await readJson(browser.ask('POST', '/ui/sign-in', owner))
  const { key } = await readJson<{ key: string }>(browser.ask('POST', '/ui/directory/keys'), 201)
  const users: string[] = []
  for (let at = 0; at < AT_ONCE; at += 1) {
    const userName = `person-${at}@velmora.example`
    const user = { schemas: [USER_SCHEMA], userName, emails: [{ value: userName, primary: true }] }
    const created = sendScim(remote, key, 'POST', '/api/scim/v2/Users', user)
    users.push((await readJson<{ id: string }>(created, 201)).id)
  }
  const group = { schemas: [GROUP_SCHEMA], displayName: 'Fleet' }
  const created = sendScim(remote, key, 'POST', '/api/scim/v2/Groups', group)
  return { key, group: (await readJson<{ id: string }>(created, 201)).id, users }
}

async function sendScim(
  remote: Pick<Product, 'call'>,
  key: string,
  method: string,
  path: string,
  body: object,
): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/scim+json' }
  return await remote.call(method, path, { body: JSON.stringify(body), headers })
}

async function verify(environment: Record<string, string>): Promise<void> {
  const { code, stdout, stderr } = await runProduct(environment, ['verify'])
  assert.equal(code, 0, stdout + stderr)
}
