import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replaceAt } from '../../../test/document-mutations.ts'
import { FULL, FULL_MEMBERS, MEMBERS, MINIMAL, parseOaas, readValid } from '../../../test/oaas.ts'
import { isObject, jsonText, type Path, type Value } from '../../text/value.ts'
import { writeOaas } from './write.ts'

function listProblems(document: Value): string[] {
  const { reading } = parseOaas(document)
  return reading.ok ? [] : reading.problems.map(({ field }) => field)
}

const change = (document: Value, path: Path, value: Value | undefined): Value =>
  value !== undefined && path.length === 1 && isObject(document)
    ? { ...document, [String(path[0])]: value }
    : replaceAt(document, path, () => value)

function readDays(startTimestamp: string, endTimestamp: string, again: string) {
  const reading = readValid({
    ...MINIMAL,
    startTimestamp,
    endTimestamp,
    nextReassessmentTimestamp: again,
  })
  const { startOn, endOn, reassessOn } = reading.agreement.terms
  return [startOn, endOn, reassessOn, reading.losses.map(({ path }) => path)]
}

function checkApiVersion(apiVersion: Value) {
  const { reading } = parseOaas({ ...MINIMAL, apiVersion })
  return reading.ok ? reading.warnings.length : reading.isUnsupported
}

test('OAAS › every field is read as an agreement of a client', () => {
  const { value, stated, agreement, losses, warnings } = readValid(FULL)
  assert.deepEqual(value, {
    id: 'grant',
    info: {
      purpose: 'Classify users.',
      individualAgreements: 'Free for three months.',
      startDate: '2026-07-01',
      endDate: '2027-07-01',
      nextReassessmentDate: '2027-01-01',
    },
    provider: { dataProductId: 'orders', outputPortId: 'snowflake' },
    consumer: { dataProductId: 'classification' },
    roles: ['analyst.eu', 'analyst.us'],
    tags: ['gdpr'],
    links: { legal: 'https://acme.test/dpa.pdf', ticket: 'https://acme.test/4' },
    custom: {
      costCenter: 'MKT-4711',
      size: 3,
      'oaas.name': 'Orders for classification',
      'oaas.version': '1.1.0',
      'oaas.description.usage': 'Read only.',
      'oaas.description.limitations': 'No resale.',
      'oaas.roles': FULL['roles'],
      'oaas.authoritativeDefinitions': FULL['authoritativeDefinitions'],
      'oaas.customProperties': FULL['customProperties'],
    },
  })
  assert.deepEqual(stated, {
    status: 'approved',
    providerTeam: 'sales',
    consumerTeam: 'marketing',
    contractId: 'c-1',
    contractVersion: '1.0.0',
  })
  assert.deepEqual(agreement.terms, FULL_MEMBERS.terms)
  assert.deepEqual([losses, warnings], [[], []])
})

test('OAAS › one link or property of each name needs no further member', () => {
  const { value } = readValid({
    ...MINIMAL,
    authoritativeDefinitions: [{ type: 'a', url: 'https://a.test' }],
    customProperties: [{ property: 'p', value: [1, { q: null }] }],
  })
  assert.deepEqual(isObject(value) && [value['links'], value['custom']], [
    { a: 'https://a.test' },
    { p: [1, { q: null }] },
  ])
})

test('OAAS › instants become days: the first one begins, an end inside of a day is the next day', () => {
  const whole = ['2026-07-01T00:00:00Z', '2027-07-01T00:00:00.000Z', '2027-01-01T00:00:00+00:00']
  assert.deepEqual(readDays(whole[0] ?? '', whole[1] ?? '', whole[2] ?? ''), [
    '2026-07-01',
    '2027-07-01',
    '2027-01-01',
    [],
  ])
  assert.deepEqual(
    readDays('2026-07-01T00:00:01Z', '2027-06-30T23:59:59Z', '2027-01-01T12:00:00Z'),
    [
      '2026-07-01',
      '2027-07-01',
      '2027-01-01',
      ['startTimestamp', 'endTimestamp', 'nextReassessmentTimestamp'],
    ],
  )
  // Other zones are converted to UTC.
  assert.deepEqual(
    readDays('2026-07-01T00:00:00+02:00', '2026-07-02T00:00:00+02:00', whole[2] ?? ''),
    ['2026-06-30', '2026-07-02', '2027-01-01', ['startTimestamp', 'endTimestamp']],
  )
})

test('OAAS › each mistake is a problem at its field', () => {
  const rows: [Path, Value | undefined, string[]][] = [
    [['id'], undefined, ['id']],
    [['id'], 'other', ['id']],
    [['status'], undefined, ['status']],
    [['status'], 'granted', ['status']],
    [['kind'], undefined, ['kind']],
    [['kind'], 'DataContract', ['kind']],
    [['description'], undefined, ['description', 'description.purpose']],
    [['description', 'purpose'], undefined, ['description.purpose']],
    [['description', 'purpose'], ' ', ['description.purpose']],
    [['provider', 'teamId'], undefined, ['provider.teamId']],
    [['provider', 'dataProductId'], undefined, ['provider.dataProductId']],
    [['provider', 'outputPortId'], undefined, ['provider.outputPortId']],
    [['consumer', 'teamId'], undefined, ['consumer']],
    [['consumer'], { dataProductId: 'p' }, ['consumer.teamId']],
    [['consumer'], { userId: 'ada@acme.test', teamId: 't' }, ['consumer']],
    [['startTimestamp'], '2026-07-01', ['startTimestamp']],
    [['startTimestamp'], 'soon', ['startTimestamp']],
    [['endTimestamp'], '9999-12-31T23:59:59Z', ['endTimestamp']],
    [['endTimestamp'], '2026-01-01T00:00:00Z', ['endTimestamp']],
    [['roles'], [{}], ['roles[0].role']],
    [['roles'], [{ role: 'x'.repeat(300) }], ['roles[0]']],
    [['roles'], Array.from({ length: 51 }, () => ({ role: 'a' })), ['roles']],
    [['tags'], [5], ['tags[0]']],
    [['authoritativeDefinitions'], [{ type: 'a' }], ['authoritativeDefinitions[0].url']],
    [['customProperties'], [{ value: 1 }], ['customProperties[0].property']],
  ]
  for (const [path, value, expected] of rows) {
    assert.deepEqual(
      listProblems(change(MINIMAL, path, value)),
      expected,
      `${path.join('.')} = ${jsonText(value ?? null)}`,
    )
  }
})

test('OAAS › another patch is read with a warning, another minor version or none is not supported', () => {
  assert.deepEqual(['v0.9.0', 'v0.9.7', 'v0.8.0', 'v1.0.0', 9, ''].map(checkApiVersion), [
    0,
    1,
    true,
    true,
    true,
    true,
  ])
})

test('OAAS › fields of later versions are kept and written again, each with a warning', () => {
  const later = {
    ...MINIMAL,
    region: { name: 'eu' },
    consumer: { teamId: 'marketing', agentId: 'a-1' },
  }
  const { value, warnings } = readValid(later)
  assert.deepEqual(
    warnings.map(({ path }) => path),
    ['region', 'consumer.agentId'],
  )
  assert.deepEqual(writeOaas(value, MEMBERS).document, later)
  // Members of a client never replace fields of this version.
  const hostile = {
    ...(isObject(value) ? value : {}),
    custom: { 'oaas.status': 'x', 'oaas.id': 1 },
  }
  assert.deepEqual(writeOaas(hostile, MEMBERS).document, MINIMAL)
})
