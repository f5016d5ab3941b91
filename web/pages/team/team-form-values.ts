import { findIdProblem } from '../../../formats/name/document-id.ts'
import {
  TEAM_FORM_FIELDS,
  USUAL_TEAM_ROLE,
  type TeamFormField,
} from '../../../formats/team/team-type.ts'
import {
  getField,
  isObject,
  asText,
  type ObjectValue,
  type Value,
} from '../../../formats/text/value.ts'

/** A member as the form holds it. */
export interface FormMember {
  emailAddress: string
  role: string
  /** Further fields of the member in the document. */
  kept: ObjectValue
}

/** The values of the team form. */
export interface TeamForm {
  name: string
  type: string
  /** Empty = at the top. */
  parent: string
  description: string
  members: readonly FormMember[]
  tags: readonly string[]
  links: readonly { name: string; href: string }[]
}

/** The names of the fields. */
export const FIELD_NAMES: readonly TeamFormField[] = TEAM_FORM_FIELDS.map(({ name }) => name)

/** Reads a team's document into the form. */
export function toTeamForm(document: ObjectValue): TeamForm {
  return {
    name: asText(getField(document, 'name')) ?? '',
    type: asText(getField(document, 'type')) ?? 'Team',
    parent: asText(getField(document, 'parent')) ?? '',
    description: asText(getField(document, 'description')) ?? '',
    members: toList(getField(document, 'members')).flatMap(getMember),
    tags: toList(getField(document, 'tags')).flatMap((tag) => asText(tag) ?? []),
    links: Object.entries(getObject(getField(document, 'links'))).flatMap(([name, href]) =>
      typeof href === 'string' ? [{ name, href }] : [],
    ),
  }
}

/**
 * Writes the form into its document. Fields that the form did not change, or does not show, stay as they are.
 */
export function toTeamDocument(base: ObjectValue, form: TeamForm): ObjectValue {
  const before = toTeamForm(base)
  const document = new Map(Object.entries(base))
  for (const name of FIELD_NAMES) {
    if (isSame(before[name], form[name])) continue
    const value = getValue(base, form, name)
    if (value === undefined) document.delete(name)
    else document.set(name, value)
  }
  return Object.fromEntries(document)
}

// Empty texts and lists are omitted, except the list of members.
function getValue(base: ObjectValue, form: TeamForm, name: keyof TeamForm): Value | undefined {
  switch (name) {
    case 'members':
      return form.members.map(({ emailAddress, role, kept }) => ({
        ...kept,
        emailAddress: emailAddress.trim(),
        role: role.trim() === '' ? USUAL_TEAM_ROLE : role.trim(),
      }))
    case 'tags':
      return form.tags.length === 0 ? undefined : [...form.tags]
    case 'links': {
      const others = Object.entries(getObject(getField(base, 'links'))).filter(
        ([, href]) => typeof href !== 'string',
      )
      const links = form.links
        .map(({ name, href }): [string, string] => [name.trim(), href.trim()])
        .filter(([name]) => name !== '')
      return Object.fromEntries([...links, ...others])
    }
    case 'name':
    case 'type':
      return form[name].trim()
    case 'parent':
    case 'description':
      return form[name] === '' ? undefined : form[name]
  }
}

/** The input merged with the concurrent changes of another person. */
export interface Rebased {
  form: TeamForm
  /** Fields that the other changed and that came over. */
  taken: (keyof TeamForm)[]
  /** Fields that both changed; the input takes precedence. */
  disputed: (keyof TeamForm)[]
}

/** Puts what was typed on the document as it is now; `base` is the one that was read first. */
export function rebaseTeam(base: ObjectValue, form: TeamForm, current: ObjectValue): Rebased {
  const before = toTeamForm(base)
  const theirs = toTeamForm(current)
  const changedByThem = FIELD_NAMES.filter((name) => !isSame(before[name], theirs[name]))
  const changedByMe = FIELD_NAMES.filter((name) => !isSame(before[name], form[name]))
  const taken = changedByThem.filter((name) => !changedByMe.includes(name))
  const disputed = changedByThem.filter(
    (name) => changedByMe.includes(name) && !isSame(theirs[name], form[name]),
  )
  const mine = Object.fromEntries(changedByMe.map((name) => [name, form[name]]))
  return { form: { ...theirs, ...mine }, taken, disputed }
}

/** Returns whether two forms are equal. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Returns why a text cannot be the id of a team; undefined = it can. */
export function findTeamIdProblem(id: string): string | undefined {
  const problem = findIdProblem(id)
  return problem === undefined ? undefined : `The id ${problem}.`
}

function getMember(member: Value): FormMember[] {
  if (!isObject(member)) return []
  const { emailAddress, role, ...kept } = member
  return [{ emailAddress: asText(emailAddress) ?? '', role: asText(role) ?? USUAL_TEAM_ROLE, kept }]
}

function toList(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? value : []
}

function getObject(value: Value | undefined): ObjectValue {
  return isObject(value) ? value : {}
}
