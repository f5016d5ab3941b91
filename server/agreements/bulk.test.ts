import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { listEntries } from '../../test/activity.ts'
import { addAgreement, addProvider } from '../../test/agreements.ts'
import { expectProblem, readJson } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { newProduct, newWorld, type PersonName, type World } from '../../test/world.ts'
import { fixedClock } from '../platform/kit/clock.ts'
import { PURPOSE_CHARACTERS_MAX } from '../../formats/agreement/agreement.ts'
import type { AgreementDetails, AccessOutcome } from './ui-schema.ts'

const NOW = '2026-10-01T12:00:00Z'
const AUTOMATIC = { customProperties: [{ property: 'autoApprove', value: true }] }

const toId = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const toStates = (outcomes: readonly AccessOutcome[]) =>
  outcomes.map(({ state, problem }) => state ?? problem?.code)

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store(), { clock: fixedClock(NOW) }))
  })

  const post = (person: PersonName, path: string, body: object): Promise<Response> =>
    world.asPerson(person, 'POST', path, { body })
  const request = (person: PersonName, body: object): Promise<AccessOutcome[]> =>
    readJson<AccessOutcome[]>(post(person, '/ui/access-requests', body))
  const decide = (person: PersonName, body: object): Promise<AccessOutcome[]> =>
    readJson<AccessOutcome[]>(post(person, '/ui/access-decisions', body))
  const getDetails = (id: string | null): Promise<AgreementDetails> =>
    readJson<AgreementDetails>(world.asPerson('Uo', 'GET', `/ui/access/${id}`))
  describe('POST /ui/access-requests', () => {
    test('200: each port becomes an agreement, and one with autoApprove is active at once', async () => {
      const usual = await addProvider(world, 'a')
      const automatic = await addProvider(world, 'a', AUTOMATIC)
      const outcomes = await request('Um', {
        ports: [
          { productId: usual, port: 'out', roles: ['reader'] },
          { productId: automatic, port: 'out' },
          { productId: 'unknown', port: 'out' },
        ],
        consumer: { userId: world.userIds.Um },
        purpose: 'Reports',
        endDate: '2027-01-01',
      })
      assert.deepEqual(toStates(outcomes), ['requested', 'active', 'document_invalid'])
      const [requested, granted] = outcomes
      const { roles, endOn, purpose } = await getDetails(requested?.id ?? '')
      assert.deepEqual([roles, endOn, purpose], [['reader'], '2027-01-01', 'Reports'])
      const { status, decidedByName, decisionReason } = await getDetails(granted?.id ?? '')
      assert.deepEqual(
        [status, decidedByName, decisionReason],
        ['approved', 'Portbook', 'The output port grants access at once.'],
      )
    })

    test('200: a port with its own purpose keeps it, and the others have that of all', async () => {
      const [own, shared] = [await addProvider(world, 'a'), await addProvider(world, 'a')]
      const ports = [
        { productId: own, port: 'out', purpose: ' Bills ' },
        { productId: shared, port: 'out' },
      ]
      const consumer = { userId: world.userIds.Um }
      const outcomes = await request('Um', { ports, consumer, purpose: 'Reports' })
      const purposes = await Promise.all(
        outcomes.map(async ({ id }) => (await getDetails(id)).purpose),
      )
      assert.deepEqual(purposes, ['Bills', 'Reports'])
      const last = { productId: await addProvider(world, 'a'), port: 'out', purpose: 'Bills' }
      const [only] = await request('Um', { ports: [last], consumer })
      assert.equal((await getDetails(only?.id ?? null)).purpose, 'Bills')
    })

    test('200: access that begins later is upcoming, also where it is granted at once', async () => {
      const productId = await addProvider(world, 'a', AUTOMATIC)
      const outcomes = await request('Um', {
        ports: [{ productId, port: 'out' }],
        consumer: { teamId: 'a' },
        purpose: 'Reports',
        startDate: '2026-11-01',
      })
      assert.deepEqual(toStates(outcomes), ['upcoming'])
    })

    test('200: one renewal from the end of the access on, and a repeated one is rejected', async () => {
      for (const [port, expected] of [
        [{}, 'requested'],
        [AUTOMATIC, 'upcoming'],
      ] as const) {
        const productId = await addProvider(world, 'a', port)
        const form = {
          ports: [{ productId, port: 'out' }],
          consumer: { teamId: 'a' },
          purpose: 'Reports',
        }
        const [first] = await request('Um', { ...form, endDate: '2027-01-01' })
        if (first?.state === 'requested') {
          await decide('Uo', { ids: [first.id], decision: 'approve' })
        }
        for (const [startDate, state] of [
          ['2026-12-31', 'validation_failed'],
          ['2027-01-01', expected],
          ['2027-01-01', 'validation_failed'],
          ['2028-01-01', 'validation_failed'],
        ] as const) {
          assert.deepEqual(toStates(await request('Um', { ...form, startDate })), [state])
        }
      }
    })

    test('200: access until the first day of later access, and not a day longer', async () => {
      const productId = await addProvider(world, 'a', AUTOMATIC)
      const form = {
        ports: [{ productId, port: 'out' }],
        consumer: { teamId: 'a' },
        purpose: 'Reports',
      }
      const later = await request('Um', { ...form, startDate: '2027-01-01' })
      assert.deepEqual(toStates(later), ['upcoming'])
      for (const [endDate, state] of [
        ['2027-01-02', 'validation_failed'],
        ['2027-01-01', 'active'],
      ] as const) {
        assert.deepEqual(toStates(await request('Um', { ...form, endDate })), [state])
      }
    })

    test('200 with permission_missing for another person or team', async () => {
      const productId = await addProvider(world, 'b')
      for (const consumer of [{ userId: world.userIds.Uo }, { teamId: 'b' }]) {
        const ports = [{ productId, port: 'out' }]
        const outcomes = await request('Um', { ports, consumer, purpose: 'Reports' })
        assert.deepEqual(toStates(outcomes), ['permission_missing'])
      }
    })

    test('422: no port, no purpose, a long one, and an end before the start', async () => {
      const form = {
        ports: [{ productId: 'p', port: 'out' }],
        consumer: { teamId: 'a' },
        purpose: 'Reports',
      }
      for (const wrong of [
        { ports: [] },
        { purpose: ' ' },
        { purpose: undefined },
        { ports: [{ productId: 'p', port: 'out', purpose: ' ' }] },
        {
          ports: [{ productId: 'q', port: 'out', purpose: 'P' }, form.ports[0]],
          purpose: undefined,
        },
        { purpose: 'x'.repeat(PURPOSE_CHARACTERS_MAX + 1) },
        { startDate: '2026-11-02', endDate: '2026-11-01' },
        { endDate: '2026-02-30' },
        { consumer: {} },
      ]) {
        await expectProblem(post('Um', '/ui/access-requests', { ...form, ...wrong }), 422)
      }
    })
  })

  describe('POST /ui/access-decisions', () => {
    test('200: several are approved with changed dates and roles, and a reason', async () => {
      const ids = [toId(await addAgreement(world)), toId(await addAgreement(world))]
      const outcomes = await decide('Uo', {
        ids: [...ids, 'unknown'],
        decision: 'approve',
        reason: 'Until the audit.',
        terms: { endDate: '2026-12-31', roles: ['analyst'] },
      })
      assert.deepEqual(toStates(outcomes), ['active', 'active', 'not_found'])
      for (const id of ids) {
        const { endOn, roles, decisionReason } = await getDetails(id)
        assert.deepEqual(
          [endOn, roles, decisionReason],
          ['2026-12-31', ['analyst'], 'Until the audit.'],
        )
        const entries = await listEntries(world, 'access')
        const approved = entries.find((one) => one.subject === id && one.action === 'approved')
        assert.partialDeepStrictEqual(approved?.details, {
          before: { state: 'requested', endOn: null },
          after: { state: 'active', endOn: '2026-12-31', roles: ['analyst'] },
          reason: 'Until the audit.',
        })
      }
    })

    test('200 with precondition_failed for a request that was changed since it was seen', async () => {
      const path = await addAgreement(world)
      const id = toId(path)
      const { version } = await getDetails(id)
      const sent = await readJson<object>(world.as('O', 'GET', path))
      await readJson(world.as('O', 'PUT', path, { body: { ...sent, roles: ['admin'] } }))
      const decision = { ids: [id], decision: 'approve' }
      const seen = await decide('Uo', { ...decision, versions: [version] })
      assert.deepEqual(toStates(seen), ['precondition_failed'])
      const current = (await getDetails(id)).version
      assert.deepEqual(toStates(await decide('Uo', { ...decision, versions: [current] })), [
        'active',
      ])
      await expectProblem(post('Uo', '/ui/access-decisions', { ...decision, versions: [] }), 422)
    })

    test('200: rejected and canceled with a reason; permission_missing for an Editor', async () => {
      const id = toId(await addAgreement(world))
      const decision = { ids: [id], reason: 'No need to know.' }
      const refused = await decide('Ue', { ...decision, decision: 'reject' })
      assert.deepEqual(toStates(refused), ['permission_missing'])
      assert.deepEqual(toStates(await decide('Uo', { ...decision, decision: 'reject' })), [
        'rejected',
      ])
      assert.equal((await getDetails(id)).decisionReason, 'No need to know.')
      const active = toId(await addAgreement(world, { isApproved: true }))
      const ended = await decide('Uo', { ids: [active], decision: 'cancel', reason: '' })
      assert.deepEqual(toStates(ended), ['canceled'])
    })

    test('200: the reason of a cancellation and that of the approval are both kept', async () => {
      const id = toId(await addAgreement(world))
      await decide('Uo', { ids: [id], decision: 'approve', reason: 'Until the audit.' })
      assert.equal((await getDetails(id)).endReason, null)
      await decide('Uo', { ids: [id], decision: 'cancel', reason: 'The audit is over.' })
      const { decisionReason, endReason } = await getDetails(id)
      assert.deepEqual([decisionReason, endReason], ['Until the audit.', 'The audit is over.'])
      const entries = await listEntries(world, 'access')
      const reasons = entries
        .filter(
          ({ subject, action }) => subject === id && ['approved', 'canceled'].includes(action),
        )
        .map(({ details }) => details)
      assert.partialDeepStrictEqual(reasons, [
        { reason: 'Until the audit.' },
        { reason: 'The audit is over.' },
      ])
    })

    test('422: an unknown decision, and a reason that is too long', async () => {
      for (const body of [
        { ids: ['a'], decision: 'ignore' },
        { ids: [], decision: 'reject' },
        { ids: ['a'], decision: 'reject', reason: 'x'.repeat(2001) },
      ]) {
        await expectProblem(post('Uo', '/ui/access-decisions', body), 422)
      }
    })
  })

  const put = (person: PersonName, id: string, body: object): Promise<Response> =>
    world.asPerson(person, 'PUT', `/ui/access/${id}/terms`, { body })

  describe('PUT /ui/access/{id}/terms', () => {
    test('200: renews an agreement, and sets and removes its reassessment', async () => {
      const more = { info: { endDate: '2026-10-10' } }
      const id = toId(await addAgreement(world, { more, isApproved: true }))
      await readJson(put('Uo', id, { endDate: '2027-10-10', reassessmentDate: '2027-01-01' }))
      const renewed = await getDetails(id)
      assert.deepEqual([renewed.endOn, renewed.reassessOn], ['2027-10-10', '2027-01-01'])
      await readJson(put('Ue', id, { reassessmentDate: null }))
      assert.equal((await getDetails(id)).reassessOn, null)
    })

    test('403 for dates without ACCESS_APPROVE, 404, and 422 for one that has ended', async () => {
      const id = toId(await addAgreement(world, { isApproved: true }))
      await expectProblem(put('Ue', id, { endDate: '2027-10-10' }), 403)
      await expectProblem(put('Um', id, { reassessmentDate: '2027-10-10' }), 403)
      await expectProblem(put('Uo', 'unknown', {}), 404)
      await expectProblem(put('Uo', id, { startDate: '2026-12-01', endDate: '2026-11-01' }), 422)
      await decide('Uo', { ids: [id], decision: 'cancel' })
      await expectProblem(put('Uo', id, { reassessmentDate: '2027-10-10' }), 422)
    })
  })
})
