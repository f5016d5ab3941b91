import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import {
  invite,
  newBrowser,
  newPerson,
  PASSWORD,
  setUpOwner,
  type Browser,
} from '../test/people.ts'
import { onStore } from '../test/stores.ts'
import { expectOk, newProduct, newWorld, uniqueId, type Product } from '../test/world.ts'
import { erasePerson, type EraseChoices } from './erase.ts'
import { ApiError } from './platform/errors.ts'

const isMember = async (browser: Browser): Promise<boolean> =>
  (await browser.ask('GET', '/ui/session')).status === 200
const hasCode = (code: string) => (error: unknown) =>
  error instanceof ApiError && error.code === code

onStore((store) => {
  let product: Product
  let owner: Browser
  before(async () => {
    product = newProduct(store())
    owner = (await setUpOwner(product)).browser
  })

  const erase = async (email: string, choices: Partial<EraseChoices> = {}): Promise<void> => {
    const { db } = store()
    const usual = { isDryRun: false, isConfirmed: true, isAll: false }
    await erasePerson({ db, bulkDb: db }, email, { ...usual, ...choices })
  }
  test('erase --dry-run › changes nothing; erase › erases; a second time › not_found', async () => {
    const { browser, email } = await newPerson(product, owner)
    await erase(email, { isDryRun: true })
    assert.ok(await isMember(browser))
    await erase(email)
    assert.ok(!(await isMember(browser)))
    await assert.rejects(erase(email), hasCode('not_found'))
  })

  test('erase › not_found for an unknown address', async () => {
    await assert.rejects(erase('nobody@example.test'), hasCode('not_found'))
  })

  test('erase › an address that was only invited', async () => {
    const email = `invited-${uniqueId()}@example.test`
    const token = await invite(owner, email)
    await erase(email)
    const look = newBrowser(product).ask('POST', '/ui/invitations/look', { token })
    assert.equal((await look).status, 404)
    await assert.rejects(erase(email), hasCode('not_found'))
  })

  test('erase › succeeds for an address that only documents contain', async () => {
    const email = `named-${uniqueId()}@example.test`
    const team = { id: uniqueId(), name: 'T', members: [{ emailAddress: email, role: 'Owner' }] }
    await expectOk(owner.ask('PUT', `/api/teams/${team.id}`, team))
    await erase(email)
  })

  test('erase › last_owner for the last owner of an organization', async () => {
    const { browser, email } = await newPerson(product, owner, 'Owner')
    await expectOk(browser.ask('POST', '/ui/organizations', { name: `Own ${uniqueId()}` }))
    for (const isDryRun of [true, false]) {
      await assert.rejects(erase(email, { isDryRun }), hasCode('last_owner'))
    }
    assert.ok(await isMember(browser))
  })

  test('erase › invalid_state for several accounts, unless --all is given', async () => {
    const { browser, email } = await newPerson(product, owner)
    const other = await newWorld(product)
    const asOwner: Browser['ask'] = (method, path, body) =>
      other.asPerson('Uo', method, path, { body })
    const token = await invite({ ask: asOwner }, email)
    const second = newBrowser(product)
    const form = { token, password: PASSWORD, name: 'Ada' }
    await expectOk(second.ask('POST', '/ui/invitations/accept', form))
    await assert.rejects(erase(email), hasCode('invalid_state'))
    assert.ok((await isMember(browser)) && (await isMember(second)))
    await erase(email, { isAll: true })
    assert.ok(!(await isMember(browser)) && !(await isMember(second)))
  })
})
