// The shapes of an ODPS document, version by version: the JSON Schemas of the Open Data Product Standard, bitol.io, and
// what the catalog reads more loosely or describes better. Later versions add fields and require fewer.

import { adaptObject, adaptText, alsoRead } from '../shape/adapt.ts'
import { type Adapt, fromJsonSchema } from '../shape/from-json-schema.ts'
import { lazy } from '../shape/lazy.ts'
import { object, type ObjectShape, set, text } from '../shape/shape.ts'
import v090 from '../standards/odps-v0.9.0.schema.json' with { type: 'json' }
import v100 from '../standards/odps-v1.0.0.schema.json' with { type: 'json' }
import v110 from '../standards/odps-v1.1.0.schema.json' with { type: 'json' }
import type { ObjectValue } from '../text/value.ts'
import { ARCHETYPES } from './data-product.ts'

/** The statuses that every organization understands; organizations may define others. */
const STATUSES = ['proposed', 'draft', 'active', 'deprecated', 'retired']

const TEAM_HINT = 'team is an object in ODPS; move the id of the owning team to team.name'

// Fields of ports that have different names in DPS.
const PORT = adaptObject({
  instead: {
    dataContractId: 'write contractId',
    links: 'write authoritativeDefinitions, a list of types with their url',
    custom: 'write customProperties, a list of properties with their value',
  },
})

const DOCUMENT = {
  recommended: ['version'],
  instead: {
    info: 'it belongs to DPS; in ODPS name and status are top-level fields, the owner is team.name, and the description is description.purpose',
  },
}

const PARTS: { readonly [address: string]: Adapt } = {
  '': adaptObject(DOCUMENT),
  status: adaptText({ customary: STATUSES }),
  // v1.1.0 has its own notation for archetypes; the older, hyphenated one is accepted too.
  type: adaptText({ customary: ['sourceAligned', 'consumerAligned', ...ARCHETYPES] }),
  Description: adaptObject({
    hint: 'description is an object in ODPS; move the text to description.purpose',
  }),
  InputPort: PORT,
  OutputPort: PORT,
  'ManagementPort.content': adaptText({
    customary: ['discoverability', 'observability', 'control', 'dictionary'],
  }),
  'ManagementPort.type': adaptText({ customary: ['rest', 'topic'] }),
  'Support.tool': adaptText({
    customary: ['email', 'slack', 'teams', 'discord', 'ticket', 'other'],
  }),
  'Support.scope': adaptText({ customary: ['interactive', 'announcements', 'issues'] }),
  Team: adaptObject({ hint: TEAM_HINT }),
}

// The first version had a list of members instead of a team; both occur in documents of that version.
const withTeam: Adapt = (members, find) => {
  const fields = {
    name: text(),
    description: text(),
    members,
    tags: find('Tags'),
    customProperties: set(find('CustomProperty')),
    authoritativeDefinitions: set(find('AuthoritativeDefinition')),
  }
  const hint =
    'In v0.9.0 team is a list of members; set apiVersion to v1.0.0 to use a team with a name.'
  return alsoRead(object({ fields, closed: true, hint: TEAM_HINT }), hint)(members, find)
}

function compile(schema: ObjectValue, more: { readonly [address: string]: Adapt }) {
  const sets =
    'tags customProperties authoritativeDefinitions inputPorts outputPorts managementPorts synonyms verifiedStatements constraints'
  return fromJsonSchema(schema, { sets: sets.split(' '), parts: { ...PARTS, ...more } })
}

/** The newest shape, which is used to compare documents of all versions. */
export const ODPS_NEWEST: ObjectShape = compile(v110, {
  // Since v1.1.0 the version and the status are optional.
  '': adaptObject({ ...DOCUMENT, recommended: [] }),
})

const SHAPES: ReadonlyMap<string, () => ObjectShape> = new Map([
  ['v0.9.0', lazy(() => compile(v090, { team: withTeam }))],
  ['v1.0.0', lazy(() => compile(v100, {}))],
])

/** The versions of ODPS that are read. */
export const ODPS_VERSIONS = { standard: 'ODPS', known: [...SHAPES.keys(), 'v1.1.0'] }

/** Returns the shape of an ODPS version; the newest one if the version is absent or unknown. */
export function odpsShape(version: string | undefined): ObjectShape {
  return SHAPES.get(version ?? '')?.() ?? ODPS_NEWEST
}
