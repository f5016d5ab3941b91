import assert from 'node:assert/strict'
import test from 'node:test'
import {
  describeAction,
  describeChange,
  describeDetails,
  describeTallies,
} from './activity-words.ts'

const tally = (kind: string, action: string, count: number) => ({ kind, action, count })

test('describeTallies › counts what an actor did in a minute', () => {
  const expected = [
    [[tally('team', 'created', 200)], 'created 200 teams'],
    [[tally('data-product', 'created', 1200)], 'created 1,200 data products'],
    [
      [tally('team', 'created', 2), tally('data-contract', 'updated', 1)],
      'created 2 teams and updated 1 data contract',
    ],
    [[tally('team', 'created', 3), tally('asset', 'created', 2)], 'created 3 teams and 2 assets'],
    [[tally('access', 'some-event', 2)], 'some event 2 access agreements'],
    [[tally('ingestion-run', 'ingested', 1)], 'ran 1 ingestion'],
    [
      [
        tally('team', 'created', 9),
        tally('asset', 'deleted', 8),
        tally('data-product', 'updated', 7),
        tally('data-contract', 'updated', 6),
        tally('team', 'updated', 5),
      ],
      'created 9 teams, deleted 8 assets, updated 7 data products, and 11 more changes',
    ],
  ] as const
  for (const [tallies, words] of expected) assert.equal(describeTallies(tallies), words)
})

test('describeChange › has plain words for members, keys, accounts and runs', () => {
  const expected = [
    ['member', 'role-changed', 'changed the role of the member'],
    ['account', 'sign-in-failed', 'rejected a sign-in to the account'],
    ['api-key', 'created', 'created the API key'],
    ['integration', 'credentials-set', 'set credentials of the integration'],
    ['ingestion-run', 'undone', 'undid the ingestion'],
    ['ingestion-attempt', 'failed', 'failed to run the integration'],
    ['access', 'approved', 'approved the access agreement'],
    ['access', 'canceled', 'ended the access agreement'],
    ['access', 'reassessment-due', 'reminded to review the access agreement'],
    ['access', 'deprovisioning-failed', 'failed to revoke the access agreement'],
    ['access', 'provisioning-failed', 'failed to provision the access agreement'],
  ] as const
  for (const [kind, action, words] of expected) {
    assert.equal(describeChange({ kind, action, version: null }), words)
  }
  const removed = { kind: 'member', action: 'role-changed', version: null }
  assert.equal(describeAction(removed), 'member role changed')
  const ended = { kind: 'access', action: 'canceled', version: null }
  assert.equal(describeAction(ended), 'access agreement ended')
})

test('describeChange, describeAction › name what an action of the identity kinds is about', () => {
  const expected = [
    ['identity-provider', 'created', 'created the sign-in provider', 'sign-in provider created'],
    [
      'identity-provider',
      'linked',
      'linked a sign-in provider to the account',
      'account linked to a sign-in provider',
    ],
    ['sign-in-rule', 'updated', 'updated the settings', 'settings updated'],
    ['sign-in-rule', 'domain-verified', 'verified the mail domain', 'mail domain verified'],
    [
      'sign-in-rule',
      'break-glass-used',
      'used the break-glass access of the owner',
      'owner signed in with break-glass access',
    ],
    ['directory', 'suspended', 'suspended the member', 'member suspended'],
    ['directory', 'group-deleted', 'deleted the directory group', 'directory group deleted'],
  ] as const
  for (const [kind, action, sentence, line] of expected) {
    const change = { kind, action, version: null }
    assert.equal(describeChange(change), sentence)
    assert.equal(describeAction(change), line)
  }
  const tallies = [tally('directory', 'provisioned', 30), tally('directory', 'group-updated', 2)]
  assert.equal(describeTallies(tallies), 'provisioned 30 members and updated 2 directory groups')
})

test('describeDetails › shows what a change has set, and the names of changed fields', () => {
  const role = { before: { role: 'Member' }, after: { role: 'Owner' } }
  assert.equal(describeDetails(role), 'role: Member → Owner')
  const same = { before: { name: 'x', on: true }, after: { name: 'x', on: true }, fields: ['host'] }
  assert.equal(describeDetails(same), 'fields: host')
  const many = { before: {}, after: { a: 1, b: 2, c: [3], d: 'x'.repeat(99) } }
  assert.equal(describeDetails(many), 'a: – → 1; b: – → 2; c: – → [3]; 1 more')
  assert.equal(describeDetails({ before: 'text', after: null, fields: 7 }), '')
  assert.equal(describeDetails(null), '')
  const decided = { ...role, reason: 'As agreed with Ada.', consumer: 'b' }
  assert.equal(describeDetails(decided), 'role: Member → Owner; reason: As agreed with Ada.')
  assert.equal(
    describeDetails({ ...many, reason: 'y' })
      .split('; ')
      .at(-1),
    'reason: y',
  )
  assert.equal(describeDetails({ reason: { text: 'x' } }), '')
})

test('describeChange and describeAction › name the kind and what happened to it', () => {
  const change = { kind: 'data-product', action: 'updated', version: 3 }
  assert.equal(describeChange(change), 'updated the data product')
  assert.equal(describeAction(change), 'data product updated to version 3')
  assert.equal(describeAction({ ...change, action: 'deleted' }), 'data product deleted')
  const run = { kind: 'ingestion-run', action: 'ingested', version: null }
  assert.equal(describeChange(run), 'ran an ingestion of')
})
