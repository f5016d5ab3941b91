// The shapes of a DCS document, version by version: the JSON Schemas of the Data Contract Specification,
// datacontract.com, and what the catalog reads more loosely. All of them allow other fields everywhere.

import { adaptObject, alsoRead } from '../../shape/adapt.ts'
import { type Adapt, fromJsonSchema } from '../../shape/from-json-schema.ts'
import { lazy } from '../../shape/lazy.ts'
import { any, flag, list, number, type ObjectShape, oneOf, type Shape } from '../../shape/shape.ts'
import { text } from '../../shape/shape.ts'
import v090 from '../../standards/dcs-0.9.0.schema.json' with { type: 'json' }
import v093 from '../../standards/dcs-0.9.3.schema.json' with { type: 'json' }
import v110 from '../../standards/dcs-1.1.0.schema.json' with { type: 'json' }
import v121 from '../../standards/dcs-1.2.1.schema.json' with { type: 'json' }
import type { ObjectValue } from '../../text/value.ts'

// All versions, oldest first.
const DCS_VERSIONS = ['0.9.0', '0.9.1', '0.9.2', '0.9.3', '1.1.0', '1.2.0', '1.2.1'] as const

// The statuses of DCS.
const DCS_STATUSES = ['proposed', 'in development', 'active', 'deprecated', 'retired']

// The official schema requires text for examples and enumerations; numbers and booleans are common too.
const WORD = alsoRead(oneOf(number(), flag), 'The standard requires text here; put it in quotes.')

// Under the official schema a specification is a text or an object; lists of tables and records are common too.
const SPECIFICATION = alsoRead(list(any), 'The standard requires text or an object here.')

const PARTS: { readonly [address: string]: Adapt } = {
  info: adaptObject({
    fields: { status: text({ customary: DCS_STATUSES }) },
    seen: { dataProduct: text(), outputPort: text() },
  }),
  'schema.specification': SPECIFICATION,
  'quality.specification': SPECIFICATION,
  'models.*.fields.*.enum[]': WORD,
  'models.*.fields.*.example': WORD,
  'definitions.*.example': WORD,
}

// Fields of later versions that were common before.
const LATER_PARTS: { readonly [address: string]: Adapt } = {
  'models.*': adaptObject({ seen: { primaryKey: list(text()) } }),
  'models.*.fields.*': adaptObject({ seen: { primaryKey: flag, examples: list(any) } }),
}

function compile(schema: ObjectValue, more: { readonly [address: string]: Adapt } = {}) {
  const sets = ['tags', 'roles', 'quality']
  return lazy(() => fromJsonSchema(schema, { sets, parts: { ...PARTS, ...more } }))
}

const first = compile(v090)
const second = compile(v093, LATER_PARTS)
const third = compile(v110)
const newest = compile(v121)

function pick(shape: ObjectShape, names: readonly string[]): [string, Shape][] {
  return [...shape.fields].filter(([name]) => names.includes(name))
}

// Fields of other versions are also read, with the shape of the nearest version. Since 1.1.0 examples and quality
// rules are parts of models, and top-level fields with these names may have any value.
const SHARED = ['models', 'definitions', 'servicelevels', 'links', 'tags']

function dcs(
  stated: (typeof DCS_VERSIONS)[number],
  official: () => ObjectShape,
  seen = ['schema', 'examples', 'quality'],
): () => ObjectShape {
  const allowed = DCS_VERSIONS.slice(0, DCS_VERSIONS.indexOf(stated) + 1).toReversed()
  return lazy(() => ({
    ...official(),
    fields: new Map([...official().fields, ['dataContractSpecification', text({ allowed })]]),
    seen: new Map([...pick(second(), seen), ...pick(newest(), SHARED)]),
  }))
}

/** The newest shape, which is used to compare documents of all versions. */
export const DCS_NEWEST = dcs('1.2.1', newest)()

const getNewestRead = dcs('1.2.1', newest, ['schema'])

const SHAPES: ReadonlyMap<string, () => ObjectShape> = new Map([
  ['0.9.0', dcs('0.9.0', first)],
  // Fields of 0.9.3 are allowed as other fields in the official schemas of these two versions.
  ['0.9.1', dcs('0.9.1', second)],
  ['0.9.2', dcs('0.9.2', second)],
  ['0.9.3', dcs('0.9.3', second)],
  ['1.1.0', dcs('1.1.0', third, ['schema'])],
  ['1.2.0', dcs('1.2.0', newest, ['schema'])],
  ['1.2.1', getNewestRead],
])

/** Returns the shape of a DCS version; the newest one if the version is absent or unknown. */
export function dcsShape(version: string | undefined): ObjectShape {
  return (SHAPES.get(version ?? '') ?? getNewestRead)()
}
