// The shapes of parts that an ODCS 3 document has in many positions: definitions, custom properties, roles, synonyms.
// Source: Open Data Contract Standard, bitol.io, JSON Schemas of v3.0.0 to v3.2.0. The first three versions allow
// other fields in most parts; the later ones close them and add an id to each part.

import { any, flag, list, nothing, number, object, oneOf, set, text } from '../../shape/shape.ts'
import type { ObjectShape, Shape } from '../../shape/shape.ts'

export const ODCS_3_VERSIONS = ['v3.0.0', 'v3.0.1', 'v3.0.2', 'v3.1.0', 'v3.2.0'] as const

export type Odcs3Version = (typeof ODCS_3_VERSIONS)[number]

/** A single value: a text, a number, true or false, or null. */
export const scalar: Shape = oneOf(text(), number(), flag, nothing)

/** Returns whether a version is the given one or a later one. */
export function isSince(version: Odcs3Version, first: Odcs3Version): boolean {
  return ODCS_3_VERSIONS.indexOf(version) >= ODCS_3_VERSIONS.indexOf(first)
}

/** Returns the shared parts of a version. */
export function odcsParts(version: Odcs3Version) {
  const closed = isSince(version, 'v3.1.0')
  const id = closed ? { id: text({ format: 'identifier' }) } : {}
  const described = closed ? { description: text() } : {}
  const customProperties = set(
    object({
      fields: { ...id, property: text(), value: any, ...described },
      required: closed ? ['property', 'value'] : [],
      closed,
    }),
  )
  const authoritativeDefinitions = set(
    object({
      fields: { ...id, url: text(), type: text(), ...described },
      required: ['url', 'type'],
      closed,
    }),
  )
  const extras = { tags: set(text()), customProperties, authoritativeDefinitions }
  return { version, id, closed, customProperties, authoritativeDefinitions, extras }
}

export type OdcsParts = ReturnType<typeof odcsParts>

/** Returns the shape of a role, of the contract or of a server. */
export function odcsRole({ version, id, closed, customProperties }: OdcsParts): ObjectShape {
  return object({
    fields: {
      ...id,
      role: text(),
      description: text(),
      access: text(),
      firstLevelApprovers: text(),
      secondLevelApprovers: text(),
      ...(version === 'v3.0.0' ? {} : { customProperties }),
    },
    required: ['role'],
    closed,
  })
}

/** Returns the shape of synonyms (v3.2.0). */
export function odcsSynonyms({ id, customProperties }: OdcsParts): Shape {
  return set(
    object({
      fields: {
        ...id,
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

/** Returns the shape of the guidance for programs that use the data (v3.2.0). */
export function odcsContext({ extras }: OdcsParts): Shape {
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
  const whole = object({
    fields: {
      instructions: text(),
      verifiedStatements: list(statement),
      constraints: list(constraint),
    },
    closed: true,
  })
  return oneOf(text(), whole)
}
