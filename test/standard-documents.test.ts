/**
 * Documents of ODCS 3.2.0 and ODPS 1.1.0 that the official schemas accept are read without a warning, also when strict:
 * public ones, and generated ones with each pair of what these versions added.
 */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Ajv2019, type ValidateFunction } from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import { readDataContract } from '../formats/data-contract/read.ts'
import { readDataProduct } from '../formats/data-product/read.ts'
import { readText } from '../formats/text/text.ts'
import { asText, getField, isObject, jsonText } from '../formats/text/value.ts'
import type { ObjectValue, Value } from '../formats/text/value.ts'
import { standardsFor } from './standards.ts'

const SCHEMAS = new URL('../formats/standards/', import.meta.url)
const FIXTURES = new URL('standard-documents/', import.meta.url)

function compile(name: string): ValidateFunction {
  const ajv = new Ajv2019({ strict: false })
  addFormats.default(ajv)
  return ajv.compile(JSON.parse(readFileSync(new URL(`${name}.schema.json`, SCHEMAS), 'utf8')))
}

const VALIDATORS = { odcs: compile('odcs-v3.2.0'), odps: compile('odps-v1.1.0') }
const VERSIONS = { odcs: 'v3.2.0', odps: 'v1.1.0' }

type Kind = keyof typeof VALIDATORS

/** Reads a document that the official schema accepts; returns its warnings, which are the same when strict. */
function listWarnings(kind: Kind, document: Value): string[] {
  const validate = VALIDATORS[kind]
  assert.ok(validate(document), `${jsonText(document)}: ${JSON.stringify(validate.errors)}`)
  const source = readText(jsonText(document), 'application/json')
  assert.ok(source.ok)
  const read = kind === 'odcs' ? readDataContract : readDataProduct
  const [loose, strict] = [false, true].map((isStrict) => {
    const id = asText(getField(document, 'id')) ?? 'x'
    const reading = read(source, { id, strict: isStrict, owner: 't' })
    assert.ok(reading.ok, `${jsonText(document)}: ${JSON.stringify(reading)}`)
    return reading.warnings.map(({ field, message }) => `${field}: ${message}`)
  })
  assert.deepEqual(strict, loose)
  return loose ?? []
}

// Warnings about what the schemas cannot express.
function isAdvice(warning: string): boolean {
  return / is unusual; common values are | leads nowhere: /.test(warning)
}

for (const kind of ['odcs', 'odps'] as const) {
  test(`${kind} › every official example is read in the newest version without a warning`, (t) => {
    const files = standardsFor(t, kind)?.filter(({ name }) => name.endsWith('.yaml')) ?? []
    for (const { name, text } of files) {
      const source = readText(text, 'application/yaml')
      assert.ok(source.ok && isObject(source.value), name)
      const document = { ...source.value, apiVersion: VERSIONS[kind] }
      assert.deepEqual(
        listWarnings(kind, document).filter((one) => !isAdvice(one)),
        [],
        name,
      )
    }
  })
}

test('odcs › the fixtures of the Python package are read without a warning, but for references to nowhere', () => {
  for (const name of ['all-new-fields', 'full-example']) {
    const text = readFileSync(new URL(`${name}-v3.2.0.odcs.yaml`, FIXTURES), 'utf8')
    const source = readText(text, 'application/yaml')
    assert.ok(source.ok, name)
    const warnings = listWarnings('odcs', source.value)
    assert.equal(warnings.length, 1, warnings.join('\n'))
    assert.match(warnings[0] ?? '', /leads nowhere/)
  }
})

const DEFINITIONS = [
  { id: 'd1', type: 'glossary', url: 'https://example.com/g', description: 'd' },
  { type: 'ontology', url: 'https://example.com/o' },
  { type: 'taxonomy', url: 'https://example.com/t' },
]
const CUSTOM = [{ id: 'c1', property: 'p', value: 1, description: 'd', vendor: 'portbook' }]
const SYNONYMS = [
  { id: 's1', synonym: 's', description: 'd', locale: 'de-DE', source: 'o', status: 'x' },
]
const CONTEXT = {
  instructions: 'Use ${turnover} only.',
  verifiedStatements: [{ id: 'v', question: 'q', answer: 'a', tags: ['t'] }, { question: 'q' }],
  constraints: [{ id: 'k', constraint: 'c', tags: ['t'], authoritativeDefinitions: DEFINITIONS }],
}

// A base with a part for each addition, which the additions of a pair fill.
const ODCS_ADDITIONS: Readonly<Record<string, ObjectValue>> = {
  vector: { property: { logicalType: 'vector', logicalTypeOptions: { dimensions: 3 } } },
  'vector with options': {
    property: {
      logicalType: 'vector',
      logicalTypeOptions: {
        dimensions: 1536,
        elementType: 'float16',
        normalized: true,
        embeddingModel: 'm',
        embeddingModelVersion: '1',
        distanceMetric: 'dotProduct',
      },
    },
  },
  'no logical type': { property: { physicalType: 'varchar(10)' } },
  map: {
    property: {
      logicalType: 'map',
      map: { key: { logicalType: 'string' }, value: { logicalType: 'integer' } },
    },
  },
  enum: {
    property: {
      logicalType: 'string',
      enum: [{ value: 'a', label: 'A', id: 'e', description: 'd' }, { value: 'b' }],
    },
  },
  measure: {
    property: { logicalType: 'number', semanticType: 'measure', transformLogic: 'sum(a)' },
  },
  dimension: {
    property: { logicalType: 'date', semanticType: 'dimension', transformLogic: 'day(a)' },
  },
  'deprecated property': { property: { deprecated: true, synonyms: SYNONYMS } },
  relationship: { property: { relationships: [{ id: 'r/1 x', to: 'orders.key' }] } },
  'fully qualified relationship': {
    property: { relationships: [{ to: '/schema/orders/properties/key' }] },
  },
  'deprecated object': { object: { deprecated: true, synonyms: SYNONYMS } },
  'context of an object': { object: { context: 'Only net values.' } },
  'relationship of an object': {
    object: { relationships: [{ id: 'o', from: 'orders.other', to: 'orders.key' }] },
  },
  context: { context: CONTEXT },
  'context as text': { context: 'text' },
  'custom properties': { customProperties: CUSTOM },
  'authoritative definitions': { authoritativeDefinitions: DEFINITIONS },
  'service level': {
    slaProperties: [
      {
        property: 'latency',
        value: 1,
        unit: 'h',
        customProperties: CUSTOM,
        authoritativeDefinitions: DEFINITIONS,
      },
    ],
  },
  'no status': { status: null },
  'an id with colons': { id: 'urn:uuid:1' },
  s3: { servers: [{ server: 's', type: 's3', location: 's3://b', encoding: 'ISO-8859-1' }] },
  hana: {
    servers: [
      { server: 's', type: 'hana', host: 'h', port: '${PORT:-30015}', database: 'd', schema: 's' },
    ],
  },
  iceberg: {
    servers: [
      {
        server: 's',
        type: 'iceberg',
        catalog: 'c',
        catalogUrl: 'https://c.example',
        namespace: 'n',
        warehouse: 'w',
      },
    ],
  },
  exasol: { servers: [{ server: 's', type: 'exasol', host: 'h', port: 8563, schema: 's' }] },
  teradata: {
    servers: [{ server: 's', type: 'teradata', host: '${HOST}', port: 1025, database: 'd' }],
  },
  ingres: { servers: [{ server: 's', type: 'ingres', database: 'd', host: 'h', port: 21064 }] },
  vectorwise: { servers: [{ server: 's', type: 'vectorwise', database: 'd', host: 'h' }] },
  versant: { servers: [{ server: 's', type: 'versant', database: 'd' }] },
  poet: { servers: [{ server: 's', type: 'poet', database: 'd' }] },
  fastobjects: { servers: [{ server: 's', type: 'fastobjects', database: 'd' }] },
  btrieve: { servers: [{ server: 's', type: 'btrieve', host: 'h', database: 'd' }] },
  postgresql: {
    servers: [
      { server: 's', type: 'postgresql', host: 'h', port: '5432', database: 'd', schema: 's' },
    ],
  },
}

function createContract(additions: readonly ObjectValue[]): ObjectValue {
  const document: ObjectValue = {
    apiVersion: 'v3.2.0',
    kind: 'DataContract',
    id: 'orders-1',
    version: '1.0.0',
    status: 'active',
  }
  let object: ObjectValue = { id: 'orders', name: 'orders' }
  const property: ObjectValue = { name: 'other', logicalType: 'string' }
  const own: ObjectValue[] = [{ id: 'key', name: 'key', logicalType: 'integer' }]
  const servers: Value[] = []
  for (const [at, addition] of additions.entries()) {
    const { property: more, object: part, servers: list, ...rest } = addition
    // Each has a field of its own, because two types exclude each other.
    if (isObject(more))
      own.push({ logicalType: null, ...more, name: at === 0 ? 'first' : 'second' })
    if (isObject(part)) object = { ...object, ...part }
    for (const server of Array.isArray(list) ? list : []) {
      servers.push(isObject(server) ? { ...server, server: `s${at}` } : server)
    }
    Object.assign(document, rest)
  }
  const properties = [...own, property].map((field) =>
    Object.fromEntries(Object.entries(field).filter(([, value]) => value !== null)),
  )
  document.schema = [{ ...object, properties }]
  if (servers.length > 0) document.servers = servers
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== null))
}

test('odcs › each pair of the additions of v3.2.0 is read without a warning', () => {
  const names = Object.keys(ODCS_ADDITIONS)
  for (const [at, one] of names.entries()) {
    for (const other of names.slice(at)) {
      const parts = [...new Set([one, other])].map((name) => ODCS_ADDITIONS[name] ?? {})
      assert.deepEqual(listWarnings('odcs', createContract(parts)), [], `${one} and ${other}`)
    }
  }
})

const PORT = { name: 'out', version: '1', contractId: 'c' }
const ODPS_ADDITIONS: Readonly<Record<string, ObjectValue>> = {
  deprecated: { deprecated: true, synonyms: SYNONYMS },
  context: { context: CONTEXT },
  'custom properties': { customProperties: CUSTOM, authoritativeDefinitions: DEFINITIONS },
  'no status and version': { status: null, version: null },
  'deprecated output port': {
    outputPorts: [{ ...PORT, deprecated: true, synonyms: SYNONYMS, context: CONTEXT }],
  },
  'output port without version': { outputPorts: [{ id: 'o', name: 'out' }] },
  sbom: {
    outputPorts: [
      {
        ...PORT,
        sbom: [
          {
            id: 'b',
            type: 'external',
            url: 'https://example.com/b',
            tags: ['t'],
            customProperties: CUSTOM,
            authoritativeDefinitions: DEFINITIONS,
          },
          {},
        ],
      },
    ],
  },
  'input contracts': { outputPorts: [{ ...PORT, inputContracts: [{ id: 'i', version: '1' }] }] },
  'input port without version and contract': { inputPorts: [{ name: 'in' }] },
  'deprecated input port': {
    inputPorts: [{ name: 'in', version: '1', contractId: 'c', deprecated: true, tags: ['t'] }],
  },
  'variables in ports': {
    outputPorts: [
      { name: 'out', version: '${VERSION}', contractId: '${CONTRACT:-c}', description: 'd' },
    ],
  },
}

test('odps › each pair of the additions of v1.1.0 is read without a warning', () => {
  const names = Object.keys(ODPS_ADDITIONS)
  const base = {
    apiVersion: 'v1.1.0',
    kind: 'DataProduct',
    id: 'orders-1',
    name: 'Orders',
    status: 'active',
    version: '1.0.0',
  }
  for (const [at, one] of names.entries()) {
    for (const other of names.slice(at)) {
      const all = { ...base, ...ODPS_ADDITIONS[one], ...ODPS_ADDITIONS[other] }
      const document = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null))
      assert.deepEqual(listWarnings('odps', document), [], `${one} and ${other}`)
    }
  }
})
