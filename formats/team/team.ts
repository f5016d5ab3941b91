import { canonicalText } from '../shape/canonical.ts'
import { inspectValue } from '../shape/inspect.ts'
import { any, list, map, object, set, text, type ObjectShape, type Shape } from '../shape/shape.ts'
import { type TeamFormField, type TeamType, TEAM_TYPES, USUAL_TEAM_ROLE } from './team-type.ts'
import type { Problem, SourceText } from '../text/text.ts'
import { getField, isObject, jsonText, asText, type Value } from '../text/value.ts'

/**
 * A team owns things: data products, contracts, integrations. Teams form a tree, and a role that a
 * person has in a team also counts in every team below it. A team is known by the id that its
 * organization gave it, which documents name as their owner.
 */
export interface Team {
  id: string
  name: string
  type: TeamType
  /** External id of the team above; undefined = none. */
  parent: string | undefined
  members: readonly TeamMember[]
  description: string | undefined
  tags: readonly string[]
  /** The document that is stored and answered: what was sent, with id, name and type filled in. */
  document: string
  /** Equal for documents of equal meaning. */
  canonical: string
}

/** A person in a team. The address need not belong to a known user. */
export interface TeamMember {
  emailAddress: string
  /** One of the default roles, or any text of the organization's own. */
  role: string
}

/** An address has this many characters at most: 64, the @ and 255 (RFC 3696, section 3). */
export const EMAIL_CHARACTERS_MAX = 320

/** The fields of a team's document. Others are allowed. */
export const TEAM_SHAPE: ObjectShape = object({
  fields: {
    id: text(),
    name: text(),
    type: text(),
    parent: text(),
    description: text(),
    members: list(object({ fields: { emailAddress: text(), role: text() } })),
    tags: set(text()),
    links: map(text()),
    custom: map(any),
  } satisfies Readonly<Record<TeamFormField | 'id' | 'custom', Shape>>,
})

/** A team that was read, or every reason why it was not. */
export type TeamReading =
  | { ok: true; team: Team; warnings: Problem[] }
  | { ok: false; problems: Problem[] }

/** Reads a team's document, stored under `id`. Unknown fields are kept. */
export function readTeam(
  source: SourceText,
  options: { id: string; strict: boolean },
): TeamReading {
  const { value } = source
  const { errors, warnings } = inspectValue(value, TEAM_SHAPE, source, options)
  const problems = [...errors, ...meaningProblems(value, source, options.id)]
  const type = typeNamed(asText(getField(value, 'type')) ?? 'Team')
  const name = asText(getField(value, 'name'))
  if (problems.length > 0 || type === undefined || name === undefined)
    return { ok: false, problems }
  const completed = complete(source.spelled(), { id: options.id, name, type })
  const parent = asText(getField(value, 'parent'))
  const team: Team = {
    id: options.id,
    name,
    type,
    parent: parent === undefined || parent === '' ? undefined : parent,
    members: getMembers(value),
    description: asText(getField(value, 'description')) || undefined,
    tags: toList(getField(value, 'tags')).flatMap((tag) => asText(tag) ?? []),
    document: jsonText(completed),
    canonical: canonicalText(completed, TEAM_SHAPE),
  }
  return { ok: true, team, warnings }
}

/** The external id of the parent that a document names, also when the rest of it is wrong. */
export function getParentName(value: Value): string | undefined {
  return asText(getField(value, 'parent')) || undefined
}

function meaningProblems(value: Value, source: SourceText, id: string): Problem[] {
  const problems: Problem[] = []
  const report = (path: (string | number)[], field: string, message: string): void => {
    problems.push({ field, message, ...source.locate(path) })
  }
  const sentId = getField(value, 'id')
  if (typeof sentId === 'string' && sentId !== id) {
    report(['id'], 'id', `The id is “${sentId}” here and “${id}” in the path; make them the same.`)
  }
  const name = getField(value, 'name')
  if (name === undefined || name === null || (typeof name === 'string' && name.trim() === '')) {
    report(['name'], 'name', 'A team needs a name.')
  }
  const type = asText(getField(value, 'type'))
  if (type !== undefined && typeNamed(type) === undefined) {
    report(['type'], 'type', `“${type}” is not a team type; write ${TEAM_TYPES.join(', ')}.`)
  }
  if (getParentName(value) === id) report(['parent'], 'parent', 'A team cannot be its own parent.')
  for (const [index, member] of toList(getField(value, 'members')).entries()) {
    const address = getField(member, 'emailAddress')
    const path = ['members', index, 'emailAddress']
    const field = `members[${index}].emailAddress`
    if (isObject(member) && (address === undefined || address === null || address === '')) {
      report(path, field, 'A member needs an e-mail address.')
    }
    if (typeof address === 'string' && address.length > EMAIL_CHARACTERS_MAX) {
      report(path, field, `An e-mail address has ${EMAIL_CHARACTERS_MAX} characters at most.`)
    }
  }
  return problems
}

function typeNamed(text: string): TeamType | undefined {
  const folded = text.trim().toLowerCase()
  return TEAM_TYPES.find((type) => type.toLowerCase() === folded)
}

function getMembers(value: Value): TeamMember[] {
  return toList(getField(value, 'members')).map((member) => ({
    emailAddress: asText(getField(member, 'emailAddress')) ?? '',
    role: asText(getField(member, 'role')) || USUAL_TEAM_ROLE,
  }))
}

function toList(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? value : []
}

// Programs count on these three in every answer; everything else comes back as it was sent.
function complete(value: Value, known: { id: string; name: string; type: string }): Value {
  const rest = isObject(value) ? Object.entries(value) : []
  const others = rest.filter(([field]) => field !== 'id' && field !== 'name' && field !== 'type')
  return Object.fromEntries([...Object.entries(known), ...others])
}
