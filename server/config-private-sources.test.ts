import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listProblems } from '../test/config-problems.ts'
import { readConfig } from './platform/config.ts'

for (const [host, baseUrl, expected, reason] of [
  ['127.0.0.1', undefined, 'allow', /only this machine/],
  ['127.0.0.2', undefined, 'allow', /only this machine/],
  ['::1', undefined, 'allow', /only this machine/],
  ['localhost', undefined, 'allow', /only this machine/],
  ['127.0.0.1', 'http://localhost:8080', 'allow', /only this machine/],
  ['127.0.0.1', 'http://127.0.0.1:8080/', 'allow', /only this machine/],
  ['localhost', 'http://[::1]:8080/catalog', 'allow', /only this machine/],
  ['127.0.0.1', 'https://catalog.example.com', 'deny', /BASE_URL https:\/\/catalog.example.com/],
  ['127.0.0.1', 'http://10.0.0.5', 'deny', /PORTBOOK_BASE_URL http:\/\/10.0.0.5 is not/],
  ['127.0.0.1', 'https://127.example.com', 'deny', /PORTBOOK_BASE_URL/],
  ['::1', 'https://localhost.example.com', 'deny', /PORTBOOK_BASE_URL/],
  ['0.0.0.0', undefined, 'deny', /HOST 0.0.0.0 is not a loopback address/],
  ['0.0.0.0', 'http://localhost:8080', 'deny', /HOST 0.0.0.0/],
  ['0.0.0.0', 'https://catalog.example.com', 'deny', /HOST 0.0.0.0/],
  ['::', undefined, 'deny', /HOST :: is/],
  ['10.0.0.5', undefined, 'deny', /HOST 10.0.0.5/],
  ['127.example.com', undefined, 'deny', /HOST 127.example.com/],
] as const) {
  const at = baseUrl === undefined ? host : `${host} for ${baseUrl}`
  test(`readConfig › private sources: ${expected} by default on ${at}, else as set`, () => {
    const environment = { HOST: host, ...(baseUrl && { PORTBOOK_BASE_URL: baseUrl }) }
    const config = readConfig(environment)
    assert.equal(config.privateSources, expected)
    assert.match(config.privateSourcesReason, reason)
    for (const setting of ['allow', 'deny'] as const) {
      const set = readConfig({ ...environment, PORTBOOK_PRIVATE_SOURCES: setting })
      assert.equal(set.privateSources, setting)
      assert.equal(set.privateSourcesReason, `PORTBOOK_PRIVATE_SOURCES is ${setting}`)
    }
  })
}

test('readConfig › reports every invalid entry of the private sources', () => {
  const text = 'db.internal,10.0.0.1/8,db:5432'
  const problems = listProblems({ PORTBOOK_PRIVATE_SOURCES_ALLOWED: text })
  assert.equal(problems.length, 2)
  assert.match(problems[0] ?? '', /10\.0\.0\.1\/8/)
  assert.match(problems[1] ?? '', /db:5432/)
})
