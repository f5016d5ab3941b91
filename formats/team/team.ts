import { canonicalText } from '../shape/canonical.ts'
import { inspectValue } from '../shape/inspect.ts'
import { any, list, map, object, set, text, type ObjectShape, type Shape } from '../shape/shape.ts'
import { TEAM_FIELDS, type TeamFieldKind } from './team-fields.ts'
import { type TeamType, TEAM_TYPES, USUAL_TEAM_ROLE } from './team-type.ts'
import type { Problem, SourceText } from '../text/text.ts'
import { clip, getField, isObject, jsonText, asText, type Value } from '../text/value.ts'

/**
 * A team owns things: data products, contracts, integrations. Teams form a tree, and a role that a
 * person has in a team also counts in every team below it. A team is known by the id that its
 * organization gave it, which documents name as their owner.
 */
export interface Team {
  id: string
  name: string
  type: TeamType
  /** A type that is not one of those; the type of such a team is `Team`. */
  customType: string | undefined
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
const EMAIL_CHARACTERS_MAX = 320

const SHAPES: Readonly<Record<TeamFieldKind, Shape>> = {
  text: text(),
  'long-text': text(),
  type: text(),
  parent: text(),
  members: list(object({ fields: { emailAddress: text(), role: text() } })),
  tags: set(text()),
  links: map(text()),
  object: map(any),
}

/** The shape of a team's document. Other fields are allowed. */
export const TEAM_SHAPE: ObjectShape = object({
  fields: Object.fromEntries(TEAM_FIELDS.map(({ name, kind }) => [name, SHAPES[kind]])),
})

/** A team that was read, or every reason why it was not. */
type TeamReading =
  | { ok: true; team: Team; warnings: Problem[] }
  | { ok: false; problems: Problem[] }

/** Reads a team's document, stored under `id`. Unknown fields are kept. */
export function readTeam(
  source: SourceText,
  options: { id: string; strict: boolean },
): TeamReading {
  const { value } = source
  const { errors, warnings } = inspectValue(value, TEAM_SHAPE, source, options)
  const unusual = typeProblems(value, source)
  const problems = [...errors, ...meaningProblems(value, source, options.id)]
  if (options.strict) problems.push(...unusual)
  const name = asText(getField(value, 'name'))
  if (problems.length > 0 || name === undefined) return { ok: false, problems }
  const { type, customType } = getType(value)
  const completed = complete(source.spelled(), { id: options.id, name, type, customType })
  const parent = asText(getField(value, 'parent'))
  const team: Team = {
    id: options.id,
    name,
    type,
    customType,
    parent: parent === undefined || parent === '' ? undefined : parent,
    members: getTeamMembers(value),
    description: asText(getField(value, 'description')) || undefined,
    tags: toList(getField(value, 'tags')).flatMap((tag) => asText(tag) ?? []),
    document: jsonText(completed),
    canonical: canonicalText(completed, TEAM_SHAPE),
  }
  return { ok: true, team, warnings: [...warnings, ...unusual] }
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
    report(['id'], 'id', `The id is "${sentId}" here and "${id}" in the path; make them the same.`)
  }
  const name = getField(value, 'name')
  if (name === undefined || name === null || (typeof name === 'string' && name.trim() === '')) {
    report(['name'], 'name', 'A team needs a name.')
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

function typeProblems(value: Value, source: SourceText): Problem[] {
  const sent = asText(getField(value, 'type')) ?? ''
  if (sent.trim() === '' || typeNamed(sent) !== undefined) return []
  const message = `"${clip(sent)}" is not a team type, so this is a Team that pages call "${clip(sent)}". Types are ${TEAM_TYPES.join(', ')}.`
  return [{ field: 'type', message, ...source.locate(['type']) }]
}

// Programs count on the types, so any other text moves to a field of its own. It comes back with the type `Team`.
function getType(value: Value): Pick<Team, 'type' | 'customType'> {
  const sent = asText(getField(value, 'type')) ?? ''
  const type = sent.trim() === '' ? 'Team' : typeNamed(sent)
  if (type === undefined) return { type: 'Team', customType: sent }
  const kept = type === 'Team' ? asText(getField(value, 'customType')) : undefined
  return { type, customType: kept || undefined }
}

function typeNamed(text: string): TeamType | undefined {
  const folded = text.trim().toLowerCase()
  return TEAM_TYPES.find((type) => type.toLowerCase() === folded)
}

/** Returns the members that a document names, each with a role, also when the rest of it is wrong. */
export function getTeamMembers(value: Value): TeamMember[] {
  return toList(getField(value, 'members')).map((member) => ({
    emailAddress: asText(getField(member, 'emailAddress')) ?? '',
    role: asText(getField(member, 'role')) || USUAL_TEAM_ROLE,
  }))
}

function toList(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? value : []
}

// Programs count on the first three in every answer; everything else comes back as it was sent.
function complete(value: Value, known: Pick<Team, 'id' | 'name' | 'type' | 'customType'>): Value {
  const { customType, ...required } = known
  const own: [string, Value][] = Object.entries(required)
  if (customType !== undefined) own.push(['customType', customType])
  const names = new Set(['id', 'name', 'type', 'customType'])
  const others = isObject(value) ? Object.entries(value).filter(([name]) => !names.has(name)) : []
  return Object.fromEntries([...own, ...others])
}
