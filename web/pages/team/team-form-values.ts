import { findIdProblem } from '../../../formats/name/document-id.ts'
import { TEAM_FORM_FIELDS, type TeamFormField } from '../../../formats/team/team-fields.ts'
import { USUAL_TEAM_ROLE } from '../../../formats/team/team-type.ts'
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

type TextField = Extract<TeamFormField, { kind: 'text' | 'long-text' }>

/** The values of the team form; absent or empty texts are not in the document. */
export interface TeamForm extends Partial<Record<TextField['name'], string>> {
  name: string
  type: string
  /** Empty = at the top. */
  parent: string
  members: readonly FormMember[]
  tags: readonly string[]
  links: readonly { name: string; href: string }[]
}

/** The name of a field. */
export type TeamFieldName = TeamFormField['name']

/** The names of the fields. */
export const FIELD_NAMES: readonly TeamFieldName[] = TEAM_FORM_FIELDS.map(({ name }) => name)

/** Reads a team's document into the form. */
export function toTeamForm(document: ObjectValue): TeamForm {
  const texts = TEAM_FORM_FIELDS.filter(({ kind }) => kind === 'text' || kind === 'long-text')
  const getText = (name: string): string => asText(getField(document, name)) ?? ''
  return {
    ...Object.fromEntries(texts.map(({ name }) => [name, getText(name)])),
    name: getText('name'),
    type: asText(getField(document, 'type')) ?? 'Team',
    parent: getText('parent'),
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
function getValue(base: ObjectValue, form: TeamForm, name: TeamFieldName): Value | undefined {
  if (name === 'members') return form.members.map(toMember)
  if (name === 'tags') return form.tags.length === 0 ? undefined : [...form.tags]
  if (name === 'links') return toLinks(base, form)
  if (name === 'name' || name === 'type') return form[name].trim()
  return form[name] || undefined
}

function toMember({ emailAddress, role, kept }: FormMember): ObjectValue {
  const address = emailAddress.trim()
  return { ...kept, emailAddress: address, role: role.trim() || USUAL_TEAM_ROLE }
}

// Links whose address is not a text are kept.
function toLinks(base: ObjectValue, { links }: TeamForm): ObjectValue {
  const others = Object.entries(getObject(getField(base, 'links'))).filter(
    ([, href]) => typeof href !== 'string',
  )
  const named = links
    .map(({ name, href }): [string, string] => [name.trim(), href.trim()])
    .filter(([name]) => name !== '')
  return Object.fromEntries([...named, ...others])
}

/** The input merged with the concurrent changes of another person. */
export interface Rebased {
  form: TeamForm
  /** Fields that the other changed and that came over. */
  taken: TeamFieldName[]
  /** Fields that both changed; the input takes precedence. */
  disputed: TeamFieldName[]
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
