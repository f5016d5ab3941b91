/** Generates documents of data products. */

import * as fc from 'fast-check'
import { ExactNumber, type ObjectValue, type Value } from '../formats/text/value.ts'

// Names that the conversion interprets, that look like it, or that are dangerous.
const names = fc.constantFrom(
  'a',
  'b.c',
  '50%',
  '',
  '__proto__',
  'constructor',
  'type',
  'maturity',
  'server',
  'status',
  'displayName',
  'contractId',
  'description',
  'customProperties',
  'links',
  'custom',
  'value',
  'odps.tenant',
  'odps.status',
  'odps.a',
  'odps.team.members',
  'odps.customProperties',
  'odps.apiVersion',
  'odps.id',
  'odps.name',
  'odps.version',
  'odps.team',
  'odps.',
  'odps.a.b',
  'odps.kind',
  'dps.info',
  'dps.info.title',
  'dps.id',
  'dps.a',
  'dps.custom',
  'dps.custom.a',
  'dps.links',
  'dps.dataProductSpecification',
  'dps.name',
  'dpsDocument',
  'odpsDocument',
)

/** Texts that matter to the conversion. */
export const words = fc.constantFrom(
  '',
  'x',
  'y',
  'v1.0.0',
  'v1.1.0',
  'unknown',
  '0.0.1',
  'https://a.b/c',
)

const { odd } = fc.letrec<{ odd: Value; list: Value[]; object: { [key: string]: Value } }>(
  (tie) => ({
    odd: fc.oneof(
      { depthSize: 'small' },
      words,
      fc.constantFrom<Value>(null, true, 0, 1.5, '', new ExactNumber('12345678901234567890')),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('odd'), { maxLength: 2 }),
    object: fc.array(fc.tuple(names, tie('odd')), { maxLength: 3 }).map(toObject),
  }),
)

function toObject(fields: [string, Value][]): { [key: string]: Value } {
  return Object.fromEntries(fields)
}

// An object with some of the given fields, mostly of the right type, and some unknown ones.
function messyObject(fields: { [name: string]: fc.Arbitrary<Value> }): fc.Arbitrary<Value> {
  const known = fc
    .subarray(Object.keys(fields))
    .chain((given) =>
      fc.tuple(
        ...given.map((name) =>
          fc.tuple(fc.constant(name), fc.oneof({ weight: 6, arbitrary: fields[name] ?? odd }, odd)),
        ),
      ),
    )
  const unknown = fc.array(fc.tuple(names, odd), { maxLength: 1 })
  return fc.tuple(known, unknown).map(([some, more]) => toObject([...more, ...some]))
}

const texts = fc.array(words, { maxLength: 3 })
const ownWords = {
  links: fc.oneof(mapArbitrary(words), odd),
  custom: mapArbitrary(odd),
  tags: texts,
}

function mapArbitrary(values: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.array(fc.tuple(names, values), { maxLength: 3 }).map(toObject)
}

/** Generates documents that resemble DPS, with anything in any position. */
export const dpsDocuments = messyObject({
  dataProductSpecification: words,
  id: words,
  teamId: words,
  assets: fc.array(odd, { maxLength: 2 }),
  info: messyObject({
    id: words,
    title: words,
    name: words,
    owner: words,
    description: words,
    status: words,
    domain: words,
    archetype: words,
    maturity: words,
    icon: words,
  }),
  inputPorts: fc.array(
    messyObject({
      id: words,
      name: words,
      sourceSystemId: words,
      dataContractId: words,
      ...ownWords,
    }),
    { maxLength: 2 },
  ),
  outputPorts: fc.array(
    messyObject({
      id: words,
      name: words,
      dataContractId: words,
      containsPii: fc.boolean(),
      status: words,
      server: mapArbitrary(words),
      ...ownWords,
    }),
    { maxLength: 2 },
  ),
  ...ownWords,
})

const properties: fc.Arbitrary<Value> = fc.array(
  fc.oneof<[fc.Arbitrary<Value>, fc.Arbitrary<Value>]>(
    fc.record<ObjectValue>({ property: names, value: odd }),
    messyObject({ property: names, value: odd, id: words, description: words }),
  ),
  { maxLength: 3 },
)
const definitions: fc.Arbitrary<Value> = fc.array(
  fc.oneof<[fc.Arbitrary<Value>, fc.Arbitrary<Value>]>(
    fc.record<ObjectValue>({ type: names, url: words }),
    messyObject({ type: names, url: words, description: words }),
  ),
  { maxLength: 3 },
)
const extras = { tags: texts, customProperties: properties, authoritativeDefinitions: definitions }

/** Generates documents that resemble ODPS, with anything in any position. */
export const odpsDocuments = messyObject({
  apiVersion: words,
  kind: fc.constant('DataProduct'),
  id: words,
  name: words,
  version: words,
  status: words,
  domain: words,
  tenant: words,
  type: words,
  productCreatedTs: words,
  description: messyObject({ purpose: words, usage: words, customProperties: properties }),
  team: fc.oneof(messyObject({ name: words, members: fc.array(odd, { maxLength: 1 }) }), odd),
  support: fc.array(messyObject({ channel: words, url: words }), { maxLength: 1 }),
  inputPorts: fc.array(messyObject({ name: words, version: words, contractId: words, ...extras }), {
    maxLength: 2,
  }),
  outputPorts: fc.array(
    messyObject({
      id: words,
      name: words,
      version: words,
      contractId: words,
      sbom: fc.array(odd, { maxLength: 1 }),
      ...extras,
    }),
    { maxLength: 2 },
  ),
  ...extras,
})

const URLS = [
  'https://example.com',
  'http://a.b:8080/c/d%20e?f=g&h#i',
  'https://[::1]/',
  'ftp://x/',
]

const name = fc.oneof(names, fc.string({ maxLength: 5 }))
const textMap = fc
  .array(fc.tuple(name, fc.oneof(words, fc.constantFrom(...URLS))), { maxLength: 3 })
  .map(toObject)
const validPort = {
  description: fc.string(),
  type: words,
  location: words,
  links: textMap,
  custom: textMap,
  tags: texts,
}
/** Generates valid DPS documents with arbitrary names and values of the right types. */
export const validDps: fc.Arbitrary<Value> = fc
  .tuple(
    fc.record({ id: words, info: fc.record({ title: fc.string(), owner: words }) }),
    fc.record(
      {
        dataProductSpecification: fc.constant('0.0.1'),
        links: textMap,
        custom: textMap,
        tags: texts,
        inputPorts: fc.array(
          fc
            .tuple(
              fc.record({ id: fc.string(), name: words, sourceSystemId: words }),
              fc.record(validPort, { requiredKeys: [] }),
            )
            .map(([required, optional]) => ({ ...optional, ...required })),
          { maxLength: 2 },
        ),
        outputPorts: fc.array(
          fc
            .tuple(
              fc.record({ id: fc.string(), name: words }),
              fc.record(
                {
                  ...validPort,
                  status: words,
                  server: textMap,
                  containsPii: fc.boolean(),
                  autoApprove: fc.boolean(),
                  dataContractId: words,
                },
                { requiredKeys: [] },
              ),
            )
            .map(([required, optional]) => ({ ...optional, ...required })),
          { maxLength: 2 },
        ),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([required, optional]) => ({ ...optional, ...required }))
