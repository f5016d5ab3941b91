import assert from 'node:assert/strict'
import test from 'node:test'
import { describeNextStep, type OpenQuestion } from './next-step.ts'

const TODAY = '2026-10-01'
const REQUEST: OpenQuestion = {
  state: 'requested',
  status: 'requested',
  startOn: null,
  endOn: null,
  reassessOn: null,
  portName: 'Positions',
  isDecider: false,
  isOwnRequest: false,
  deciders: ['Ada', 'Ben'],
  decidedByName: null,
  decisionReason: null,
  history: [],
}
const ACTIVE: OpenQuestion = { ...REQUEST, state: 'active', status: 'approved', deciders: [] }
const CONSUMER = { isConsumer: true, isApprover: false }
const APPROVER = { isConsumer: false, isApprover: true }
const BYSTANDER = { isConsumer: false, isApprover: false }

const describe = (agreement: OpenQuestion, side = CONSUMER): string => {
  const { title, text } = describeNextStep(agreement, side, TODAY)
  return `${title}. ${text}`
}

test('describeNextStep › a request names who decides', () => {
  assert.match(describe(REQUEST), /^Ada or Ben decides on this request\. /)
  assert.match(describe({ ...REQUEST, deciders: [] }), /^An approver of the owning team decides/)
  const decided = { ...REQUEST, isDecider: true, deciders: ['Ben'] }
  assert.match(describe(decided, APPROVER), /^You decide on this request\. Ben can decide, too\./)
})

test('describeNextStep › an approver sees why the own request waits for another person', () => {
  const own = { ...REQUEST, isOwnRequest: true, deciders: ['Ben'] }
  assert.match(
    describe(own, { isConsumer: true, isApprover: true }),
    /^Ben decides on this request\. It is your own request/,
  )
  assert.doesNotMatch(describe(own), /your own request/)
})

test('describeNextStep › a request for a port that is gone cannot be approved', () => {
  const gone = { ...REQUEST, portName: null, isDecider: true }
  assert.match(describe(gone, APPROVER), /no longer exists\. .* Reject it/)
  assert.match(describe(gone), /no longer exists\. .* Withdraw it/)
})

test('describeNextStep › active access names its last day, and who renews it before', () => {
  assert.match(describe(ACTIVE), /^You have access\. It has no last day/)
  const later = { ...ACTIVE, endOn: '2027-01-01', reassessOn: '2026-11-01' }
  assert.match(
    describe(later, APPROVER),
    /^The consumer has access\. The last day is 31 Dec 2026\./,
  )
  assert.match(describe(later), /checks on 1 Nov 2026/)
  const soon = { ...ACTIVE, endOn: '2026-10-11' }
  assert.match(describe(soon), /^Access ends in 10 days\. The last day is 10 Oct 2026\. Request/)
  assert.match(describe(soon, APPROVER), /Renew it/)
  assert.equal(describe(soon, BYSTANDER), 'Access ends in 10 days. The last day is 10 Oct 2026.')
  assert.match(describe({ ...ACTIVE, endOn: '2026-10-02' }), /^Access ends today\./)
})

test('describeNextStep › each end names the next step', () => {
  const rejected = { ...REQUEST, state: 'rejected', status: 'rejected' } as const
  const ofAda = { ...rejected, decidedByName: 'Ada', decisionReason: 'Too broad.' }
  assert.match(describe(ofAda), /^Ada rejected .* Change what .* request it again/)
  assert.match(describe(rejected), /^The owning team rejected .* No reason .* request it again/)
  const expired = { ...ACTIVE, state: 'expired', endOn: '2026-09-01' } as const
  assert.match(describe(expired), /^Access ended after 31 Aug 2026\. Request it again/)
  const canceled = { ...ACTIVE, state: 'canceled' } as const
  assert.match(describe(canceled), /^The access was ended\. Request it again/)
  const history = [{ version: 3, at: '2026-10-01T00:00:00Z', state: 'canceled', byName: 'Jonas' }]
  assert.match(describe({ ...canceled, history }), /^Jonas ended the access\./)
  const withdrawn = { ...REQUEST, state: 'canceled' } as const
  assert.match(describe(withdrawn), /^The request was withdrawn\. Request it again/)
  assert.match(describe({ ...withdrawn, history }), /^Jonas withdrew the request\./)
  assert.match(describe(withdrawn, APPROVER), /The consumer can request access again/)
})

test('describeNextStep › access that begins later names the day', () => {
  const upcoming = { ...ACTIVE, state: 'upcoming', startOn: '2026-11-02' } as const
  assert.match(describe(upcoming), /^Access begins on 2 Nov 2026\./)
})
