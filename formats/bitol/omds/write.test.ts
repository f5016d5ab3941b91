import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { DCS, ODCS, parseContract, readContract } from '../../../test/contract-versions.ts'
import { mutations } from '../../../test/document-mutations.ts'
import { FULL_ODCS } from '../../../test/full-contracts.ts'
import { FULL_ODPS_1_1 } from '../../../test/full-products.ts'
import { readDifference } from '../../../test/omds-reading.ts'
import { readProduct } from '../../../test/product-versions.ts'
import { diffAsOdcs, type StandardDiff } from '../../diff/contract.ts'
import { diffAsOdps } from '../../diff/diff.ts'
import { asText, getField, type ObjectValue, type Value } from '../../text/value.ts'
import { readPath } from './path.ts'
import { raiseVersion } from './version.ts'
import { writeDifference, type Difference } from './write.ts'

function createSide(value: Value, number: number): Difference['before'] {
  return {
    id: 'x',
    version: readVersion(value),
    catalogVersion: number,
    address: `https://catalog.example/x/${number}`,
    value,
  }
}

function toDifference(
  diff: StandardDiff,
  kind: Difference['kind'],
  more: Partial<Difference> = {},
): Difference {
  return {
    kind,
    before: createSide(diff.before, 1),
    after: createSide(diff.after, 2),
    changes: diff.changes,
    aspects: diff.aspects,
    byRfc: false,
    generatedBy: 'Portbook',
    comparedAt: '2026-11-27T00:00:00Z',
    ...more,
  }
}

function readVersion(value: Value): string | undefined {
  return asText(getField(value, 'version'))
}

function compare(before: Value, after: Value, more: Partial<Difference> = {}): ObjectValue {
  const diff = diffAsOdcs(readContract(before), readContract(after))
  return writeDifference(toDifference(diff, 'DataContract', more)).document
}

function listEntries(document: ObjectValue): string[] {
  const diffs = getField(document, 'diffs')
  assert.ok(Array.isArray(diffs))
  return diffs.map((entry) =>
    ['type', 'section', 'field', 'path', 'impactLevel']
      .map((name) => asText(getField(entry, name)) ?? '?')
      .join(' '),
  )
}

const address = {
  name: 'Address',
  properties: [
    { name: 'street', logicalType: 'string', logicalTypeOptions: { maxLength: 10 } },
    { name: 'zip', logicalType: 'string', physicalType: 'varchar(5)', required: true },
    { name: 'a,b', logicalType: 'integer', tags: ['x'] },
  ],
}

test('a difference has its sources, counts and suggested version', () => {
  const [street, zip, odd] = address.properties
  const before = { ...ODCS, version: 'v1.2.3', description: { purpose: 'a' }, schema: [address] }
  const after = {
    ...ODCS,
    version: 'v1.2.3',
    description: { purpose: 'b' },
    schema: [
      {
        ...address,
        properties: [
          { ...street, logicalTypeOptions: { maxLength: 20 } },
          { ...zip, required: false, physicalType: 'varchar(9)' },
          { ...odd, description: 'New' },
          { name: 'added', logicalType: 'string' },
        ],
      },
    ],
  }
  const document = compare(before, after)
  assert.deepEqual(document['source1'], {
    id: 'x',
    version: 'v1.2.3',
    canonicalUrl: 'https://catalog.example/x/1',
  })
  assert.deepEqual(document['impact'], { major: 3, minor: 1, patch: 2 })
  assert.equal(document['suggestedVersion'], 'v2.0.0')
  assert.equal(document['sourceKind'], 'DataContract')
  assert.deepEqual(document['customProperties'], [
    { property: 'generatedBy', value: 'Portbook' },
    { property: 'comparedAt', value: '2026-11-27T00:00:00Z' },
    { property: 'catalogVersion1', value: 1 },
    { property: 'catalogVersion2', value: 2 },
    { property: 'impactRules', value: 'portbook' },
  ])
  assert.deepEqual(
    listEntries(document).toSorted(),
    [
      'ADD schema properties /schema[name=Address]/properties[name=added] MINOR',
      'CHANGE description purpose /description/purpose PATCH',
      'CHANGE schema maxLength /schema[name=Address]/properties[name=street]/logicalTypeOptions/maxLength MAJOR',
      'CHANGE schema physicalType /schema[name=Address]/properties[name=zip]/physicalType MAJOR',
      'CHANGE schema required /schema[name=Address]/properties[name=zip]/required MAJOR',
      'ADD schema description /schema[name=Address]/properties[name="a,b"]/description PATCH',
    ].toSorted(),
  )
})

test('a renamed field has its old name in the path', () => {
  const renamed = address.properties.map((one) =>
    one.name === 'zip' ? { ...one, name: 'code' } : one,
  )
  const document = compare(
    { ...ODCS, schema: [address] },
    { ...ODCS, schema: [{ ...address, properties: renamed }] },
  )
  const [entry] = readDifference(document)
  assert.deepEqual(
    [entry?.kind, entry?.path, entry?.before, entry?.after],
    ['renamed', '/schema[name=Address]/properties[name=zip]/name', 'zip', 'code'],
  )
})

test('equal documents have no entries, and the version stays', () => {
  const document = compare({ ...ODCS, version: '1.0.0' }, { ...ODCS, version: '1.0.0' })
  assert.deepEqual(document['diffs'], [])
  assert.deepEqual(document['impact'], { major: 0, minor: 0, patch: 0 })
  assert.equal(document['suggestedVersion'], '1.0.0')
})

test('a document without a version has that of the catalog, and none is suggested', () => {
  const diff = diffAsOdcs(readContract(ODCS), readContract({ ...ODCS, name: 'new' }))
  const difference = toDifference(diff, 'DataContract')
  const { document } = writeDifference({
    ...difference,
    before: { ...difference.before, version: undefined },
    after: { ...difference.after, version: '', catalogVersion: undefined, address: undefined },
  })
  assert.equal(getField(document['source1'], 'version'), '0.0.0+1')
  assert.deepEqual(document['source2'], { id: 'x', version: '0.0.0+draft' })
  assert.equal(document['suggestedVersion'], undefined)
})

test('documents of the Data Contract Specification have paths of ODCS', () => {
  const before = {
    ...DCS,
    models: { orders: { fields: { id: { type: 'string', required: true } } } },
  }
  const after = { ...DCS, models: { orders: { fields: { id: { type: 'string' } } } } }
  const fields = [{ name: 'id', logicalType: 'string' }]
  const converted = { ...ODCS, schema: [{ name: 'orders', properties: fields }] }
  for (const newer of [after, converted]) {
    const required = '/schema[name=orders]/properties[name=id]/required'
    const entries = listEntries(compare(before, newer))
    assert.ok(entries.includes(`CHANGE schema required ${required} MAJOR`), entries.join('\n'))
  }
})

test('ports are named by name and version, and twins by their position', () => {
  const before = {
    apiVersion: 'v1.1.0',
    kind: 'DataProduct',
    id: 'x',
    name: 'X',
    team: { name: 't' },
    outputPorts: [
      { name: 'a', version: '1', contractId: 'c' },
      { name: 'a', version: '2', contractId: 'c' },
      { name: 'b', contractId: 'c' },
    ],
    customProperties: [{ property: 'p', value: 1 }],
  }
  const after = {
    ...before,
    outputPorts: [
      { name: 'a', version: '1', contractId: 'd' },
      { name: 'b', contractId: 'd' },
    ],
    customProperties: [{ property: 'p', value: 2 }],
  }
  const diff = diffAsOdps(readProduct(before), readProduct(after))
  const { document } = writeDifference(toDifference(diff, 'DataProduct'))
  assert.deepEqual(listEntries(document).toSorted(), [
    'CHANGE customProperties value /customProperties[property=p]/value PATCH',
    'CHANGE outputPorts contractId /outputPorts[name=a,version=1]/contractId MAJOR',
    'CHANGE outputPorts contractId /outputPorts[name=b]/contractId MAJOR',
    'REMOVE outputPorts outputPorts /outputPorts[name=a,version=2] MAJOR',
  ])
})

test('a value above 16 KB is left out, named in the message and listed as a loss', () => {
  const diff = diffAsOdcs(
    readContract({ ...ODCS, description: { purpose: 'a' } }),
    readContract({ ...ODCS, description: { purpose: 'b'.repeat(20_000) } }),
  )
  const { document, losses } = writeDifference(toDifference(diff, 'DataContract'))
  const diffs = getField(document, 'diffs')
  const [entry] = Array.isArray(diffs) ? diffs : []
  assert.equal(getField(entry, 'value1'), 'a')
  assert.equal(getField(entry, 'value2'), undefined)
  assert.match(asText(getField(entry, 'message')) ?? '', /value2: longer than 16 KB, left out\.$/)
  assert.deepEqual(losses, [
    { path: '/description/purpose', message: 'value2: longer than 16 KB, left out.' },
  ])
})

test('the levels are those of Portbook, or with rules=rfc0039 those of the RFC', () => {
  const before = {
    ...ODCS,
    version: '1.0.0',
    description: { purpose: 'a' },
    schema: [{ ...address, description: 'x' }],
  }
  const after = { ...ODCS, version: '1.0.0', schema: [address] }
  const levels = (byRfc: boolean) =>
    Object.fromEntries(
      readDifference(compare(before, after, { byRfc })).map(({ path, level }) => [path, level]),
    )
  assert.deepEqual(levels(false), {
    '/description/purpose': 'wording',
    '/schema[name=Address]/description': 'wording',
  })
  assert.deepEqual(levels(true), {
    '/description/purpose': 'additive',
    '/schema[name=Address]/description': 'breaking',
  })
  const product = {
    apiVersion: 'v1.1.0',
    kind: 'DataProduct',
    id: 'x',
    name: 'X',
    team: { name: 't' },
    status: 'active',
  }
  const diff = diffAsOdps(readProduct(product), readProduct({ ...product, status: 'deprecated' }))
  const [entry] = readDifference(
    writeDifference(toDifference(diff, 'DataProduct', { byRfc: true })).document,
  )
  assert.equal(entry?.level, 'breaking')
})

const LEVELS = ['breaking', 'additive', 'wording', 'none'] as const

function raise(version: string | undefined): (string | undefined)[] {
  return LEVELS.map((level) => raiseVersion(version, level))
}

test('a version is raised by the highest level, and a pre-release ends', () => {
  assert.deepEqual(raise('0.1.0'), ['1.0.0', '0.2.0', '0.1.1', '0.1.0'])
  assert.deepEqual(raise('v1.2.3+b'), ['v2.0.0', 'v1.3.0', 'v1.2.4', 'v1.2.3+b'])
  assert.deepEqual(raise('2.0.0-beta.1'), ['2.0.0', '2.0.0', '2.0.0', '2.0.0-beta.1'])
  assert.deepEqual(raise('2.1.0-beta'), ['3.0.0', '2.1.0', '2.1.0', '2.1.0-beta'])
  for (const odd of ['1', '1.0', '', undefined, '01.0.0', 'x1.0.0', `${'9'.repeat(16)}.0.0`])
    assert.deepEqual(raise(odd), [undefined, undefined, undefined, undefined], String(odd))
})

// The changes of a document in its paths; a renamed part has only its names.
function toReadable(diff: StandardDiff, kind: Difference['kind']) {
  const { document, losses } = writeDifference(toDifference(diff, kind))
  const lost = new Set(losses.map(({ path }) => path))
  const found = readDifference(document)
  assert.equal(found.length, diff.changes.length)
  found.forEach((entry, at) => {
    const change = diff.changes[at]
    assert.ok(change !== undefined)
    // A part that lost its name cannot be named by the older one.
    const isUnnamed = change.kind === 'renamed' && entry.path.endsWith(']')
    const kind = isUnnamed ? 'changed' : change.kind
    assert.deepEqual([entry.kind, entry.level], [kind, change.level], entry.path)
    if (lost.has(entry.path)) return
    assert.equal(entry.message, change.message)
    if (change.kind === 'renamed') return
    // An added value has no older one, also if that was an empty text.
    if (change.kind !== 'added') assert.deepEqual(entry.before, change.before, entry.path)
    if (change.kind !== 'removed') assert.deepEqual(entry.after, change.after, entry.path)
    const isRemoved = change.kind === 'removed' && !diff.aspects.has(change)
    if (diff.aspects.has(change)) return
    const steps = readPath(isRemoved ? diff.before : diff.after, entry.path)
    const pointer = (steps ?? ['?'])
      .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
      .join('')
    assert.equal(pointer, change.path, entry.path)
  })
  const levels = diff.changes.map(({ level }) => level)
  assert.deepEqual(document['impact'], {
    major: levels.filter((level) => level === 'breaking').length,
    minor: levels.filter((level) => level === 'additive').length,
    patch: levels.filter((level) => level === 'wording').length,
  })
}

test('1,000 random differences are read back as they were', () => {
  const contract = FULL_ODCS.get('v3.2.0') ?? ODCS
  const contracts = fc.property(mutations(contract), mutations(contract), (one, other) => {
    const [before, after] = [parseContract(one), parseContract(other)]
    if (before?.ok === true && after?.ok === true)
      toReadable(diffAsOdcs(before, after), 'DataContract')
  })
  fc.assert(contracts, { numRuns: 500, seed: 39 })
  const products = fc.property(mutations(FULL_ODPS_1_1), (one) => {
    const diff = tryProducts(one)
    if (diff !== undefined) toReadable(diff, 'DataProduct')
  })
  fc.assert(products, { numRuns: 500, seed: 39 })
})

function tryProducts(changed: Value): StandardDiff | undefined {
  try {
    return diffAsOdps(
      readProduct({ ...Object(FULL_ODPS_1_1), id: 'x' }),
      readProduct({ ...Object(changed), id: 'x' }),
    )
  } catch {
    return undefined
  }
}
