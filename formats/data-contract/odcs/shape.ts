// The shapes of an ODCS document, version by version: the JSON Schemas of the Open Data Contract Standard, bitol.io,
// and what the catalog reads more loosely or describes better.

import { adaptObject, adaptText, alsoRead } from '../../shape/adapt.ts'
import { fromJsonSchema, type Overlay } from '../../shape/from-json-schema.ts'
import { lazy } from '../../shape/lazy.ts'
import { nearestName } from '../../shape/nearest.ts'
import {
  any,
  choice,
  flag,
  object,
  set,
  text,
  type ObjectShape,
  type FieldRule,
  type Shape,
} from '../../shape/shape.ts'
import { getField, asText } from '../../text/value.ts'
import { hasVariable } from '../../text/variables.ts'

// Advice for native types that are often used as logical types.

const TYPES: readonly (readonly [logicalType: string, words: string])[] = [
  ['string', 'varchar nvarchar char nchar character text clob varchar2 uuid json jsonb xml enum'],
  [
    'integer',
    'int int4 int8 int16 int32 int64 bigint smallint tinyint mediumint long short serial',
  ],
  ['number', 'decimal numeric float float4 float8 float32 float64 double real money bignumeric'],
  ['boolean', 'bool bit'],
  [
    'timestamp',
    'timestamp datetime datetime2 timestamptz timestamp_tz timestamp_ntz timestamp_ltz',
  ],
  ['object', 'struct record row variant'],
  ['array', 'list repeated'],
]

/** Returns the advice for each native type, given the logical types of a version. */
function listTypeAdvice(logicalTypes: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    TYPES.flatMap(([logicalType, words]) => {
      // Before v3.1.0 an instant is a date.
      const known = logicalTypes.includes(logicalType) ? logicalType : 'date'
      return words.split(' ').map((word): [string, string] => {
        return [word, `write logicalType: ${known}, and set physicalType to ${word}`]
      })
    }),
  )
}

import v222 from '../../standards/odcs-v2.2.2.schema.json' with { type: 'json' }
import v300 from '../../standards/odcs-v3.0.0.schema.json' with { type: 'json' }
import v301 from '../../standards/odcs-v3.0.1.schema.json' with { type: 'json' }
import v302 from '../../standards/odcs-v3.0.2.schema.json' with { type: 'json' }
import v310 from '../../standards/odcs-v3.1.0.schema.json' with { type: 'json' }
import v320 from '../../standards/odcs-v3.2.0.schema.json' with { type: 'json' }

/** The statuses that every organization understands; organizations may define others. */
export const STATUSES = ['proposed', 'draft', 'active', 'deprecated', 'retired']

const DESCRIPTION = adaptObject({
  hint: 'description is an object in ODCS; move the text to description.purpose',
})

const SETS =
  'tags customProperties authoritativeDefinitions servers roles slaProperties quality enum relationships synonyms verifiedStatements constraints'

const TOOL = adaptText({
  customary: ['email', 'slack', 'teams', 'discord', 'ticket', 'other'],
})
const SCOPE = adaptText({ customary: ['interactive', 'announcements', 'issues'] })

const BOTH_ALIKE: FieldRule = {
  field: 'to',
  holds: (value) => {
    const [from, to] = [getField(value, 'from'), getField(value, 'to')]
    return from === undefined || to === undefined || Array.isArray(from) === Array.isArray(to)
  },
  message: 'Either both "from" and "to" must be lists, or neither.',
}

const DOCUMENT = {
  instead: {
    info: 'it belongs to DCS; in ODCS name, version and status are top-level fields, the owner is team.name, and the description is description.purpose',
    models: 'it belongs to DCS; in ODCS models are a list in schema',
    servicelevels: 'it belongs to DCS; in ODCS service levels are a list in slaProperties',
  },
}

const OVERLAY: Overlay = {
  sets: SETS.split(' '),
  exactlyOne:
    'The standard requires exactly one comparison here, such as mustBe or mustBeLessThan.',
  parts: {
    '': adaptObject({ ...DOCUMENT, recommended: ['name', 'schema'] }),
    status: adaptText({ customary: STATUSES }),
    description: DESCRIPTION,
    'Support[].tool': TOOL,
    'SupportItem.tool': TOOL,
    'Support[].scope': SCOPE,
    'SupportItem.scope': SCOPE,
    Server: withNearestType,
    'SchemaBaseProperty.logicalType': withTypeAdvice,
    'SchemaObject.logicalType': adaptText({
      instead: new Map([['blob', 'it is not part of v3.2.0, and the model is read as a file']]),
    }),
    'SchemaBaseProperty.logicalTypeOptions': withBothBounds,
    RelationshipSchemaLevel: adaptObject({ rules: [BOTH_ALIKE] }),
  },
}

// Before v3.1.0 there was a list of members instead of a team, and bounds were exclusive or not.
const FIRST_OVERLAY: Overlay = {
  ...OVERLAY,
  parts: {
    ...OVERLAY.parts,
    team: (members, find) => {
      const extras = {
        tags: find('Tags'),
        customProperties: find('CustomProperties'),
        authoritativeDefinitions: find('AuthoritativeDefinitions'),
      }
      const fields = { name: text(), description: text(), members, ...extras }
      const hint =
        'Before v3.1.0 team is a list of members; set apiVersion to v3.1.0 to use a team with a name.'
      return alsoRead(object({ fields, closed: true }), hint)(members, find)
    },
  },
}

// A misspelt type is treated as the intended type, so that the fields of that type are not reported as unknown.
function withNearestType(official: Shape): Shape {
  if (official.kind !== 'choice') return official
  const type = official.choose({}).fields.get('type')
  const types = type?.kind === 'text' ? (type.allowed ?? []) : []
  return choice((value) => {
    const stated = asText(getField(value, 'type')) ?? ''
    if (hasVariable(stated)) return official.choose({ ...value, type: 'custom' })
    const nearest = types.includes(stated) ? undefined : nearestName(stated, types)
    return official.choose(nearest === undefined ? value : { ...value, type: nearest })
  })
}

function withTypeAdvice(official: Shape): Shape {
  if (official.kind !== 'text') return official
  return { ...official, instead: listTypeAdvice(official.allowed ?? []) }
}

// Exclusive bounds: a boolean for the bound before v3.1.0, since then a separate bound.
function withBothBounds(official: Shape): Shape {
  if (official.kind !== 'object') return official
  const fields = new Map(official.fields)
  for (const name of ['exclusiveMinimum', 'exclusiveMaximum']) {
    const [own, bound] = [
      fields.get(name),
      fields.get(name.slice('exclusive'.length).toLowerCase()),
    ]
    if (own === undefined || bound === undefined) continue
    const isFirst = own.kind === 'flag'
    const hint = isFirst
      ? 'Before v3.1.0 this is true or false; set apiVersion to v3.1.0 to use a bound.'
      : 'Since v3.1.0 this is the bound itself.'
    fields.set(name, { kind: 'either', official: own, seen: isFirst ? bound : flag, hint })
  }
  return { ...official, fields }
}

const OVERLAY_2: Overlay = {
  sets: SETS.split(' '),
  parts: {
    // Fields of later versions for the owner and the id of the contract.
    '': adaptObject({
      seen: {
        id: text(),
        name: text(),
        domain: text(),
        team: any,
        customProperties: set(object({ fields: { property: text(), value: any } })),
      },
    }),
    description: DESCRIPTION,
    // The official schema requires an object here, the examples of the standard have text.
    'CustomProperty.value': alsoRead(any, 'The official schema of v2.2.2 requires an object here.'),
  },
}

/** An ODCS 2.2 document. */
export const odcs2Shape: ObjectShape = fromJsonSchema(v222, OVERLAY_2)

/** The newest shape, which is used to compare documents of all 3.x versions. */
export const ODCS_NEWEST = fromJsonSchema(v320, {
  ...OVERLAY,
  // Since v3.2.0 the name and the schema are optional.
  parts: { ...OVERLAY.parts, '': adaptObject(DOCUMENT) },
})

const SHAPES: ReadonlyMap<string, () => ObjectShape> = new Map([
  ...['v2.2.2', 'v2.2.1', 'v2.2.0'].map((version) => [version, () => odcs2Shape] as const),
  ['v3.0.0', lazy(() => fromJsonSchema(v300, FIRST_OVERLAY))],
  ['v3.0.1', lazy(() => fromJsonSchema(v301, FIRST_OVERLAY))],
  ['v3.0.2', lazy(() => fromJsonSchema(v302, FIRST_OVERLAY))],
  ['v3.1.0', lazy(() => fromJsonSchema(v310, OVERLAY))],
])

/** The versions of ODCS that are read. */
export const ODCS_VERSIONS = { standard: 'ODCS', known: [...SHAPES.keys(), 'v3.2.0'] }

/** Returns the shape of an ODCS version; the newest one if the version is absent or unknown. */
export function odcsShape(version: string | undefined): ObjectShape {
  return SHAPES.get(version ?? '')?.() ?? ODCS_NEWEST
}
