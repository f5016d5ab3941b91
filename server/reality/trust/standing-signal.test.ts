import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judgeIncidents, judgePortStanding, judgeStanding } from './standing-signal.ts'

const GOLD = { name: 'Gold', url: '/certifications/gold' }
const SILVER = { name: 'Silver', url: '/certifications/silver' }
const ANNOUNCED = { version: 3, on: '2026-05-01', orBefore: false }

describe('judgeStanding', () => {
  test('certified › names the certifications and leads to the highest', () => {
    assert.deepEqual(
      judgeStanding({ status: 'active', announced: null, certifications: [GOLD, SILVER] }),
      {
        state: 'positive',
        word: 'Certified',
        since: null,
        reason: 'Gold, Silver',
        url: '/certifications/gold',
      },
    )
  })

  test('without a certification › is neutral', () => {
    const { state, word } = judgeStanding({ status: null, announced: null, certifications: [] })
    assert.deepEqual([state, word], ['neutral', 'Not certified'])
  })

  test('deprecated › counts more than certified', () => {
    const facts = { status: 'deprecated', announced: ANNOUNCED, certifications: [GOLD] }
    assert.deepEqual(judgeStanding(facts), {
      state: 'caution',
      word: 'Deprecated',
      since: '2026-05-01T00:00:00Z',
      reason: 'Deprecated since version 3.',
      url: null,
    })
  })

  test('every status that ends something › is Deprecated, with its own word as the reason', () => {
    for (const status of ['Retired', 'end of life', 'sunset', 'archived']) {
      const { word, reason } = judgeStanding({ status, announced: null, certifications: [] })
      assert.deepEqual([word, reason], ['Deprecated', `Its status is "${status}".`])
    }
    const earlier = { ...ANNOUNCED, orBefore: true }
    const facts = { status: 'retired', announced: earlier, certifications: [] }
    assert.equal(judgeStanding(facts).reason, 'Its status is "retired" since version 3 or before.')
  })

  test('other statuses › are not deprecated', () => {
    for (const status of ['active', 'draft', 'in development', 'undeprecated']) {
      assert.equal(
        judgeStanding({ status, announced: null, certifications: [] }).word,
        'Not certified',
      )
    }
  })
})

describe('judgePortStanding', () => {
  const facts = { status: 'active', announced: null, certifications: [GOLD] }
  const certified = judgeStanding(facts)
  const retired = judgeStanding({ ...facts, status: 'retired' })

  test('is that of the data product', () => {
    const statuses = { portStatus: 'active', contractStatus: null }
    assert.deepEqual(judgePortStanding(certified, statuses), certified)
    assert.deepEqual(judgePortStanding(retired, statuses), retired)
  })

  test('a deprecated port, then its deprecated contract › counts more', () => {
    const [port, contract] = ['deprecated', 'retired'].map((status) =>
      judgePortStanding(certified, {
        portStatus: status === 'deprecated' ? status : null,
        contractStatus: 'retired',
      }),
    )
    assert.deepEqual([port?.word, port?.reason], ['Deprecated', 'Deprecated.'])
    assert.deepEqual(
      [contract?.word, contract?.reason],
      ['Deprecated', 'Its data contract is deprecated.'],
    )
  })
})

const toUrl = (id: string) => `/data-contracts/${id}`

describe('judgeIncidents', () => {
  const certified = judgeStanding({ status: null, announced: null, certifications: [GOLD] })
  const open = {
    contractId: 'orders',
    kind: 'drift',
    server: 'prod',
    openedAt: '2026-06-02T00:00:00.000000Z',
    acknowledgedAt: null,
  } as const
  const older = {
    ...open,
    kind: 'test',
    server: '',
    openedAt: '2026-06-01T00:00:00.000000Z',
  } as const
  const acknowledged = { ...older, acknowledgedAt: '2026-06-03T00:00:00.000000Z' }

  test('an open incident › is critical with any standing', () => {
    assert.deepEqual(judgeIncidents(certified, [open], toUrl), {
      state: 'critical',
      word: 'Open incident',
      since: open.openedAt,
      reason: 'Tables differ from the contract on server prod.',
      url: '/data-contracts/orders',
    })
  })

  test('the oldest that is not acknowledged decides, and all are counted', () => {
    const { word, reason, since } = judgeIncidents(certified, [open, acknowledged], toUrl)
    assert.deepEqual([word, since], ['Open incident', open.openedAt])
    assert.match(reason, / 2 incidents are open\.$/)
    assert.equal(judgeIncidents(certified, [open, older], toUrl).since, older.openedAt)
  })

  test('an acknowledged incident › is caution', () => {
    const { word, state, reason } = judgeIncidents(certified, [acknowledged], toUrl)
    assert.deepEqual([word, state, reason], ['Acknowledged incident', 'caution', 'Tests fail.'])
  })

  test('without an incident › is the standing', () => {
    assert.deepEqual(judgeIncidents(certified, [], toUrl), certified)
  })
})
