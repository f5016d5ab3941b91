import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Schemas } from '../../api/client.ts'
import { startKeyDraft } from './key-draft.ts'

const NOW_MS = Date.parse('2027-03-10T09:00:00Z')

const key: Schemas['UiApiKey'] = {
  organizationApiKeyId: '019a',
  displayName: 'Nightly deploy',
  secretPrefix: 'pbk_3fKq',
  scope: 'team',
  permissions: [],
  isLimited: false,
  teamId: 'fleet',
  teamName: 'Wagon Fleet',
  personName: null,
  createdAt: '2026-12-01T10:00:00.000Z',
  createdBy: 'Ada',
  lastUsedAt: null,
  expiresAt: '2027-03-01',
  expired: true,
  isMine: false,
  mayDelete: true,
}

test('a replacement starts with scope, team, name and lifetime of the old key', () => {
  assert.deepEqual(startKeyDraft(key, NOW_MS), {
    scope: 'team',
    teamId: 'fleet',
    displayName: 'Nightly deploy',
    expiresAt: '2027-06-08',
    isLimited: false,
    permissions: [],
  })
})

test('a replacement of a key that never expires does not expire either', () => {
  assert.equal(startKeyDraft({ ...key, expiresAt: null }, NOW_MS).expiresAt, '')
})

test('a replacement of a key that lived for less than a day works until tomorrow', () => {
  const short = { ...key, expiresAt: '2026-12-01' }
  assert.equal(startKeyDraft(short, NOW_MS).expiresAt, '2027-03-11')
})

test('a key like no other starts empty and read-only', () => {
  assert.deepEqual(startKeyDraft(undefined, NOW_MS), {
    scope: 'user_read',
    teamId: '',
    displayName: '',
    expiresAt: '',
    isLimited: false,
    permissions: [],
  })
})

test('a replacement has the permissions of the old key, also if it only reads', () => {
  const limited = { ...key, isLimited: true, permissions: ['ASSET_EDIT', 'ASSET_ADD', 'OF_LATER'] }
  assert.partialDeepStrictEqual(startKeyDraft(limited, NOW_MS), {
    isLimited: true,
    permissions: ['ASSET_ADD', 'ASSET_EDIT'],
  })
  const reading = startKeyDraft({ ...key, isLimited: true, permissions: [] }, NOW_MS)
  assert.partialDeepStrictEqual(reading, { isLimited: true, permissions: [] })
  const scoped = { ...key, scope: 'team_read', isLimited: true } as const
  assert.equal(startKeyDraft(scoped, NOW_MS).isLimited, false)
})
