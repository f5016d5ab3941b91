import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getOrigin, proposeChannelId, type Channel } from './channel-draft.ts'

function newChannel(id: string): Channel {
  return { id, name: id, type: 'slack', endpoint: 'https://hooks.example/x', enabled: true }
}

test('proposeChannelId › makes an id of the name that no other channel has', () => {
  assert.equal(proposeChannelId('#Night Shift', []), 'night-shift')
  assert.equal(proposeChannelId('#Night Shift', [newChannel('night-shift')]), 'night-shift-2')
  const existing = ['channel', 'channel-2'].map(newChannel)
  assert.equal(proposeChannelId('!!', existing), 'channel-3')
})

test('getOrigin › leaves out the path of an address', () => {
  assert.equal(getOrigin('https://hooks.example/services/secret?x=1'), 'https://hooks.example')
  assert.equal(getOrigin('no address'), 'no address')
})
