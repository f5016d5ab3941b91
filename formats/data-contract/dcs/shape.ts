// The shapes of a DCS document, version by version. Source: Data Contract Specification, datacontract.com, JSON
// Schemas of 0.9.0 to 1.2.1. All of them allow other fields everywhere.

import {
  any,
  flag,
  list,
  object,
  type ObjectShape,
  oneOf,
  set,
  type Shape,
  text,
} from '../../shape/shape.ts'
import { dcsLinks, dcsModels } from './model-shape.ts'
import { dcsServers, type DcsVersion } from './server-shape.ts'

/** All versions, oldest first. */
export const DCS_VERSIONS = ['0.9.0', '0.9.1', '0.9.2', '0.9.3', '1.1.0', '1.2.0', '1.2.1'] as const

/** The statuses of DCS. */
export const DCS_STATUSES = ['proposed', 'in development', 'active', 'deprecated', 'retired']

/** The languages in which `schema.specification` may be written. */
export const SCHEMA_TYPES = [
  'dbt',
  'bigquery',
  'json-schema',
  'sql-ddl',
  'avro',
  'protobuf',
  'custom',
]

function texts(names: string): { [name: string]: Shape } {
  return Object.fromEntries(names.split(' ').map((name) => [name, text()]))
}

function info(version: DcsVersion): ObjectShape {
  const product = texts('dataProduct outputPort')
  return object({
    fields: {
      ...(version === '0.9.0' ? product : {}),
      ...texts('title version description owner'),
      status: text({ customary: DCS_STATUSES }),
      contact: object({
        fields: { name: text(), url: text({ format: 'uri' }), email: text({ format: 'email' }) },
      }),
    },
    seen: product,
    required: ['title', 'version'],
  })
}

const tags = set(text())

// Under the official schema a specification is a text or an object; lists of tables and records are common too.
const specification: Shape = {
  kind: 'either',
  official: oneOf(text(), object({ fields: {} })),
  seen: list(any),
  hint: 'The standard requires text or an object here.',
}

const schema = object({
  fields: { type: text({ allowed: SCHEMA_TYPES }), specification },
  required: ['type', 'specification'],
})

function quality(types: readonly string[]): ObjectShape {
  return object({
    fields: { type: text({ allowed: types }), specification },
    required: ['type', 'specification'],
  })
}

function examples(data: Shape, required: readonly string[]): Shape {
  return list(
    object({
      fields: {
        ...texts('description model'),
        type: text({ allowed: ['csv', 'json', 'yaml', 'custom'] }),
        data,
      },
      required,
    }),
  )
}

const servicelevels = object({
  fields: {
    availability: object({
      fields: { description: text(), percentage: text({ format: 'percentage' }) },
    }),
    retention: object({
      fields: { ...texts('description period timestampField'), unlimited: flag },
    }),
    latency: object({
      fields: texts('description threshold sourceTimestampField processedTimestampField'),
    }),
    freshness: object({ fields: texts('description threshold timestampField') }),
    frequency: object({
      fields: {
        ...texts('description interval cron'),
        type: text({ allowed: ['batch', 'micro-batching', 'streaming', 'manual'] }),
      },
    }),
    support: object({ fields: texts('description time responseTime') }),
    backup: object({
      fields: texts('description interval cron recoveryTime recoveryPoint'),
    }),
  },
})

const policy = object({ fields: { ...texts('type description'), url: text({ format: 'uri' }) } })

function terms(version: DcsVersion): ObjectShape {
  const isLater = version === '1.1.0' || version === '1.2.1'
  return object({
    fields: {
      ...texts('usage limitations billing noticePeriod'),
      ...(isLater ? { policies: list(policy) } : {}),
    },
  })
}

// The fields of a version that not all versions have.
function own(version: DcsVersion): { [name: string]: Shape } {
  if (version === '0.9.0') {
    return {
      schema,
      examples: examples(text(), ['type', 'model', 'data']),
      quality: quality(['SodaCL', 'montecarlo', 'custom']),
    }
  }
  const later = { ...dcsModels(version), servicelevels, links: dcsLinks, tags }
  if (version !== '0.9.3') return later
  return {
    ...later,
    schema,
    examples: examples(oneOf(text(), list(any)), ['type', 'data']),
    quality: quality(['SodaCL', 'montecarlo', 'great-expectations', 'custom']),
  }
}

// Fields of other versions are also read, with the shape of the nearest version.
const SEEN = { ...own('0.9.3'), ...own('1.2.1') }

// Since 1.1.0 examples and quality rules are parts of models, and top-level fields with these names may have any
// value.
const { examples: _, quality: __, ...SEEN_SINCE_1_1 } = SEEN

function dcs(
  stated: (typeof DCS_VERSIONS)[number],
  version: DcsVersion,
  seen: { readonly [name: string]: Shape } = SEEN,
): ObjectShape {
  const allowed = DCS_VERSIONS.slice(0, DCS_VERSIONS.indexOf(stated) + 1).toReversed()
  return object({
    fields: {
      dataContractSpecification: text({ allowed }),
      id: text(),
      info: info(version),
      servers: dcsServers(version),
      terms: terms(version),
      ...own(version),
    },
    seen,
    required: ['dataContractSpecification', 'id', 'info'],
  })
}

/** The newest shape, which is used to compare documents of all versions. */
export const DCS_NEWEST = dcs('1.2.1', '1.2.1')

const NEWEST_READ = dcs('1.2.1', '1.2.1', SEEN_SINCE_1_1)

const SHAPES: ReadonlyMap<string, ObjectShape> = new Map([
  ['0.9.0', dcs('0.9.0', '0.9.0')],
  // The official schemas of these two versions are no longer available; fields of 0.9.3 are allowed as other fields.
  ['0.9.1', dcs('0.9.1', '0.9.3')],
  ['0.9.2', dcs('0.9.2', '0.9.3')],
  ['0.9.3', dcs('0.9.3', '0.9.3')],
  ['1.1.0', dcs('1.1.0', '1.1.0', SEEN_SINCE_1_1)],
  ['1.2.0', dcs('1.2.0', '1.2.1', SEEN_SINCE_1_1)],
  ['1.2.1', NEWEST_READ],
])

/** Returns the shape of a DCS version; the newest one if the version is absent or unknown. */
export function dcsShape(version: string | undefined): ObjectShape {
  return SHAPES.get(version ?? '') ?? NEWEST_READ
}
