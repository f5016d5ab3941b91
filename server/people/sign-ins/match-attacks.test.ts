/** Attacks of people who want to be another one, or to join without a right: each is refused, with its reason in the log. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { readJson, readText } from '../../../test/answers.ts'
import { invite, newMember } from '../../../test/people.ts'
import { newArena, type Arena, type Attack } from '../../../test/provider-attacks.ts'
import { expectSignedIn, newClaims } from '../../../test/provider-sign-ins.ts'
import { onStore } from '../../../test/stores.ts'
import { newWorld } from '../../../test/world.ts'

const ATTACKS: readonly Attack[] = [
  [
    'an unverified address',
    'provider_email_unverified',
    'email_unverified',
    async (arena) => await arena.stage.signIn({ ...newClaims(), email_verified: false }),
  ],
  [
    'an address without a statement about its verification',
    'provider_email_unverified',
    'email_unverified',
    async (arena) => await arena.stage.signIn({ ...newClaims(), email_verified: undefined }),
  ],
  [
    'a verification as a text',
    'provider_email_unverified',
    'email_unverified',
    async (arena) => await arena.stage.signIn({ ...newClaims(), email_verified: 'true' }),
  ],
  [
    'no address, but a user name that looks like one',
    'provider_email_unverified',
    'email_missing',
    async (arena) => {
      const { email, ...claims } = newClaims()
      return await arena.stage.signIn({ ...claims, preferred_username: email, upn: email })
    },
  ],
  [
    'an address that is another one in lower case',
    'provider_email_unverified',
    'email_missing',
    async (arena) => {
      const claims = newClaims()
      await expectSignedIn(arena.stage.signIn({ ...claims, email: `k${claims.email}` }))
      // The Kelvin sign, whose lower case is the letter k.
      return await arena.stage.signIn({ ...newClaims(), email: `\u212a${claims.email}` })
    },
  ],
  [
    'a domain in letters that look like those of another',
    'provider_person_unknown',
    'domain_not_listed',
    async (arena) => await arena.stage.signIn(newClaims('velmor\u0430.example')),
  ],
  [
    'a domain that the provider does not list',
    'provider_person_unknown',
    'domain_not_listed',
    async (arena) => await arena.stage.signIn(newClaims('elsewhere.example')),
  ],
  [
    'a domain that only ends like one of the list',
    'provider_person_unknown',
    'domain_not_listed',
    async (arena) => await arena.stage.signIn(newClaims('evil-velmora.example')),
  ],
  [
    'the address of a member who has an identity at another provider',
    'identity_taken',
    'person_has_another',
    async (arena) => {
      const claims = newClaims()
      await expectSignedIn(arena.other.signIn(claims))
      return await arena.stage.signIn({ ...claims, sub: 'same-address' })
    },
  ],
  [
    'the details of another person at the userinfo endpoint',
    'provider_token_invalid',
    'userinfo_subject',
    async (arena) => {
      const { sub, ...details } = newClaims()
      arena.stage.userInfo = { ...details, sub: 'another' }
      const answer = await arena.stage.signIn({ sub })
      arena.stage.userInfo = {}
      return answer
    },
  ],
  [
    'a verification at the userinfo endpoint for the address of the ID token',
    'provider_email_unverified',
    'email_unverified',
    async (arena) => {
      await arena.setGroupsClaim('groups')
      arena.stage.userInfo = { email: newClaims().email, email_verified: true }
      const answer = await arena.stage.signIn({ ...newClaims(), email_verified: undefined })
      arena.stage.userInfo = {}
      await arena.setGroupsClaim(null)
      return answer
    },
  ],
  [
    'the invitation of another person',
    'provider_person_unknown',
    'invitation_of_another',
    async (arena) => {
      const invitation = await invite(arena.owner, newClaims().email)
      return await arena.stage.signIn(newClaims(), { body: { invitation } })
    },
  ],
  [
    'an invitation with an unverified address',
    'provider_email_unverified',
    'invitation_email_unverified',
    async (arena) => {
      const claims = newClaims()
      const invitation = await invite(arena.owner, claims.email)
      return await arena.stage.signIn(
        { ...claims, email_verified: false },
        { body: { invitation } },
      )
    },
  ],
  [
    'an invitation that was revoked',
    'provider_person_unknown',
    'invitation_closed',
    async (arena) => {
      const claims = newClaims('elsewhere.example')
      const invitation = await invite(arena.owner, claims.email)
      const [{ id } = { id: '' }] = await readJson<{ id: string }[]>(
        arena.owner.ask('GET', '/ui/invitations'),
      )
      await readText(arena.owner.ask('DELETE', `/ui/invitations/${id}`), 204)
      return await arena.stage.signIn(claims, { body: { invitation } })
    },
  ],
  [
    'the invitation of another organization',
    'provider_person_unknown',
    'invitation_elsewhere',
    async (arena) => {
      const claims = newClaims()
      const { session, browser } = await newMember(
        arena.world,
        (await newWorld(arena.world)).organizationId,
        'Owner',
      )
      assert.ok(session.organization)
      const invitation = await invite(browser, claims.email)
      return await arena.stage.signIn(claims, { body: { invitation } })
    },
  ],
  [
    'a suspended member',
    'member_suspended',
    'suspended',
    async (arena) => {
      const claims = newClaims()
      const { session } = await expectSignedIn(arena.stage.signIn(claims))
      await arena.run(sql`
          update organization_member set suspended_at = now() where user_id = ${session?.user.id ?? ''}
        `)
      return await arena.stage.signIn(claims)
    },
  ],
  [
    'a suspended member who would be linked by the address',
    'member_suspended',
    'suspended',
    async (arena) => {
      const { session, email } = await newMember(arena.world, arena.world.organizationId)
      await arena.run(sql`
          update user_account set email = replace(email, 'example.test', 'velmora.example'),
            email_key = replace(email_key, 'example.test', 'velmora.example')
          where id = ${session.user.id}
        `)
      await arena.run(sql`
          update organization_member set suspended_at = now() where user_id = ${session.user.id}
        `)
      const address = email.replace('example.test', 'velmora.example')
      return await arena.stage.signIn({ ...newClaims(), email: address })
    },
  ],
  [
    'a member whose domain the organization does not own',
    'provider_person_unknown',
    'member_not_linked',
    async (arena) => {
      const { email } = await newMember(arena.world, arena.world.organizationId)
      return await arena.stage.signIn({ ...newClaims(), email })
    },
  ],
]

onStore((store) => {
  let arena: Arena
  before(async () => {
    arena = await newArena(store())
  })
  after(async () => await arena.close())

  for (const attack of ATTACKS) {
    test(`refuses ${attack[0]}`, async () => {
      await arena.expectRefused(attack)
    })
  }

  test('an invitation that two people of the same address use at once makes one member', async () => {
    const claims = newClaims()
    const invitation = await invite(arena.owner, claims.email)
    arena.stage.claims = claims
    const both = [
      await arena.stage.start(undefined, { invitation }),
      await arena.stage.start(undefined, { invitation }),
    ]
    const answers = await Promise.all(both.map((started) => arena.stage.finish(started)))
    // The second one finds the identity that the first one has just linked.
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
    const { rows } = await sql`select from user_account where email = ${claims.email}`.execute(
      store().db,
    )
    assert.equal(rows.length, 1)
  })
})
