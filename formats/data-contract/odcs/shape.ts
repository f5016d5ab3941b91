// The shapes of an ODCS document, version by version. Source: Open Data Contract Standard, bitol.io, JSON Schemas of
// v2.2.2 to v3.2.0.

import {
  list,
  number,
  object,
  type ObjectShape,
  oneOf,
  set,
  type Shape,
  text,
} from '../../shape/shape.ts'
import { ODCS_2_VERSIONS, odcs2Shape } from './version-2-shape.ts'
import { isSince, ODCS_3_VERSIONS, odcsContext, odcsParts, odcsRole } from './parts-shape.ts'
import { type Odcs3Version, type OdcsParts, scalar } from './parts-shape.ts'
import { odcsSchemaObject } from './schema-shape.ts'
import { odcsServer } from './server-shape.ts'

/** The statuses that every organization understands; organizations may define others. */
export const STATUSES = ['proposed', 'draft', 'active', 'deprecated', 'retired']

const DESCRIPTION_HINT = 'description is an object in ODCS; move the text to description.purpose'

function description(parts: OdcsParts): ObjectShape {
  const { customProperties, authoritativeDefinitions } = parts
  const added = parts.version === 'v3.0.0' ? {} : { authoritativeDefinitions, customProperties }
  return object({
    fields: { usage: text(), purpose: text(), limitations: text(), ...added },
    hint: DESCRIPTION_HINT,
  })
}

function support({ id, closed, customProperties }: OdcsParts): ObjectShape {
  return object({
    fields: {
      ...id,
      channel: text(),
      url: text(),
      description: text(),
      tool: text({ customary: ['email', 'slack', 'teams', 'discord', 'ticket', 'other'] }),
      scope: text({ customary: ['interactive', 'announcements', 'issues'] }),
      invitationUrl: text(),
      ...(closed ? { customProperties } : {}),
    },
    required: closed ? ['channel'] : ['channel', 'url'],
    closed,
  })
}

// The first versions had a list of members instead of a team. It is still accepted.
function team({ version, id, closed, extras }: OdcsParts): Shape {
  const member = object({
    fields: {
      ...id,
      username: text(),
      ...(isSince(version, 'v3.0.2') ? { name: text(), description: text() } : {}),
      role: text(),
      dateIn: text({ format: 'date' }),
      dateOut: text({ format: 'date' }),
      replacedByUsername: text(),
      ...(closed ? extras : {}),
    },
    required: closed ? ['username'] : [],
    closed,
  })
  const whole = object({
    fields: { ...id, name: text(), description: text(), members: list(member), ...extras },
    closed: true,
  })
  if (closed) return oneOf(whole, list(member))
  const hint =
    'Before v3.1.0 team is a list of members; set apiVersion to v3.1.0 to use a team with a name.'
  return { kind: 'either', official: list(member), seen: whole, hint }
}

function serviceLevel({ id, closed }: OdcsParts): ObjectShape {
  const added = closed ? { description: text(), scheduler: text(), schedule: text() } : {}
  return object({
    fields: {
      ...id,
      property: text(),
      value: scalar,
      valueExt: scalar,
      unit: text(),
      element: text(),
      driver: text(),
      ...added,
    },
    required: ['property', 'value'],
    closed,
  })
}

function odcs3(version: Odcs3Version): ObjectShape {
  const parts = odcsParts(version)
  const known = ODCS_3_VERSIONS.slice(0, ODCS_3_VERSIONS.indexOf(version) + 1)
  const price = object({
    fields: { ...parts.id, priceAmount: number(), priceCurrency: text(), priceUnit: text() },
    closed: parts.closed,
  })
  const isFirst = version === 'v3.0.0'
  return object({
    fields: {
      version: text(),
      kind: text({ allowed: ['DataContract'] }),
      apiVersion: text({ allowed: [...known.toReversed(), ...ODCS_2_VERSIONS] }),
      id: text(),
      name: text(),
      tenant: text(),
      tags: parts.extras.tags,
      status: text({ customary: STATUSES }),
      servers: set(odcsServer(parts)),
      dataProduct: text(),
      description: description(parts),
      domain: text(),
      schema: list(odcsSchemaObject(parts)),
      support: list(support(parts)),
      price,
      team: team(parts),
      roles: set(odcsRole(parts)),
      slaDefaultElement: text(),
      slaProperties: set(serviceLevel(parts)),
      ...(isFirst ? {} : { authoritativeDefinitions: parts.authoritativeDefinitions }),
      customProperties: parts.customProperties,
      contractCreatedTs: text({ format: 'date-time' }),
      ...(version === 'v3.2.0' ? { context: odcsContext(parts) } : {}),
    },
    required: isSince(version, 'v3.2.0')
      ? ['version', 'apiVersion', 'kind', 'id']
      : ['version', 'apiVersion', 'kind', 'id', 'status'],
    recommended: ['name', 'schema'],
    instead: {
      info: 'it belongs to DCS; in ODCS name, version and status are top-level fields, the owner is team.name, and the description is description.purpose',
      models: 'it belongs to DCS; in ODCS models are a list in schema',
      servicelevels: 'it belongs to DCS; in ODCS service levels are a list in slaProperties',
    },
    closed: true,
  })
}

/** The newest shape, which is used to compare documents of all 3.x versions. */
export const ODCS_NEWEST = odcs3('v3.2.0')

const SHAPES: ReadonlyMap<string, ObjectShape> = new Map([
  ...ODCS_2_VERSIONS.map((version) => [version, odcs2Shape] as const),
  ...ODCS_3_VERSIONS.map((version) => [version, odcs3(version)] as const),
  ['v3.2.0', ODCS_NEWEST],
])

/** Returns the shape of an ODCS version; the newest one if the version is absent or unknown. */
export function odcsShape(version: string | undefined): ObjectShape {
  return SHAPES.get(version ?? '') ?? ODCS_NEWEST
}
