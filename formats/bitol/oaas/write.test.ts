import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { mutations } from '../../../test/document-mutations.ts'
import { FULL, FULL_MEMBERS, MEMBERS, MINIMAL, parseOaas, readValid } from '../../../test/oaas.ts'
import { readText } from '../../text/text.ts'
import { jsonText } from '../../text/value.ts'
import { yamlText } from '../../text/yaml-write.ts'
import { convertOaas, readOaas } from './read.ts'
import { updateOaas } from './update.ts'
import { writeOaas } from './write.ts'

for (const [name, document, members] of [
  ['minimal', MINIMAL, MEMBERS],
  ['every field', FULL, FULL_MEMBERS],
] as const) {
  test(`OAAS › ${name}: what is read is written with equal values`, () => {
    const { document: written, losses } = writeOaas(readValid(document).value, members)
    assert.deepEqual(written, document)
    assert.deepEqual(losses, [])
    assert.deepEqual(readValid(written).value, readValid(document).value)
  })

  test(`OAAS › ${name}: a text that agrees with the catalog stays byte for byte`, () => {
    const yaml = `# A grant.\n${yamlText(document)}# The end.\n`
    const json = `\uFEFF${JSON.stringify(document, undefined, 3)}\n`
    for (const [text, mediaType] of [
      [yaml, 'application/yaml'],
      [json, 'application/json'],
    ] as const) {
      const source = readText(text, mediaType)
      assert.ok(source.ok)
      assert.deepEqual(updateOaas(source, members), { text, isInPlace: true })
    }
  })
}

test('OAAS › states without a word: canceled before and after the approval', () => {
  const { value } = readValid(MINIMAL)
  const state = [{ property: 'portbook.state', value: 'canceled' }]
  for (const [status, expected] of [
    ['requested', 'rejected'],
    ['approved', 'approved'],
  ] as const) {
    const members = { ...MEMBERS, status, isCanceled: true }
    const { document } = writeOaas(value, members)
    assert.deepEqual([document['status'], document['customProperties']], [expected, state])
    // The property is the catalog's: reading does not keep it.
    assert.deepEqual(readValid(document).value, value)
    const { source } = parseOaas(document)
    assert.equal(updateOaas(source, members).text, source.text)
    const resumed = updateOaas(source, MEMBERS).text
    assert.deepEqual(JSON.parse(resumed), MINIMAL)
  }
})

test('OAAS › placeholders and null of other catalogs are not written', () => {
  const sent = {
    info: { purpose: 'Reports', note: null },
    provider: { dataProductId: 'p', outputPortId: 'o' },
    consumer: { userId: 'ada@acme.test', teamId: 'unknown', dataProductId: 'unknown' },
    links: null,
    more: null,
  }
  const { document, losses } = writeOaas(sent, MEMBERS)
  assert.deepEqual(document['consumer'], { userId: 'ada@acme.test' })
  assert.deepEqual(losses, [])
})

test('OAAS › what an agreement of a client has beyond the form is a loss', () => {
  const sent = {
    dataUsageAgreementSpecification: '0.0.1',
    info: { purpose: 'Reports', status: 'x', note: 'n' },
    provider: { dataProductId: 'p', outputPortId: 'o', region: 'eu' },
    consumer: { userId: 'ada@acme.test' },
    links: { ticket: 'https://acme.test/1', odd: 5 },
    custom: { size: 1, 'oaas.name': 5 },
    more: true,
  }
  const { document, losses } = writeOaas(sent, { ...MEMBERS, status: 'requested' })
  assert.deepEqual(
    losses.map(({ path }) => path),
    ['info.note', 'provider.region', 'more', 'custom.oaas.name', 'links.odd'],
  )
  assert.deepEqual(document, {
    apiVersion: 'v0.9.0',
    kind: 'AccessAgreement',
    id: 'grant',
    status: 'requested',
    description: { purpose: 'Reports' },
    startTimestamp: '2026-07-01T00:00:00Z',
    provider: { teamId: 'sales', dataProductId: 'p', outputPortId: 'o' },
    consumer: { userId: 'ada@acme.test' },
    authoritativeDefinitions: [{ type: 'ticket', url: 'https://acme.test/1' }],
    customProperties: [{ property: 'size', value: 1 }],
  })
})

test('OAAS › members that differ are replaced in place, all others stay as they were written', () => {
  const text = `# The grant
kind: AccessAgreement
apiVersion: v0.9.0
id: 'grant' # as in the path
status: requested # for now
description: {purpose: Reports}
endTimestamp: 2027-06-30T12:00:00Z
provider:
  teamId: sales
  dataProductId: orders
  outputPortId: snowflake
  dataContractId: c-0
consumer: {teamId: marketing}
roles:
  - role: a # first
`
  const source = readText(text, 'application/yaml')
  assert.ok(source.ok)
  const terms = { startOn: '2026-08-01', endOn: '2027-07-01', reassessOn: null, roles: ['a'] }
  const members = { ...MEMBERS, providerTeam: 'shop', contractId: 'c-1', terms }
  const { text: updated, isInPlace } = updateOaas(source, members)
  assert.ok(isInPlace)
  assert.match(updated, /^# The grant\nkind/)
  assert.match(updated, /status: approved # for now/)
  assert.match(updated, /startTimestamp: "2026-08-01T00:00:00Z"/)
  assert.match(updated, /endTimestamp: 2027-06-30T12:00:00Z/)
  assert.match(updated, /teamId: shop/)
  assert.match(updated, /dataContractId: c-1/)
  assert.match(updated, /- role: a # first/)
  const ended = { ...members, terms: { ...terms, startOn: null, endOn: null, roles: [] } }
  const { text: open } = updateOaas(source, { ...ended, contractId: null })
  assert.doesNotMatch(open, /Timestamp|dataContract|roles/)
})

test('OAAS › a text that cannot be edited in place is written again', () => {
  const text = `kind: AccessAgreement
apiVersion: v0.9.0
id: grant
status: requested
description: {purpose: Reports}
x: &p {teamId: sales, dataProductId: orders, outputPortId: snowflake}
provider: *p
consumer: {teamId: marketing}
`
  const source = readText(text, 'application/yaml')
  assert.ok(source.ok)
  const { text: updated, isInPlace } = updateOaas(source, { ...MEMBERS, providerTeam: 'shop' })
  assert.equal(isInPlace, false)
  assert.match(updated, /provider:\n {2}teamId: shop/)
})

test('OAAS › odd documents give problems, never an error; what is written can be read', () => {
  fc.assert(
    fc.property(mutations(FULL, ['unknown', '2026-07-01T10:00:00Z'], ['oaas.name']), (value) => {
      const source = readText(jsonText(value), 'application/json')
      if (!source.ok) return
      const reading = readOaas(source, 'grant')
      convertOaas(source.value)
      if (!reading.ok) {
        assert.ok(reading.problems.length > 0)
        return
      }
      const { terms, purpose } = reading.agreement
      const members = { ...FULL_MEMBERS, terms }
      const written = writeOaas(reading.value, members).document
      const again = readValid(written)
      assert.equal(again.agreement.purpose, purpose)
      assert.deepEqual(again.agreement.terms, terms)
      assert.deepEqual(writeOaas(again.value, members).document, written)
      const updated = readText(updateOaas(source, members).text, 'application/json')
      assert.ok(updated.ok)
      assert.equal(updateOaas(updated, members).text, updated.text)
    }),
    { numRuns: 700, seed: 56 },
  )
})

test('OAAS › odd agreements of clients are written without an error', () => {
  const client = readValid(FULL).value
  fc.assert(
    fc.property(mutations(client), (value) => {
      const { document } = writeOaas(value, FULL_MEMBERS)
      assert.equal(document['kind'], 'AccessAgreement')
    }),
    { numRuns: 500, seed: 56 },
  )
})
