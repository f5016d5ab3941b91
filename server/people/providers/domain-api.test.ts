import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { listEntries } from '../../../test/activity.ts'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { startDnsServer, type DnsServer } from '../../../test/dns-server.ts'
import { addProvider } from '../../../test/identity-providers.ts'
import { newBrowser } from '../../../test/people.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, uniqueId, type World } from '../../../test/world.ts'
import { newTxtResolver } from '../../platform/kit/txt-records.ts'
import { verifyByOperator } from './domain-service.ts'
import { verifyDomainOfOperator, type OperatorVerification } from './operator-domain-service.ts'

const PATH = '/ui/mail-domains'

interface Domain {
  domain: string
  recordName: string
  recordText: string
  proof: string | null
}

const newName = (): string => `${uniqueId()}.example`
const send = (own: World, method: string, path = '', body?: object): Promise<Response> =>
  own.asPerson('Uo', method, `${PATH}${path}`, { body })
const add = async (own: World, domain: string): Promise<Domain> =>
  await readJson<Domain>(send(own, 'POST', '', { domain }), 201)
const check = (own: World, domain: string): Promise<Response> =>
  send(own, 'POST', `/${domain}/check`)
const list = async (own: World): Promise<[string, string | null][]> => {
  const { domains } = await readJson<{ domains: Domain[] }>(send(own, 'GET'))
  return domains.map(({ domain, proof }) => [domain, proof])
}
async function verifyByOperatorFor(
  { services, organizationId }: World,
  domain: string,
): Promise<string | undefined> {
  const lost = await services.db
    .transaction()
    .execute((transaction) =>
      verifyByOperator(transaction, services.clock, { organizationId, domain }),
    )
  return lost?.organizationId
}

onStore((store) => {
  let dns: DnsServer
  let first: World
  let world: World

  before(async () => {
    dns = await startDnsServer()
    first = await newWorld(newProduct(store()))
    first.services.resolveTxt = newTxtResolver([dns.address], { timeout: 100, tries: 1 })
  })
  after(async () => {
    await dns.close()
  })
  beforeEach(() => {
    dns.records.clear()
    dns.fault = undefined
  })

  const publish = ({ recordName, recordText }: Domain): void => {
    dns.records.set(recordName, [['v=spf1 -all'], [recordText.slice(0, 10), recordText.slice(10)]])
  }

  test('the only organization of an installation has its domains at once', async () => {
    const domain = newName()
    assert.equal((await add(first, domain)).proof, 'only-organization')
    assert.deepEqual(dns.questions, [])
    world = await newWorld(first)
    assert.equal((await add(world, newName())).proof, null)
    assert.deepEqual(await list(first), [[domain, 'only-organization']])
  })

  describe('POST /ui/mail-domains', () => {
    test('201 in one form, and 422 for the same domain in another', async () => {
      const name = uniqueId()
      const { domain, recordName } = await add(world, ` ${name.toUpperCase()}.Größe.Example. `)
      assert.equal(domain, `${name}.xn--gre-6ka8i.example`)
      assert.equal(recordName, `_portbook.${domain}`)
      await expectProblem(send(world, 'POST', '', { domain }), 422, /in the list already/)
    })

    test('422 for texts that are not domains, and for public mail services', async () => {
      for (const domain of ['', 'example', '192.0.2.1', 'ada@velmora.example']) {
        await expectProblem(send(world, 'POST', '', { domain }), 422, /domain: must be a domain/)
      }
      await expectProblem(
        send(world, 'POST', '', { domain: 'GMail.com.' }),
        422,
        /everyone can get/,
      )
    })

    test('409 for the 51st domain', async () => {
      const own = await newWorld(world)
      await sql`
        insert into organization_domain (organization_id, domain, challenge, updated_by)
        select ${own.organizationId}, 'd' || number || '.example', 'x', 'system'
        from generate_series(1, 50) as number
      `.execute(store().db)
      await expectProblem(send(own, 'POST', '', { domain: newName() }), 409, /50 mail domains/)
    })
  })

  describe('POST /ui/mail-domains/{domain}/check', () => {
    test('200 if the TXT record has the text, and records it', async () => {
      const own = await newWorld(world)
      const added = await add(own, newName())
      publish(added)
      const checked = await readJson<Domain>(check(own, added.domain.toUpperCase()))
      assert.equal(checked.proof, 'dns')
      assert.deepEqual(
        (await listEntries(own, 'sign-in-rule')).map(({ action, subject }) => [action, subject]),
        [
          ['domain-added', added.domain],
          ['domain-verified', added.domain],
        ],
      )
    })

    test('422 with what was found: nothing, other texts, the text of another organization', async () => {
      const added = await add(world, newName())
      const { domain, recordName, recordText } = added
      await expectProblem(check(world, domain), 422, /has no TXT record yet/)
      dns.records.set(recordName, [['v=spf1']])
      await expectProblem(check(world, domain), 422, /has other TXT records: "v=spf1"/)
      publish(await add(await newWorld(world), domain))
      await expectProblem(check(world, domain), 422, /other TXT records/)
      // The domain itself and its subdomains prove nothing.
      dns.records.clear()
      dns.records.set(domain, [[recordText]])
      dns.records.set(`_portbook.sub.${domain}`, [[recordText]])
      await expectProblem(check(world, domain), 422, /no TXT record yet/)
    })

    test('422 if the name server fails or does not answer', async () => {
      const own = await newWorld(world)
      const { domain } = await add(own, newName())
      dns.fault = 2
      await expectProblem(check(own, domain), 422, /could not answer for _portbook/)
      dns.fault = 'silent'
      await expectProblem(check(own, domain), 422, /did not answer .* in time/)
    })

    test('a proof takes the domain from an organization without one', async () => {
      const domain = newName()
      await sql`
        insert into organization_domain (organization_id, domain, challenge, verified_at, proof, updated_by)
        values (${first.organizationId}, ${domain}, 'x', now(), 'only-organization', 'system')
      `.execute(store().db)
      const own = await newWorld(world)
      publish(await add(own, domain))
      assert.equal((await readJson<Domain>(check(own, domain))).proof, 'dns')
      assert.deepEqual(
        (await list(first)).find(([name]) => name === domain),
        [domain, null],
      )
      const entries = await listEntries(first, 'sign-in-rule')
      assert.partialDeepStrictEqual(
        entries.findLast(({ subject }) => subject === domain),
        { action: 'domain-removed', principal: 'system' },
      )
    })

    test('409 if another organization has proved it, also with both at once in two processes', async () => {
      const domain = newName()
      const [a, b] = [await newWorld(world), await newWorld(world)]
      const [one, other] = [await add(a, domain), await add(b, domain)]
      dns.records.set(one.recordName, [[one.recordText], [other.recordText]])
      const product = newProduct(store())
      product.services.resolveTxt = first.services.resolveTxt
      const second = newBrowser(product)
      second.token = b.sessions.Uo
      const answers = await Promise.all([
        check(a, domain),
        second.ask('POST', `${PATH}/${domain}/check`),
      ])
      const statuses = answers.map(({ status }) => status)
      assert.deepEqual(
        statuses.toSorted((x, y) => x - y),
        [200, 409],
      )
      const loser = statuses[0] === 409 ? a : b
      await expectProblem(check(loser, domain), 409, /Another organization .* has proved/)
      const taken = await verifyByOperatorFor(loser, domain)
      assert.equal(taken, (loser === a ? b : a).organizationId)
      assert.deepEqual(await list(loser), [[domain, 'operator']])
      assert.deepEqual(await list(loser === a ? b : a), [[domain, null]])
    })

    test('429 for many checks', async () => {
      const own = await newWorld(world)
      const { domain } = await add(own, newName())
      for (let count = 0; count < 20; count += 1) await expectProblem(check(own, domain), 422)
      await expectProblem(check(own, domain), 429, /20 tests and checks a minute/)
      await expectProblem(check(world, (await add(world, newName())).domain), 422)
    })
  })

  test('verify-domain › verifies for the named organization, or for the only one that has added it', async () => {
    const [a, b] = [await newWorld(world), await newWorld(world)]
    const verify = (text: string): Promise<OperatorVerification> =>
      verifyDomainOfOperator(store().db, world.services.clock, text)
    const { rows } = await sql<{ id: string; address: string }>`
      select id, vanity_url as address from organization
    `.execute(store().db)
    const addressOfB = rows.find(({ id }) => id === b.organizationId)?.address
    const domain = newName()
    await assert.rejects(verify(domain), /several organizations are possible/)
    await add(a, domain)
    await verify(domain.toUpperCase())
    assert.deepEqual(await list(a), [[domain, 'operator']])
    const moved = await verify(`${addressOfB}/${domain}`)
    assert.equal(typeof moved.lostBy, 'string')
    assert.deepEqual([await list(a), await list(b)], [[[domain, null]], [[domain, 'operator']]])
    await assert.rejects(verify(`unknown/${domain}`), /no organization has the address "unknown"/)
    await assert.rejects(verify('no-domain'), /is not a domain/)
  })

  test('DELETE /ui/mail-domains/{domain} › 422 while a provider names it, then 204', async () => {
    const own = await newWorld(world)
    const { domain } = await add(own, newName())
    await verifyByOperatorFor(own, domain)
    const { id } = await addProvider(own, { domains: [domain], joinRule: 'everyone' })
    await expectProblem(send(own, 'DELETE', `/${domain}`), 422, /"Velmora ID" signs in people/)
    await own.asPerson('Uo', 'DELETE', `/ui/identity-providers/${id}`)
    assert.equal((await send(own, 'DELETE', `/${domain}`)).status, 204)
    await expectProblem(send(own, 'DELETE', `/${domain}`), 404)
    assert.deepEqual(await list(own), [])
  })

  test('/ui/mail-domains › 403 for members, 404 for a domain of another organization', async () => {
    const { domain } = await add(world, newName())
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['POST', `/${domain}/check`],
      ['DELETE', `/${domain}`],
    ] as const) {
      await expectProblem(world.asPerson('Um', method, `${PATH}${path}`, { body: { domain } }), 403)
    }
    const other = await newWorld(world)
    await expectProblem(check(other, domain), 404)
    await expectProblem(send(other, 'DELETE', `/${domain}`), 404)
  })
})
