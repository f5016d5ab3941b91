import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeSignInAgain } from './sign-in-again-words.ts'

function newPerson(role: 'Owner' | 'Member', managedBy: string | null = null) {
  return {
    user: { id: 'u', name: 'Juno', email: 'j@x.example', managedBy },
    organization: { id: 'o', name: 'Velmora', vanityUrl: 'velmora', role, providerRequired: false },
  }
}

function newOptions(password: boolean, ...names: string[]) {
  return { password, providers: names.map((name) => ({ id: name, name, organizationName: 'V' })) }
}

test('describeSignInAgain › names the providers that an organization requires, and takes no password', () => {
  for (const [names, expected] of [
    [['Entra ID'], 'Entra ID'],
    [['Entra ID', 'Okta'], 'Entra ID or Okta'],
    [[], 'its identity provider'],
  ] as const) {
    const words = describeSignInAgain(
      'provider-required',
      newPerson('Owner'),
      newOptions(false, ...names),
    )
    assert.equal(words.title, `This organization requires signing in with ${expected}`)
    assert.equal(words.hasPassword, false)
  }
})

test('describeSignInAgain › takes a password of an ended session unless it cannot work', () => {
  const takes = (...given: [ReturnType<typeof newPerson>, ReturnType<typeof newOptions>?]) =>
    describeSignInAgain('ended', given[0], given[1]).hasPassword
  assert.equal(takes(newPerson('Member')), true, 'the options are not loaded')
  assert.equal(takes(newPerson('Member'), newOptions(true, 'Okta')), true)
  assert.equal(takes(newPerson('Member'), newOptions(false, 'Okta')), false)
  assert.equal(takes(newPerson('Owner'), newOptions(false, 'Okta')), true, 'break-glass access')
  assert.equal(takes(newPerson('Owner', 'Velmora'), newOptions(true, 'Okta')), false)
  assert.equal(takes(newPerson('Member'), newOptions(true)), true)
})
