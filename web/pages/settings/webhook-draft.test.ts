import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  chooseFirstTeam,
  groupEvents,
  startWebhookDraft,
  toWebhookFields,
} from './webhook-draft.ts'

test('groupEvents › groups events by what they are about', () => {
  const groups = groupEvents([
    'DataProductCreatedEvent',
    'DataProductDeletedEvent',
    'TestResultsCreatedEvent',
    'AccessCreatedEvent',
    'AccessProvisioningFailedEvent',
  ])
  assert.deepEqual(
    groups.map(({ title, events }) => [title, events.map(({ label }) => label)]),
    [
      ['Data product', ['Created', 'Deleted']],
      ['Test results', ['Created']],
      ['Access', ['Created', 'Provisioning failed']],
    ],
  )
})

test('chooseFirstTeam › prefers the team of the address, if the person may choose it', () => {
  const owner = { isOwner: true, managed: [] }
  const editor = { isOwner: false, managed: ['b', 'a'] }
  assert.equal(chooseFirstTeam('a', owner), 'a')
  assert.equal(chooseFirstTeam('', owner), '')
  assert.equal(chooseFirstTeam('a', editor), 'a')
  assert.equal(chooseFirstTeam('', editor), 'b')
  assert.equal(chooseFirstTeam('other', editor), 'b')
})

test('toWebhookFields › sends no chosen events if all are sent, and no filter of a team', () => {
  const draft = { ...startWebhookDraft(undefined, ''), name: 'N', url: ' https://x.test ' }
  const chosen = { ...draft, eventTypes: ['TeamCreatedEvent'], filterTeamId: 'a' }
  assert.deepEqual(toWebhookFields(chosen), {
    name: 'N',
    url: 'https://x.test',
    filterTeamId: 'a',
    eventTypes: [],
  })
  const ofTeam = toWebhookFields({ ...chosen, sendsAll: false, teamId: 'b' })
  assert.deepEqual(ofTeam.eventTypes, ['TeamCreatedEvent'])
  assert.equal(ofTeam.filterTeamId, null)
})
