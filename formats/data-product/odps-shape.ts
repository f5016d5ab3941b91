// The shapes of an ODPS document, version by version. Source: Open Data Product Standard, bitol.io, JSON Schemas of
// v0.9.0, v1.0.0 and v1.1.0. Later versions add fields and require fewer.

import { any, flag, list, object, type ObjectShape, set, type Shape, text } from '../shape/shape.ts'
import { ARCHETYPES } from './dps-shape.ts'

export type OdpsVersion = 'v0.9.0' | 'v1.0.0' | 'v1.1.0'

/** The statuses that every organization understands; organizations may define others. */
export const STATUSES = ['proposed', 'draft', 'active', 'deprecated', 'retired']

// v1.1.0 has its own notation for archetypes; the older, hyphenated one is accepted too.
const TYPES = ['sourceAligned', 'consumerAligned', ...ARCHETYPES]

const DEFINITION_TYPES = [
  'businessDefinition',
  'transformationImplementation',
  'videoTutorial',
  'tutorial',
  'implementation',
]

const DESCRIPTION_HINT = 'description is an object in ODPS; move the text to description.purpose'
const TEAM_HINT = 'team is an object in ODPS; move the id of the owning team to team.name'

// Parts that all versions share and use in many positions.
function parts(version: OdpsVersion) {
  const isFirst = version === 'v0.9.0'
  const id = version === 'v1.1.0' ? { id: text() } : {}
  const deprecated = version === 'v1.1.0' ? { deprecated: flag } : {}
  const customProperties = set(
    object({
      fields: { ...id, property: text(), value: any, description: text() },
      required: ['property', 'value'],
      closed: true,
    }),
  )
  const authoritativeDefinitions = set(
    object({
      fields: {
        ...id,
        type: text(isFirst ? { allowed: DEFINITION_TYPES } : {}),
        url: text({ format: 'uri' }),
        description: text(),
      },
      required: ['type', 'url'],
      closed: true,
    }),
  )
  const extras = { tags: set(text()), customProperties, authoritativeDefinitions }
  // The first version allowed these only in some parts.
  const laterExtras = isFirst ? {} : extras
  return { id, deprecated, extras, laterExtras, customProperties, authoritativeDefinitions }
}

type Parts = ReturnType<typeof parts>

function description({ customProperties, authoritativeDefinitions }: Parts): ObjectShape {
  return object({
    fields: {
      purpose: text(),
      limitations: text(),
      usage: text(),
      authoritativeDefinitions,
      customProperties,
    },
    closed: true,
    hint: DESCRIPTION_HINT,
  })
}

function synonyms({ customProperties }: Parts): Shape {
  return list(
    object({
      fields: {
        id: text(),
        synonym: text(),
        description: text(),
        locale: text(),
        source: text(),
        status: text(),
        customProperties,
      },
      required: ['synonym'],
      closed: true,
    }),
  )
}

// Guidance for programs that use the product (v1.1.0).
function context({ extras }: Parts): Shape {
  const statement = object({
    fields: { id: text(), question: text(), answer: text(), ...extras },
    required: ['question'],
    closed: true,
  })
  const constraint = object({
    fields: { id: text(), constraint: text(), ...extras },
    required: ['constraint'],
    closed: true,
  })
  return object({
    fields: {
      instructions: text(),
      verifiedStatements: list(statement),
      constraints: list(constraint),
    },
    closed: true,
  })
}

// Fields of ports that have different names in DPS.
const PORT_OF_DPS = {
  dataContractId: 'write contractId',
  links: 'write authoritativeDefinitions, a list of types with their url',
  custom: 'write customProperties, a list of properties with their value',
}

function inputPort(version: OdpsVersion, { id, deprecated, laterExtras }: Parts): ObjectShape {
  return object({
    fields: {
      ...deprecated,
      ...id,
      name: text(),
      version: text(),
      contractId: text(),
      ...laterExtras,
    },
    required: version === 'v1.1.0' ? ['name'] : ['name', 'version', 'contractId'],
    instead: PORT_OF_DPS,
    closed: true,
  })
}

function outputPort(version: OdpsVersion, shared: Parts): ObjectShape {
  const { id, deprecated, laterExtras } = shared
  const added = version === 'v1.1.0' ? { synonyms: synonyms(shared), context: context(shared) } : {}
  const sbom = object({
    fields: { ...id, type: text(), url: text({ format: 'uri' }) },
    required: version === 'v1.1.0' ? [] : ['url'],
    closed: true,
  })
  const inputContract = object({
    fields: { id: text(), version: text() },
    required: ['id', 'version'],
    closed: true,
  })
  return object({
    fields: {
      ...deprecated,
      ...id,
      name: text(),
      description: text(),
      type: text(),
      version: text(),
      contractId: text(),
      sbom: list(sbom),
      inputContracts: list(inputContract),
      ...laterExtras,
      ...added,
    },
    required: version === 'v1.1.0' ? ['name'] : ['name', 'version'],
    instead: PORT_OF_DPS,
    closed: true,
  })
}

function managementPort({ id, deprecated, extras }: Parts): ObjectShape {
  return object({
    fields: {
      ...deprecated,
      ...id,
      name: text(),
      content: text({ customary: ['discoverability', 'observability', 'control', 'dictionary'] }),
      type: text({ customary: ['rest', 'topic'] }),
      url: text({ format: 'uri' }),
      channel: text(),
      description: text(),
      ...extras,
    },
    required: ['name', 'content'],
    closed: true,
  })
}

function support({ id, extras }: Parts): ObjectShape {
  return object({
    fields: {
      ...id,
      channel: text(),
      url: text({ format: 'uri' }),
      description: text(),
      tool: text({ customary: ['email', 'slack', 'teams', 'discord', 'ticket', 'other'] }),
      scope: text({ customary: ['interactive', 'announcements', 'issues'] }),
      invitationUrl: text({ format: 'uri' }),
      ...extras,
    },
    required: ['channel', 'url'],
    closed: true,
  })
}

// The first version had a list of members instead of a team; both occur in documents of that version.
function team(version: OdpsVersion, { id, extras }: Parts): Shape {
  const member = object({
    fields: {
      ...id,
      username: text(),
      name: text(),
      description: text(),
      role: text(),
      dateIn: text({ format: 'date' }),
      dateOut: text({ format: 'date' }),
      replacedByUsername: text(),
      ...extras,
    },
    required: version === 'v0.9.0' ? [] : ['username'],
    closed: true,
  })
  const whole = object({
    fields: { name: text(), description: text(), members: list(member), ...extras },
    closed: true,
    hint: TEAM_HINT,
  })
  if (version !== 'v0.9.0') return whole
  const hint =
    'In v0.9.0 team is a list of members; set apiVersion to v1.0.0 to use a team with a name.'
  return { kind: 'either', official: list(member), seen: whole, hint }
}

function odps(version: OdpsVersion): ObjectShape {
  const shared = parts(version)
  const versions = ['v0.9.0', 'v1.0.0', 'v1.1.0']
  const added =
    version === 'v1.1.0'
      ? {
          synonyms: synonyms(shared),
          context: context(shared),
          type: text({ customary: TYPES }),
          deprecated: flag,
        }
      : {}
  return object({
    fields: {
      apiVersion: text({ allowed: versions.slice(0, versions.indexOf(version) + 1) }),
      kind: text({ allowed: ['DataProduct'] }),
      id: text(),
      name: text(),
      version: text(),
      status: text({ customary: STATUSES }),
      domain: text(),
      tenant: text(),
      description: description(shared),
      ...shared.extras,
      ...added,
      inputPorts: set(inputPort(version, shared)),
      outputPorts: set(outputPort(version, shared)),
      managementPorts: set(managementPort(shared)),
      support: list(support(shared)),
      team: team(version, shared),
      productCreatedTs: text({ format: 'date-time' }),
    },
    required:
      version === 'v1.1.0' ? ['apiVersion', 'kind', 'id'] : ['apiVersion', 'kind', 'id', 'status'],
    recommended: version === 'v1.1.0' ? ['status', 'version'] : ['version'],
    instead: {
      info: 'it belongs to DPS; in ODPS name and status are top-level fields, the owner is team.name, and the description is description.purpose',
    },
    closed: true,
  })
}

const SHAPES: ReadonlyMap<string, ObjectShape> = new Map([
  ['v0.9.0', odps('v0.9.0')],
  ['v1.0.0', odps('v1.0.0')],
  ['v1.1.0', odps('v1.1.0')],
])

/** The newest shape, which is used to compare documents of all versions. */
export const ODPS_NEWEST = odps('v1.1.0')

/** Returns the shape of an ODPS version; the newest one if the version is absent or unknown. */
export function odpsShape(version: string | undefined): ObjectShape {
  return SHAPES.get(version ?? '') ?? ODPS_NEWEST
}
