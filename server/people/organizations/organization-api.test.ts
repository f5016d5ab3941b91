import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { newMember, newPerson, signInPerson } from '../../../test/people.ts'
import type { Browser } from '../../../test/people.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, uniqueId, type Product } from '../../../test/world.ts'
import type { Member } from './member.ts'
import { createOrganization } from './service.ts'
import type { Session } from './signed-in.ts'

const MEMBERS = '/ui/members'

async function list(browser: Browser): Promise<Member[]> {
  return await readJson<Member[]>(browser.ask('GET', MEMBERS))
}

async function remove(browser: Browser, userId: string): Promise<Response> {
  return await browser.ask('DELETE', `${MEMBERS}/${userId}`)
}

onStore((store) => {
  let product: Product
  before(() => {
    product = newProduct(store())
  })

  /** Creates a separate organization with a signed-in owner. */
  async function newOrganization(): Promise<{ owner: Browser; session: Session }> {
    const organizationId = await createOrganization(store().db, `Organization ${uniqueId()}`)
    const { browser, session } = await newMember(product, organizationId, 'Owner', 'Olga Owner')
    return { owner: browser, session }
  }

  describe('organizations', () => {
    let owner: Browser
    let session: Session
    let organizationId: string
    beforeEach(async () => {
      ;({ owner, session } = await newOrganization())
      organizationId = session.organization?.id ?? ''
    })

    test('a person without an organization › signs in without one', async () => {
      const person = await newPerson(product, owner)
      await readText(remove(owner, person.session.user.id), 204)
      const browser = await signInPerson(product, person.email)
      const current = await readJson<Session>(browser.ask('GET', '/ui/session'))
      assert.deepEqual([current.organization, current.organizations, current.teams], [null, [], []])
      await expectProblem(browser.ask('GET', MEMBERS), 403, /not a member/)
      await readText(browser.ask('PUT', '/ui/profile', { name: 'N' }))
      await readText(browser.ask('POST', '/ui/sign-out', {}))
    })

    test('PUT /ui/organization › 200 with the new name; POST /ui/organizations › 201 with one more', async () => {
      const renamed = await readJson<Session>(
        owner.ask('PUT', '/ui/organization', { name: ' New ' }),
      )
      assert.equal(renamed.organization?.name, 'New')
      const added = await readJson<Session>(
        owner.ask('POST', '/ui/organizations', { name: 'Two' }),
        201,
      )
      assert.equal(added.organization?.id, organizationId)
      assert.deepEqual(
        added.organizations.map(({ name, role }) => [name, role]),
        [
          ['New', 'Owner'],
          ['Two', 'Owner'],
        ],
      )
      owner.organization = added.organizations[1]?.id
      assert.deepEqual(
        (await list(owner)).map(({ userId }) => userId),
        [session.user.id],
      )
      for (const name of ['', ' ', 'x'.repeat(201), 'a\tb', 1]) {
        await expectProblem(owner.ask('PUT', '/ui/organization', { name }), 422)
        await expectProblem(owner.ask('POST', '/ui/organizations', { name }), 422)
      }
    })

    test('POST /ui/organizations › 409 above a hundred organizations of a person', async () => {
      await store().pool.query(`
        with added as (
          insert into organization (id, name)
          select gen_random_uuid(), 'More' from generate_series(1, 99)
          returning id
        )
        insert into organization_member (organization_id, user_id, role)
        select id, '${session.user.id}', 'Member' from added
      `)
      await expectProblem(owner.ask('POST', '/ui/organizations', { name: 'Two' }), 409, /100/)
    })
  })
})
