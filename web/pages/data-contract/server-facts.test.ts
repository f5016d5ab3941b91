import assert from 'node:assert/strict'
import test from 'node:test'
import type { Value } from '../../../formats/text/value.ts'
import { NOT_SHOWN, serverFacts } from './server-facts.ts'

const getFacts = (properties: { [name: string]: Value }) =>
  Object.fromEntries(serverFacts({ name: 'production', properties, origin: '/servers/0' }))

test('serverFacts › lists the location of the data, without what the panel already shows', () => {
  const facts = getFacts({ server: 'p', type: 's3', host: 'db.example', port: 5432 })
  assert.deepEqual(facts, { host: 'db.example', port: 5432 })
})

test('serverFacts › shows no secret at any place', () => {
  const facts = getFacts({
    password: 'canary',
    accessKeyId: 'canary',
    sasl: { mechanism: 'PLAIN', clientSecret: 'canary' },
    location: 'postgres://user:canary@db.example/x',
    customProperties: [
      { property: 'apiKey', value: 'canary' },
      { property: 'region', value: 'eu' },
    ],
  })
  assert.equal(JSON.stringify(facts).includes('canary'), false)
  assert.equal(facts['password'], NOT_SHOWN)
  assert.equal(facts['location'], 'postgres://…@db.example/x')
  assert.equal(JSON.stringify(facts['customProperties']).includes('"eu"'), true)
})

test('serverFacts › flags about secrets are none', () => {
  assert.deepEqual(getFacts({ passwordless: true, requirePassword: true }), {
    passwordless: true,
    requirePassword: true,
  })
})
