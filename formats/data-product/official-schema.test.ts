import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import * as fc from 'fast-check'
import { standardsFor, type StandardFile } from '../../test/standards.ts'
import { conforms, inspectValue } from '../shape/inspect.ts'
import type { ObjectShape } from '../shape/shape.ts'
import { hasFormat, type TextFormat } from '../shape/text-format.ts'
import { readText } from '../text/text.ts'
import { isObject, type Path, textOf, type Value, valueAt } from '../text/value.ts'
import { DPS } from './dps-shape.ts'
import { odpsShape } from './odps-shape.ts'

const MUTATIONS = 700

function validator(files: StandardFile[], name: string): ValidateFunction {
  const schema = JSON.parse(files.find((file) => file.name === name)?.text ?? 'null')
  const Engine = JSON.stringify(schema).includes('2019-09') ? Ajv2019 : Ajv
  const ajv = new Engine({ strict: false, allErrors: false })
  addFormats.default(ajv)
  return ajv.compile(schema)
}

function listDocuments(files: StandardFile[]): Value[] {
  return files
    .filter(({ name }) => name.endsWith('.yaml'))
    .map(({ text }) => {
      const source = readText(text, 'application/yaml')
      assert.ok(source.ok)
      return source.value
    })
}

// Every field of ODPS v1.0.0 once, so that mutations cover all of them.
const fullOdps: Value = {
  apiVersion: 'v1.0.0',
  kind: 'DataProduct',
  id: 'full',
  name: 'Full',
  version: '1.0.0',
  status: 'active',
  domain: 'sales',
  tenant: 'acme',
  authoritativeDefinitions: [{ type: 'tutorial', url: 'https://example.com/a', description: 'd' }],
  description: {
    purpose: 'p',
    limitations: 'l',
    usage: 'u',
    authoritativeDefinitions: [{ type: 'implementation', url: 'https://example.com/b' }],
    customProperties: [{ property: 'a', value: null, description: 'b' }],
  },
  customProperties: [{ property: 'x', value: { y: 1 } }],
  tags: ['a'],
  inputPorts: [{ name: 'in', version: '1', contractId: 'c' }],
  outputPorts: [
    {
      name: 'out',
      description: 'd',
      type: 'tables',
      version: '1',
      contractId: 'c',
      sbom: [{ type: 'external', url: 'https://example.com/sbom' }],
      inputContracts: [{ id: 'c', version: '1' }],
    },
  ],
  managementPorts: [
    {
      name: 'm',
      content: 'control',
      type: 'rest',
      url: 'https://example.com/m',
      channel: 'c',
      description: 'd',
      tags: ['t'],
      customProperties: [],
      authoritativeDefinitions: [],
    },
  ],
  support: [
    {
      channel: 'c',
      url: 'mailto:a@example.com',
      description: 'd',
      tool: 'slack',
      scope: 'issues',
      invitationUrl: 'https://example.com/i',
      tags: [],
      customProperties: [],
      authoritativeDefinitions: [],
    },
  ],
  team: {
    name: 'team',
    description: 'd',
    members: [
      {
        username: 'u',
        name: 'n',
        description: 'd',
        role: 'owner',
        dateIn: '2024-02-29',
        dateOut: '2025-01-31',
        replacedByUsername: 'v',
        tags: [],
        customProperties: [],
        authoritativeDefinitions: [],
      },
    ],
    tags: [],
    customProperties: [],
    authoritativeDefinitions: [],
  },
  productCreatedTs: '2024-01-01T00:00:00Z',
}

const fullOdps09: Value = {
  ...fullOdps,
  apiVersion: 'v0.9.0',
  team: valueAt(fullOdps, ['team', 'members']) ?? null,
}

// The additions of v1.1.0, as in its schema; the schema itself is not among the files.
const parts11 = {
  id: 'e',
  tags: ['t'],
  customProperties: [{ id: 'e', property: 'p', value: 1, description: 'd' }],
  authoritativeDefinitions: [{ id: 'e', type: 'glossary', url: 'https://a.b', description: 'd' }],
}
const synonyms11 = [
  {
    id: 'e',
    synonym: 's',
    description: 'd',
    locale: 'en',
    source: 's',
    status: 'active',
    customProperties: parts11.customProperties,
  },
]
const context11 = {
  instructions: 'i',
  verifiedStatements: [{ ...parts11, question: 'q', answer: 'a' }],
  constraints: [{ ...parts11, constraint: 'c' }],
}
const { id: _, ...parts11WithoutId } = parts11
const fullOdps11: Value = {
  ...parts11,
  apiVersion: 'v1.1.0',
  kind: 'DataProduct',
  id: 'full',
  deprecated: false,
  synonyms: synonyms11,
  type: 'sourceAligned',
  context: context11,
  inputPorts: [{ ...parts11, name: 'in', deprecated: true }],
  outputPorts: [
    {
      ...parts11,
      name: 'out',
      deprecated: true,
      sbom: [{ id: 'e', type: 'external' }],
      inputContracts: [{ id: 'c', version: '1' }],
      synonyms: synonyms11,
      context: context11,
    },
  ],
  managementPorts: [{ ...parts11, name: 'm', content: 'control', deprecated: false }],
  support: [{ ...parts11, channel: 'c', url: 'https://a.b' }],
  team: { ...parts11WithoutId, name: 't', members: [{ ...parts11, username: 'u' }] },
}

const fullDps: Value = {
  dataProductSpecification: '0.0.1',
  id: 'full',
  info: {
    title: 'Full',
    owner: 'team',
    description: 'd',
    status: 'active',
    archetype: 'aggregate',
    maturity: 'raw',
  },
  inputPorts: [
    {
      id: 'i',
      name: 'n',
      sourceSystemId: 's',
      description: 'd',
      type: 't',
      location: 'l',
      links: { a: 'b' },
      custom: { c: 'd' },
      tags: ['t'],
    },
  ],
  outputPorts: [
    {
      id: 'o',
      name: 'n',
      description: 'd',
      type: 't',
      status: 'active',
      location: 'l',
      server: { project: 'p', dataset: 'd', other: 5, additionalProperties: 'x' },
      links: { a: 'b' },
      custom: { c: 'd' },
      containsPii: true,
      autoApprove: false,
      dataContractId: 'c',
      tags: ['t'],
    },
  ],
  links: { a: 'b' },
  custom: { c: 'd' },
  tags: ['t'],
}

const ODD_VALUES: Value[] = [null, 5, true, 'text', '', [], [1], ['a'], {}, { a: 1 }, { a: 'b' }]

function listPaths(value: Value, path: Path = []): Path[] {
  const inside = Array.isArray(value)
    ? value.flatMap((item, at) => listPaths(item, [...path, at]))
    : isObject(value)
      ? Object.entries(value).flatMap(([name, member]) => listPaths(member, [...path, name]))
      : []
  return [path, ...inside]
}

function replaced(value: Value, path: Path, change: (value: Value) => Value | undefined): Value {
  const [step, ...rest] = path
  if (step === undefined) return change(value) ?? null
  if (Array.isArray(value)) {
    return value.flatMap((item, at) => {
      if (at !== step) return [item]
      const changed = rest.length === 0 ? change(item) : replaced(item, rest, change)
      return changed === undefined ? [] : [changed]
    })
  }
  assert.ok(isObject(value))
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, Value][] => {
      if (name !== step) return [[name, member]]
      const changed = rest.length === 0 ? change(member) : replaced(member, rest, change)
      return changed === undefined ? [] : [[name, changed]]
    }),
  )
}

function mutations(document: Value): fc.Arbitrary<Value> {
  const path = fc.constantFrom(...listPaths(document).filter((one) => one.length > 0))
  const texts = fc.constantFrom(
    ...listPaths(document).filter((one) => typeof valueAt(document, one) === 'string'),
  )
  const objects = fc.constantFrom(
    ...listPaths(document).filter((one) => isObject(valueAt(document, one))),
  )
  const name = fc.constantFrom('unknown', 'nmae', 'id', 'deprecated', 'tags', '__proto__', 'info')
  return fc.oneof(
    path.map((one) => replaced(document, one, () => undefined)),
    fc.record({ one: path, odd: fc.constantFrom(...ODD_VALUES) }).map(({ one, odd }) => {
      return replaced(document, one, () => odd)
    }),
    fc.record({ one: objects, name, odd: fc.constantFrom(...ODD_VALUES) }).map((change) =>
      replaced(document, change.one, (object) => {
        assert.ok(isObject(object))
        return Object.fromEntries([...Object.entries(object), [change.name, change.odd]])
      }),
    ),
    fc
      .record({ one: texts, at: fc.nat(40), text: fc.string({ maxLength: 2 }), cut: fc.nat(3) })
      .map(({ one, at, text, cut }) =>
        replaced(document, one, (old) => {
          const whole = textOf(old) ?? ''
          return whole.slice(0, at) + text + whole.slice(at + cut)
        }),
      ),
  )
}

function listProblems(document: Value, shape: ObjectShape): string[] {
  const nowhere = { locate: () => ({ line: 1, column: 1 }) }
  return inspectValue(document, shape, nowhere, { strict: true }).errors.map(({ field }) => field)
}

function agree(documents: Value[], validate: ValidateFunction, shape: ObjectShape): void {
  const verdicts = { valid: 0, invalid: 0 }
  const check = (document: Value) => {
    const official = validate(document)
    verdicts[official ? 'valid' : 'invalid'] += 1
    assert.equal(conforms(document, shape), official, JSON.stringify(validate.errors))
  }
  for (const document of documents) {
    check(document)
    fc.assert(fc.property(mutations(document), check), { seed: 1, numRuns: MUTATIONS })
  }
  assert.ok(verdicts.valid > 20 && verdicts.invalid > 20, JSON.stringify(verdicts))
}

test('ODPS v1.0.0 › strict validation agrees with the official schema', (t: TestContext) => {
  const files = standardsFor(t, 'odps')
  if (files === undefined) return
  const validate = validator(files, 'odps-v1.0.0.schema.json')
  assert.ok(validate(fullOdps), JSON.stringify(validate.errors))
  agree([...listDocuments(files), fullOdps], validate, odpsShape('v1.0.0'))
})

test('ODPS v0.9.0 › strict validation agrees with the official schema', (t: TestContext) => {
  const files = standardsFor(t, 'odps')
  if (files === undefined) return
  const validate = validator(files, 'odps-v0.9.0.schema.json')
  assert.ok(validate(fullOdps09), JSON.stringify(validate.errors))
  agree([...listDocuments(files), fullOdps09], validate, odpsShape('v0.9.0'))
})

test('ODPS v1.1.0 › supports the additions of that version, and requires less', () => {
  const shape = odpsShape('v1.1.0')
  assert.deepEqual(listProblems(fullOdps11, shape), [])
  assert.deepEqual(listProblems(fullOdps, shape), [])
  assert.deepEqual(listProblems({ apiVersion: 'v1.1.0', kind: 'DataProduct' }, shape), ['id'])
  const paths = listPaths(fullOdps11).filter((path) => path.length > 0 && path.at(-1) !== 'value')
  for (const path of paths) {
    const odd = replaced(fullOdps11, path, (value) => (Array.isArray(value) ? 'odd' : ['odd']))
    assert.equal(listProblems(odd, shape).length, 1, path.join('.'))
  }
  assert.deepEqual(
    listProblems(
      {
        ...(isObject(fullOdps11) ? fullOdps11 : {}),
        inputPorts: [{}],
        outputPorts: [{ context: { verifiedStatements: [{}], constraints: [{}] }, synonyms: [{}] }],
        team: { id: 'x' },
      },
      shape,
    ),
    [
      'inputPorts[0].name',
      'outputPorts[0].context.constraints[0].constraint',
      'outputPorts[0].context.verifiedStatements[0].question',
      'outputPorts[0].name',
      'outputPorts[0].synonyms[0].synonym',
      'team.id',
    ],
  )
})

test('DPS 0.0.1 › strict validation agrees with the official schema', (t: TestContext) => {
  const files = standardsFor(t, 'dps')
  if (files === undefined) return
  const validate = validator(files, 'dps-0.0.1.schema.json')
  assert.ok(validate(fullDps), JSON.stringify(validate.errors))
  const products = listDocuments(files).filter(
    (document) => valueAt(document, ['info']) !== undefined,
  )
  assert.ok(products.length > 0)
  agree([...products, fullDps], validate, DPS)
})

test('text formats › agree with the common validator', () => {
  const samples: { [format in TextFormat]: string[] } = {
    uri: [
      'https://u:p@example.com:80/a/b?c=d#e',
      'urn:a:b',
      'mailto:a@b.c',
      'http://[::1]/',
      'a:/b',
    ],
    date: ['2024-02-29', '2023-02-29', '2000-12-31', '1900-02-29'],
    'date-time': ['2024-01-01T00:00:00Z', '2016-12-31T23:59:60Z', '2016-12-31 15:59:60.5-08:00'],
    email: ['ada@example.com', 'a.b+c@sub.example.org'],
  }
  for (const format of ['uri', 'date', 'date-time', 'email'] as const) {
    const ajv = new Ajv()
    addFormats.default(ajv)
    const validate = ajv.compile({ type: 'string', format })
    const text = fc
      .record({
        sample: fc.constantFrom(...samples[format]),
        edits: fc.array(
          fc.record({
            at: fc.nat(40),
            cut: fc.nat(2),
            text: fc.string({
              maxLength: 2,
              unit: fc.constantFrom(...Array.from('aZ09:/?#[]@%-.Tz+ é"'), '[::', '%4f', 'v1.'),
            }),
          }),
          { maxLength: 3 },
        ),
      })
      .map(({ sample, edits }) =>
        edits.reduce(
          (old, { at, cut, text }) => old.slice(0, at) + text + old.slice(at + cut),
          sample,
        ),
      )
    fc.assert(
      fc.property(text, (value) => assert.equal(hasFormat(value, format), validate(value), value)),
      { seed: 1, numRuns: 5000 },
    )
  }
})
