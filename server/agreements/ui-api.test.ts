import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { listAccessEventNames } from '../../test/access-events.ts'
import { addAgreement, addContract, addProvider } from '../../test/agreements.ts'
import { expectProblem, expectViolations, readJson } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, uniqueId, type World } from '../../test/world.ts'
import type { PersonName } from '../../test/world.ts'
import type { DecisionOutcomes } from './decision.ts'
import type { AgreementList, AgreementPage } from './listed-agreement.ts'
import type { RequestedAgreements, RequestFacts } from './request.ts'

function dayAfter(days: number): string {
  return Temporal.Now.plainDateISO('UTC').add({ days }).toString()
}

function toId(path: string): string {
  return path.split('/').at(-1) ?? ''
}

function request(products: readonly string[], more: object = {}): object {
  const ports = products.map((dataProductId) => ({ dataProductId, outputPortId: 'out' }))
  return { ports, purpose: 'Reports', ...more }
}

function ids({ agreements }: AgreementList): string[] {
  return agreements.map(({ id }) => id)
}

function at(product: string, part: string): string {
  return `/api/dataproducts/${product}/outputports/out/${part}`
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const get = <T>(path: string, person: PersonName = 'Uo'): Promise<T> =>
    readJson<T>(world.asPerson(person, 'GET', `/ui/${path}`))
  const send = (path: string, body: object, person: PersonName = 'Uo'): Promise<Response> =>
    world.asPerson(person, 'POST', `/ui/${path}`, { body })
  const post = <T>(path: string, body: object, person: PersonName = 'Uo'): Promise<T> =>
    readJson<T>(send(path, body, person))
  const requestAs = (
    person: PersonName,
    products: readonly string[],
    more: object = {},
  ): Promise<RequestedAgreements> => post('access-requests', request(products, more), person)

  describe('POST /ui/access-requests', () => {
    test('200 for a basket: each port becomes an agreement', async () => {
      const products = [await addProvider(world, 'b'), await addProvider(world, 'b')]
      const more = { consumer: { teamId: 'a' }, roles: ['analyst'], endDate: dayAfter(90) }
      const created = await requestAs('Um', products, more)
      assert.deepEqual(
        created.map(({ dataProductId, state }) => [dataProductId, state]),
        products.map((product) => [product, 'requested']),
      )
      const page = await get<AgreementPage>(`access/${created[0]?.id}/page`)
      assert.partialDeepStrictEqual(page, {
        purpose: 'Reports',
        roles: ['analyst'],
        consumerType: 'team',
        consumer: { id: 'a', name: 'Team A' },
        providerTeam: { id: 'b', name: 'Team B' },
        endDate: dayAfter(90),
        provisioning: null,
        reports: [],
      })
      assert.match(page.requestedBy.name ?? '', /^member-/)
    })

    test('200 for me, and for a data product of my team', async () => {
      const product = await addProvider(world, 'b')
      const consumer = await addProvider(world, 'a')
      await requestAs('Um', [product])
      await requestAs('Um', [product], { consumer: { dataProductId: consumer } })
    })

    test('200 and granted at once by the property of the port', async () => {
      const port = { customProperties: [{ property: 'autoApprove', value: true }] }
      const product = await addProvider(world, 'b', port)
      const [granted] = await requestAs('Um', [product])
      assert.equal(granted?.state, 'active')
      const names = ['Created', 'Requested', 'Approved', 'Activated']
      assert.deepEqual(await listAccessEventNames(world, `/${granted.id}`), names)
      const consumer = { teamId: 'a' }
      const later = await requestAs('Um', [product], { consumer, startDate: dayAfter(1) })
      assert.equal(later[0]?.state, 'upcoming')
    })

    test('422 for what is requested or granted already, also twice in one basket or at once', async () => {
      const [product, other] = [await addProvider(world, 'b'), await addProvider(world, 'b')]
      await expectViolations(
        await send('access-requests', request([product, product]), 'Um'),
        422,
        ['ports[1]'],
      )
      const answers = await Promise.all(
        [1, 2].map(() => send('access-requests', request([product]), 'Um')),
      )
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 422]))
      await expectViolations(await send('access-requests', request([other, product]), 'Um'), 422, [
        'ports[1]',
      ])
      await requestAs('Um', [other])
    })

    test('403 for the team of others, 422 for unknown ports and invalid fields', async () => {
      const product = await addProvider(world, 'a')
      const body = request([product], { consumer: { teamId: 'b' } })
      await expectProblem(send('access-requests', body, 'Um'), 403, /ACCESS_REQUEST/)
      const unknown = request([product, 'none'])
      await expectViolations(send('access-requests', unknown), 422, ['ports[1].dataProductId'])
      const invalid = { purpose: ' ', startDate: '2026-02-31', endDate: 'x' }
      await expectViolations(send('access-requests', request([], invalid)), 422, [
        'endDate',
        'ports',
        'purpose',
      ])
      const backwards = { startDate: dayAfter(2), endDate: dayAfter(1) }
      await expectViolations(send('access-requests', request([product], backwards)), 422, [
        'endDate',
      ])
      const many = Array.from({ length: 21 }, () => product)
      await expectViolations(send('access-requests', request(many)), 422, ['ports'])
    })
  })

  test('GET /ui/access-requests/facts › 200 with terms, classes and who decides', async () => {
    const contract = await addContract(world, 'b', {
      description: { usage: 'Reports', limitations: 'No marketing' },
      roles: [{ role: 'analyst' }],
      schema: [{ name: 't', properties: [{ name: 'c', classification: 'confidential' }] }],
    })
    const port = { contractId: contract, type: 'tables' }
    const product = await addProvider(world, 'b', port)
    const path = `access-requests/facts?dataProductId=${product}&outputPortId=out`
    const facts = await get<RequestFacts>(path, 'Um')
    assert.partialDeepStrictEqual(facts, {
      dataProduct: { id: product, name: `Product ${product}` },
      outputPort: { id: 'out', type: 'tables' },
      team: { id: 'b', name: 'Team B' },
      isGrantedAtOnce: false,
      dataContract: {
        id: contract,
        version: '1.0.0',
        classifications: ['confidential'],
        usage: 'Reports',
        limitations: 'No marketing',
        billing: null,
        roles: [{ role: 'analyst', description: null }],
      },
      access: { accessLifecycleStatus: null, canRequestAccess: true },
      consumers: { teams: [{ id: 'a', name: 'Team A' }] },
    })
    assert.match(facts.approvers[0] ?? '', /^owner-/)
    const unknown = '/ui/access-requests/facts?dataProductId=none&outputPortId=out'
    await expectProblem(world.asPerson('Um', 'GET', unknown), 404)
  })

  describe('POST /ui/access/{id}/decision', () => {
    test('approve › 200 with changed dates and roles, and a reason', async () => {
      const more = { roles: ['admin'], info: { endDate: dayAfter(100) } }
      const id = toId(await addAgreement(world, { more }))
      const body = { decision: 'approve', reason: 'Only to read', endDate: dayAfter(30), roles: [] }
      const page = await post<AgreementPage>(`access/${id}/decision`, body)
      assert.partialDeepStrictEqual(page, {
        state: 'active',
        reason: 'Only to read',
        endDate: dayAfter(30),
        roles: [],
        actions: ['reject', 'cancel', 'amend', 'delete'],
      })
      assert.match(page.decidedBy?.name ?? '', /^owner-/)
      const seen = await readJson<{ info: object; roles?: object }>(
        world.as('O', 'GET', `/api/access/${id}`),
      )
      assert.deepEqual(seen.info, {
        purpose: 'Reports',
        endDate: dayAfter(30),
        status: 'approved',
        active: true,
      })
      assert.equal(seen.roles, undefined)
    })

    test('reject and cancel › 200 with a reason', async () => {
      for (const [decision, state] of [
        ['reject', 'rejected'],
        ['cancel', 'canceled'],
      ]) {
        const id = toId(await addAgreement(world))
        const body = { decision, reason: 'No' }
        const page = await post<AgreementPage>(`access/${id}/decision`, body)
        assert.deepEqual([page.state, page.reason], [state, 'No'])
      }
    })

    test('403 for an editor, 422 for an end before the first day', async () => {
      const id = toId(await addAgreement(world, { more: { info: { startDate: dayAfter(9) } } }))
      await expectProblem(send(`access/${id}/decision`, { decision: 'approve' }, 'Ue'), 403)
      const body = { decision: 'approve', endDate: dayAfter(1) }
      await expectViolations(await send(`access/${id}/decision`, body), 422, ['endDate'])
    })
  })

  test('POST /ui/access/decisions › 200 with an outcome for each, at most 100', async () => {
    const decided = [toId(await addAgreement(world)), toId(await addAgreement(world)), 'none']
    await expectOk(world.as('O', 'POST', `/api/access/${decided[1]}/cancel`))
    const outcomes = await post<DecisionOutcomes>('access/decisions', {
      ids: decided,
      decision: 'approve',
    })
    assert.deepEqual(
      outcomes.map(({ state, code }) => [state, code]),
      [
        ['active', null],
        [null, 'invalid_state'],
        [null, 'not_found'],
      ],
    )
    const many = Array.from({ length: 101 }, (_, at) => `x${at}`)
    await expectViolations(
      await send('access/decisions', { ids: many, decision: 'approve' }),
      422,
      ['ids'],
    )
  })

  describe('POST /ui/access/{id}/terms and …/renewal', () => {
    test('an approver sets dates and the reassessment', async () => {
      const more = { info: { endDate: dayAfter(5) } }
      const id = toId(await addAgreement(world, { more, isApproved: true }))
      const form = { nextReassessmentDate: dayAfter(3) }
      const page = await post<AgreementPage>(`access/${id}/terms`, form)
      assert.deepEqual([page.endDate, page.nextReassessmentDate], [dayAfter(5), dayAfter(3)])
      await post(`access/${id}/terms`, form)
      const renewed = await post<AgreementPage>(`access/${id}/renewal`, { endDate: dayAfter(90) })
      assert.deepEqual([renewed.id, renewed.endDate], [id, dayAfter(90)])
      const names = (await listAccessEventNames(world, `/${id}`)).slice(4)
      assert.deepEqual(names, ['Updated', 'Updated'])
    })

    test('a consumer requests an agreement that begins at the end, once', async () => {
      const more = { info: { endDate: dayAfter(5) } }
      const options = { owner: 'b', consumer: { teamId: 'a' }, more, isApproved: true }
      const id = toId(await addAgreement(world, options))
      await expectProblem(send(`access/${id}/terms`, { endDate: null }, 'Um'), 403)
      const form = { endDate: dayAfter(90) }
      const requested = await post<AgreementPage>(`access/${id}/renewal`, form, 'Um')
      assert.partialDeepStrictEqual(requested, { state: 'requested', startDate: dayAfter(5) })
      assert.notEqual(requested.id, id)
      await expectViolations(await send(`access/${id}/renewal`, form, 'Um'), 422, ['ports[0]'])
      const body = { decision: 'approve' }
      const approved = await post<AgreementPage>(`access/${requested.id}/decision`, body)
      assert.equal(approved.state, 'upcoming')
    })

    test('422 for an agreement that is not in force', async () => {
      const id = toId(await addAgreement(world))
      await expectProblem(send(`access/${id}/terms`, { endDate: null }), 422)
      await expectProblem(send(`access/${id}/renewal`, { endDate: null }), 422)
    })
  })

  describe('GET /ui/access/inbox and mine', () => {
    test('200 with the parts, newest first, in pages; each reader sees only its own', async () => {
      const own = await newWorld(newProduct(store()))
      const list = (person: PersonName, path: string): Promise<AgreementList> =>
        readJson(own.asPerson(person, 'GET', `/ui/access/${path}`))
      const product = await addProvider(own, 'a')
      const consumer = { userId: own.userIds.Um }
      const requested: string[] = []
      for (let count = 0; count < 5; count += 1) {
        requested.push(toId(await addAgreement(own, { product })))
      }
      const soon = { info: { endDate: dayAfter(3) } }
      const ending = toId(await addAgreement(own, { product, more: soon, isApproved: true }))
      const active = toId(await addAgreement(own, { product, consumer, isApproved: true }))
      const later = { info: { startDate: dayAfter(3) } }
      const upcoming = toId(await addAgreement(own, { product, more: later, isApproved: true }))
      const canceled = await addAgreement(own, {
        product,
        consumer: { teamId: 'a' },
        isApproved: true,
      })
      await expectOk(own.as('O', 'POST', `${canceled}/cancel`))

      const first = await list('Uo', 'inbox?limit=2')
      const newest = requested.toReversed()
      assert.deepEqual(ids(first), newest.slice(0, 2))
      const after = encodeURIComponent(first.next ?? '')
      const second = await list('Uo', `inbox?limit=2&after=${after}`)
      assert.deepEqual(ids(second), newest.slice(2, 4))
      assert.deepEqual(first.counts, {
        requested: 5,
        active: 2,
        expiring: 1,
        upcoming: 1,
        rejected: 0,
        ended: 1,
      })
      assert.deepEqual(ids(await list('Uo', 'inbox?state=expiring')), [ending])
      assert.deepEqual(ids(await list('Uo', 'inbox?state=upcoming')), [upcoming])
      assert.deepEqual(ids(await list('Uo', 'inbox?state=ended')), [toId(canceled)])
      // An editor decides on nothing.
      assert.deepEqual(await list('Ue', 'inbox'), {
        agreements: [],
        next: null,
        counts: { requested: 0, active: 0, expiring: 0, upcoming: 0, rejected: 0, ended: 0 },
      })
      assert.deepEqual(ids(await list('Um', 'mine')), [active])
      assert.deepEqual(ids(await list('Um', 'mine?state=ended')), [toId(canceled)])
      assert.deepEqual(ids(await list('Ue', 'mine')), [])
      assert.deepEqual((await list('Um', 'mine')).agreements[0]?.actions, ['cancel'])
    })

    test('200 for an approver of a team', async () => {
      const own = await newWorld(newProduct(store()))
      const [, member] = await readJson<{ members: { emailAddress: string }[] }>(
        own.as('O', 'GET', '/api/teams/a'),
      ).then(({ members }) => members)
      const members = [{ emailAddress: member?.emailAddress, role: 'Approver' }]
      await expectOk(own.as('O', 'PUT', '/api/teams/b', { body: { name: 'Team B', members } }))
      const id = toId(await addAgreement(own, { owner: 'b', consumer: { teamId: 'a' } }))
      await addAgreement(own, { owner: 'a' })
      const { agreements, counts } = await readJson<AgreementList>(
        own.asPerson('Um', 'GET', '/ui/access/inbox'),
      )
      assert.deepEqual([agreements.length, agreements[0]?.id, counts.requested], [1, id, 1])
      assert.deepEqual(agreements[0]?.actions, ['approve', 'reject', 'cancel', 'delete'])
    })

    test('400 for an unknown state, place or size', async () => {
      for (const query of [
        'state=x',
        'after=x',
        'after=2026-01-01T00:00:00Z',
        'limit=0',
        'limit=101',
      ]) {
        const status = query.startsWith('after=2026') ? 200 : 400
        const answer = await world.asPerson('Uo', 'GET', `/ui/access/inbox?${query}`)
        assert.equal(answer.status, status, query)
      }
    })

    test('names are null for what no longer exists', async () => {
      const team = uniqueId()
      await expectOk(world.as('O', 'PUT', `/api/teams/${team}`, { body: { name: 'Gone' } }))
      const product = await addProvider(world, 'a')
      const id = toId(await addAgreement(world, { product, consumer: { teamId: team } }))
      await expectOk(world.as('O', 'DELETE', `/api/teams/${team}`))
      await expectOk(world.as('O', 'DELETE', `/api/dataproducts/${product}`))
      const page = await get<AgreementPage>(`access/${id}/page`)
      assert.deepEqual(page.dataProduct, { id: product, name: null })
      assert.deepEqual(page.consumer, { id: team, name: null })
    })
  })

  describe('the addresses of agents', () => {
    test('access-status, request-access and evaluation follow the agreement', async () => {
      const product = await addProvider(world, 'b', { type: 'tables' })
      const headers = { 'x-internal-api': 'true' }
      const status = (): Promise<object> =>
        readJson(world.as('Um', 'GET', at(product, 'access-status'), { headers }))
      const evaluate = async (): Promise<string> => {
        const body = {
          subject: { type: 'user', id: 'current_user' },
          resource: { type: 'data_product', id: product, properties: { outputPortId: 'out' } },
          action: { name: 'query', properties: { sql: 'select 1', purpose: 'x' } },
        }
        const { decision, context } = await readJson<{
          decision: boolean
          context: { reasons: { id: string; reason_user: { en: string } }[] }
        }>(world.as('Um', 'POST', '/api/access/evaluation', { body, headers }))
        return `${decision} ${context.reasons[0]?.id}`
      }
      assert.deepEqual(await status(), {
        dataProductId: product,
        outputPortId: 'out',
        dataContractId: null,
        outputPortType: 'tables',
        canGetInstantAccess: false,
        canGetInstantAccessReason: 'The team b decides on requests.',
        accessId: null,
        accessStatus: null,
        accessLifecycleStatus: null,
        canRequestAccess: true,
        canRequestAccessReason: 'Access can be requested.',
      })
      assert.equal(await evaluate(), 'false no_agreement')
      const body = { purpose: 'Reports' }
      const path = at(product, 'request-access')
      const answer = world.as('Um', 'POST', path, { body, headers })
      const { accessId, status: state } = await readJson<{ accessId: string; status: string }>(
        answer,
      )
      assert.equal(state, 'requested')
      await expectProblem(world.as('Um', 'POST', path, { body }), 422, /requested already/)
      assert.equal(await evaluate(), 'false agreement_requested')
      const decide = (name: string): Promise<Response> =>
        expectOk(world.as('O', 'POST', `/api/access/${accessId}/${name}`))
      await decide('approve')
      assert.partialDeepStrictEqual(await status(), {
        accessId,
        accessStatus: 'approved',
        accessLifecycleStatus: 'active',
        canRequestAccess: false,
      })
      assert.equal(await evaluate(), 'true active_agreement')
      await decide('cancel')
      assert.partialDeepStrictEqual(await status(), {
        accessLifecycleStatus: 'expired',
        canRequestAccess: true,
      })
      assert.equal(await evaluate(), 'false agreement_canceled')
    })

    test('access of a team and of its data product counts for its members only', async () => {
      const [product, consumer] = [await addProvider(world, 'b'), await addProvider(world, 'a')]
      await addAgreement(world, {
        product,
        consumer: { dataProductId: consumer },
        isApproved: true,
      })
      const state = async (caller: 'Um' | 'Uo' | 'T' | 'O'): Promise<string | null> =>
        (
          await readJson<{ accessLifecycleStatus: string | null }>(
            world.as(caller, 'GET', at(product, 'access-status')),
          )
        ).accessLifecycleStatus
      assert.deepEqual(
        [await state('Um'), await state('T'), await state('Uo'), await state('O')],
        ['active', 'active', null, null],
      )
    })

    test('evaluation › denies what it does not know, 422 for other bodies', async () => {
      const product = await addProvider(world, 'a')
      const question = {
        subject: { type: 'user', id: 'current_user' },
        resource: { type: 'data_product', id: product, properties: { outputPortId: 'out' } },
        action: { name: 'query' },
      }
      for (const change of [
        { subject: { type: 'user', id: 'other' } },
        { resource: { type: 'table', id: product } },
        { resource: { ...question.resource, properties: { outputPortId: 'none' } } },
        { action: { name: 'write' } },
      ]) {
        const body = { ...question, ...change }
        const answer = world.as('O', 'POST', '/api/access/evaluation', { body })
        assert.equal((await readJson<{ decision: boolean }>(answer)).decision, false)
      }
      await expectProblem(world.as('O', 'POST', '/api/access/evaluation', { body: {} }), 422)
    })
  })
})
