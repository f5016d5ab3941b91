import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { before, test } from 'node:test'
import { expectProblem, readText } from '../../../test/answers.ts'
import {
  newAddress,
  newBrowser,
  newPerson,
  PASSWORD,
  setUpOwner,
  type Browser,
} from '../../../test/people.ts'
import { eventually } from '../../../test/eventually.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, uniqueId, type Product } from '../../../test/world.ts'
import { newClientResolver } from '../../requests/http/client-address.ts'
import { fixedClock } from '../../platform/kit/clock.ts'

const SIGN_IN = '/ui/sign-in'
const WRONG = 'not the right password'

function toClientName(address: string): string {
  return newClientResolver([]).resolveClient(address, new Headers())
}

/** Counts the password hashes that some work computes. They take nearly all the time of a sign-in. */
async function countHashes(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const hook = createHook({
    init(_, type) {
      if (type === 'SCRYPTREQUEST') count += 1
    },
  })
  hook.enable()
  await work()
  hook.disable()
  return count
}

onStore((store) => {
  let product: Product
  let owner: Browser
  before(async () => {
    product = newProduct(store())
    owner = (await setUpOwner(product)).browser
  })

  const at = (instant: string): Product => newProduct(store(), { clock: fixedClock(instant) })
  /** Sets the number of attempts of the subjects that were counted last at an instant. */
  const setCounts = async (instant: string, count: number): Promise<void> => {
    const text = 'update password_guess set guess_count = $2 where guessed_at = $1'
    await store().pool.query(text, [instant, count])
  }
  const signIn = (
    body: unknown,
    browser: Browser = newBrowser(product),
    headers: Record<string, string> = {},
  ): Promise<Response> => browser.ask('POST', SIGN_IN, body, headers)
  const wrong = (typed: string): Promise<unknown> =>
    expectProblem(signIn({ email: typed, password: WRONG }), 401)

  test(`POST ${SIGN_IN} › computes one hash for an unknown address, as for a wrong password`, async () => {
    const person = await newPerson(product, owner)
    const unknown = `${uniqueId()}@example.test`
    assert.equal(await countHashes(() => wrong(person.email)), 1)
    assert.equal(await countHashes(() => wrong(unknown)), 1)
  })

  test(`POST ${SIGN_IN} › 429 with Retry-After from the sixth wrong password on`, async () => {
    const address = `g-${uniqueId()}@example.test`
    const guess = (instant: string): Promise<Response> =>
      signIn({ email: address, password: WRONG }, newBrowser(at(instant)))
    const start = '2031-01-01T00:00:00Z'
    for (let count = 0; count < 5; count += 1) await expectProblem(guess(start), 401)
    for (const [instant, seconds] of [
      [start, '1'],
      ['2031-01-01T00:00:01Z', undefined],
      ['2031-01-01T00:00:01.5Z', '2'],
    ] as const) {
      const refused = await guess(instant)
      assert.equal(refused.headers.get('retry-after') ?? undefined, seconds)
      const says = seconds === undefined ? /is wrong/ : /Too many wrong passwords. Try again in/
      await expectProblem(refused, seconds === undefined ? 401 : 429, says)
    }
  })

  test(`POST ${SIGN_IN} › rejects the correct password during the wait, and accepts it afterwards`, async () => {
    const person = await newPerson(product, owner)
    const guess = (instant: string, password: string): Promise<Response> =>
      signIn({ email: person.email, password }, newBrowser(at(instant)))
    const [start, later] = ['2031-01-05T00:00:00Z', '2031-01-05T00:00:01Z']
    await expectProblem(guess(start, WRONG), 401)
    await setCounts(start, 5)
    await expectProblem(guess(start, PASSWORD), 429)
    await readText(guess(later, PASSWORD))
    // A success releases only its own attempt: all accounts with the address share the count.
    await expectProblem(guess(later, WRONG), 429)
  })

  test(`POST ${SIGN_IN} › allows only five of forty concurrent attempts in two processes`, async () => {
    const clock = fixedClock('2031-01-02T00:00:00Z')
    const processes = [newProduct(store(), { clock }), newProduct(store(), { clock })]
    const address = `g-${uniqueId()}@example.test`
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const browser = newBrowser(processes[index % 2] ?? product)
        return (await signIn({ email: address, password: WRONG }, browser)).status
      }),
    )
    assert.deepEqual(
      [401, 429].map((status) => answers.filter((answer) => answer === status).length),
      [5, 35],
    )
  })

  test(`POST ${SIGN_IN} › lets a person sign in from a known client while strangers try their password`, async () => {
    const person = await newPerson(product, owner)
    const instant = '2031-01-06T00:00:00Z'
    const home = newAddress()
    const body = { email: person.email, password: PASSWORD }
    await readText(signIn(body, newBrowser(at(instant), home)))
    await expectProblem(signIn({ ...body, password: WRONG }, newBrowser(at(instant))), 401)
    await store().pool.query(
      'update password_guess set guess_count = 5 where guessed_at = $1 and succeeded_at is null',
      [instant],
    )
    await expectProblem(signIn(body, newBrowser(at(instant))), 429)
    await readText(signIn(body, newBrowser(at(instant), home)))
  })

  test(`POST ${SIGN_IN} › 429 for a client address after fifty wrong passwords, for any accounts`, async () => {
    const instant = '2031-01-03T00:00:00Z'
    const address = newAddress()
    const guess = (from: string, password = WRONG, typed = `${uniqueId()}@example.test`) =>
      signIn({ email: typed, password }, newBrowser(at(instant), from))
    const person = await newPerson(product, owner)
    await expectProblem(guess(address), 401)
    await setCounts(instant, 48)
    await expectProblem(guess(address), 401)
    // A correct password in between neither counts nor resets the count.
    await readText(guess(address, PASSWORD, person.email))
    await expectProblem(guess(address), 401)
    await expectProblem(guess(address), 429)
    // The same network shares the count, and addresses that the client claims before its proxy are ignored.
    await expectProblem(guess(address.replace(/::1$/, '::2')), 429)
    await expectProblem(guess(`${newAddress()}, ${address}`), 429)
    await expectProblem(guess(newAddress()), 401)
  })

  /** Occupies the password queue until it is released. */
  const occupyQueue = (): { release(): Promise<void> } => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const turn = { flow: ['the test'] }
    const running = product.services.passwordQueue.run(turn, () => promise)
    return {
      async release() {
        resolve()
        await running
      },
    }
  }
  const untilWaiting = (count: number): Promise<void> =>
    eventually(
      60_000,
      async () => {
        await readText(product.call('GET', '/readyz'))
        return product.services.passwordQueue.waitingCount === count
      },
      `${count} passwords wait`,
    )
  const attack = (address: string): Promise<Response> =>
    signIn({ email: `${uniqueId()}@example.test`, password: WRONG }, newBrowser(product, address))

  test(`POST ${SIGN_IN} › 429 with Retry-After when more than 20 passwords wait, which do not count as wrong`, async (t) => {
    const queue = occupyQueue()
    t.after(queue.release)
    const addresses = Array.from({ length: 21 }, newAddress)
    const attempts = addresses.map(async (address) => ({ address, answer: await attack(address) }))
    const { address, answer } = await Promise.race(attempts)
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
    await expectProblem(answer, 429, /Too many people are signing in/)
    const subject = JSON.stringify(['client', toClientName(address)])
    const { rows } = await store().pool.query<{ count: number }>(
      'select guess_count::int as count from password_guess where subject = $1',
      [createHash('sha256').update(subject).digest()],
    )
    assert.deepEqual(rows, [{ count: 0 }])
    await queue.release()
    const statuses = (await Promise.all(attempts)).map(({ answer }) => answer.status)
    assert.equal(statuses.filter((status) => status === 401).length, 20)
  })

  test(`POST ${SIGN_IN} › serves a person before the many anonymous attempts of another client`, async (t) => {
    const person = await newPerson(product, owner)
    const queue = occupyQueue()
    t.after(queue.release)
    const address = newAddress()
    const attempts: Promise<Response>[] = []
    for (let count = 1; count <= 10; count += 1) {
      attempts.push(attack(address))
      await untilWaiting(count)
    }
    const honest = readText(signIn({ email: person.email, password: PASSWORD }))
    await untilWaiting(11)
    // Clients take turns, so the next client sees who waits after the person's turn.
    const { passwordQueue } = product.services
    const turn = { flow: ['the next client'] }
    const waiting = passwordQueue.run(turn, async () => passwordQueue.waitingCount)
    await queue.release()
    assert.ok((await waiting) >= 8, 'most attempts still wait')
    await honest
    await Promise.all(attempts)
  })

  test(`POST ${SIGN_IN} › 429 for the whole installation after too many in a minute, except from known clients`, async () => {
    const limited = newProduct(store(), { passwordsPerMinute: 3 })
    const person = await newPerson(product, owner)
    const home = newAddress()
    const right = { email: person.email, password: PASSWORD }
    const attempt = (body: object, address = newAddress()): Promise<Response> =>
      signIn(body, newBrowser(limited, address))
    await readText(attempt(right, home))
    for (let count = 0; count < 2; count += 1) {
      await expectProblem(attempt({ email: `${uniqueId()}@example.test`, password: WRONG }), 401)
    }
    const refused = await attempt({ email: `${uniqueId()}@example.test`, password: WRONG })
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
    await expectProblem(refused, 429)
    await expectProblem(attempt(right), 429)
    await readText(attempt(right, home))
  })

  test(`POST ${SIGN_IN} › stores neither addresses nor passwords of attempts`, async () => {
    const typed = { email: `typed-${uniqueId()}@example.test`, password: `typed ${uniqueId()}` }
    await expectProblem(signIn(typed), 401)
    const { rows } = await store().pool.query(
      'select password_guess::text as row from password_guess',
    )
    const text = JSON.stringify(rows)
    assert.ok(rows.length > 0)
    for (const secret of Object.values(typed)) assert.ok(!text.includes(secret))
  })
})
