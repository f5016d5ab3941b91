import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeAccountLock } from './account-lock.ts'

function newSession(managedBy: string | null, mayChangeAccount: boolean) {
  return {
    user: { id: 'u', name: 'Juno', email: 'j@x.example', managedBy },
    organization: {
      id: 'o',
      name: 'Velmora',
      vanityUrl: 'velmora',
      role: 'Member' as const,
      providerRequired: false,
    },
    mayChangeAccount,
  }
}

test('describeAccountLock › returns nothing where the server accepts a new name and a new password', () => {
  assert.equal(describeAccountLock(newSession(null, true)), undefined)
})

test('describeAccountLock › names the organization that manages the account', () => {
  for (const mayChangeAccount of [true, false]) {
    assert.match(
      describeAccountLock(newSession('Northwind', mayChangeAccount)) ?? '',
      /^Northwind manages this account: /,
    )
  }
})

test('describeAccountLock › names the provider of a session that may not change the account', () => {
  assert.match(
    describeAccountLock(newSession(null, false)) ?? '',
    /identity provider of Velmora.* sign in with your password\.$/,
  )
})
