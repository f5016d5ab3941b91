import { readAttributes, readBoolean, readText, toList, type Attributes } from './attribute.ts'
import { parsePatch, type PatchStep } from './patch.ts'
import { invalidSyntax, invalidValue } from './scim.ts'

const USER_NAME_CHARACTERS_MAX = 320
const EXTERNAL_ID_CHARACTERS_MAX = 256
const NAME_CHARACTERS_MAX = 200

/** A change of a person by a directory. An absent attribute stays as it is; null = it has no value. */
export interface UserChange {
  userName?: string
  externalId?: string | null
  givenName?: string | null
  familyName?: string | null
  /** The name of the account: displayName, or else the formatted name. */
  displayName?: string | null
  formatted?: string | null
  /** The primary address, or the one for work. */
  email?: string | null
  active?: boolean
}

/** Reads the body of a POST or a PUT, which replaces all attributes except `active`. Errors: scim_syntax_invalid, scim_value_invalid. */
export function readUser(body: unknown): UserChange & { userName: string } {
  const attributes = readAttributes(body)
  if (attributes === undefined) throw invalidSyntax('A user must be a JSON object.')
  const name = readName(attributes.name)
  const { active } = attributes
  return {
    userName: readUserName(attributes.username),
    externalId: readExternalId(attributes.externalid),
    givenName: name.givenName ?? null,
    familyName: name.familyName ?? null,
    formatted: name.formatted ?? null,
    displayName: readText(attributes.displayname, 'displayName', NAME_CHARACTERS_MAX),
    email: readAddress(attributes.emails, 'any'),
    ...(active === undefined || active === null ? {} : { active: readBoolean(active, 'active') }),
  }
}

/** Reads the body of a PATCH of a person. Errors: those of `parsePatch`, scim_value_invalid. */
export function readUserPatch(body: unknown): UserChange {
  const change: UserChange = {}
  for (const step of parsePatch(body)) Object.assign(change, toUserChange(step))
  return change
}

function toUserChange(step: PatchStep): UserChange {
  const { op, attribute, value } = step
  const given = op === 'remove' ? null : value
  switch (attribute) {
    case 'username':
      return { userName: readUserName(given) }
    case 'externalid':
      return { externalId: readExternalId(given) }
    case 'displayname':
      return { displayName: readText(given, 'displayName', NAME_CHARACTERS_MAX) }
    case 'active':
      return op === 'remove' ? {} : { active: readBoolean(value, 'active') }
    case 'name':
      return toNameChange(step)
    case 'emails':
      return toEmailChange(step)
    default:
      return {}
  }
}

function toNameChange({ op, part, value }: PatchStep): UserChange {
  if (part !== undefined) return readName({ [part]: op === 'remove' ? null : value })
  if (op === 'remove') return { givenName: null, familyName: null, formatted: null }
  return readName(value)
}

/** Reads the parts that a name has. */
function readName(value: unknown): Pick<UserChange, 'givenName' | 'familyName' | 'formatted'> {
  if (value === undefined || value === null) return {}
  const attributes = readAttributes(value)
  if (attributes === undefined) throw invalidValue('"name" must be an object.')
  return {
    ...readNamePart(attributes, 'givenName'),
    ...readNamePart(attributes, 'familyName'),
    ...readNamePart(attributes, 'formatted'),
  }
}

function readNamePart(
  attributes: Attributes,
  part: 'givenName' | 'familyName' | 'formatted',
): UserChange {
  const value = attributes[part.toLowerCase()]
  if (value === undefined) return {}
  return { [part]: readText(value, `name.${part}`, NAME_CHARACTERS_MAX) }
}

// An account has one address: the others of a directory are ignored.
function toEmailChange({ op, part, selected, value }: PatchStep): UserChange {
  if (!isOwnAddress(selected) || (part !== undefined && part !== 'value')) return {}
  if (op === 'remove') return { email: null }
  if (part === 'value') {
    return { email: readText(value, 'emails.value', USER_NAME_CHARACTERS_MAX) }
  }
  // One that is added beside others counts only if it is meant as the address of the account.
  const accepted = op === 'add' && selected === undefined ? 'own' : 'any'
  const email = readAddress(value, accepted)
  return email === null && op === 'add' ? {} : { email }
}

function isOwnAddress(selected: PatchStep['selected']): boolean {
  return (selected ?? []).every(({ attribute, value }) => {
    if (attribute === 'type') return String(value).toLowerCase() === 'work'
    return attribute === 'primary' && String(value).toLowerCase() === 'true'
  })
}

/** Finds the primary address, else the one for work, else, if any is accepted, the first one. */
function readAddress(value: unknown, accepted: 'own' | 'any'): string | null {
  const entries = toList(value).map((entry) => {
    const { value: address, type, primary } = readAttributes(entry) ?? { value: entry }
    return {
      address: readText(address, 'emails.value', USER_NAME_CHARACTERS_MAX),
      isPrimary:
        primary !== undefined && primary !== null && readBoolean(primary, 'emails.primary'),
      isWork: typeof type === 'string' && type.toLowerCase() === 'work',
    }
  })
  const own = entries.find(({ isPrimary }) => isPrimary) ?? entries.find(({ isWork }) => isWork)
  const [first] = entries
  return (own ?? (accepted === 'any' ? first : undefined))?.address ?? null
}

function readUserName(value: unknown): string {
  const userName = readText(value, 'userName', USER_NAME_CHARACTERS_MAX)
  if (userName === null) throw invalidValue('A user needs a "userName".')
  return userName
}

function readExternalId(value: unknown): string | null {
  return readText(value, 'externalId', EXTERNAL_ID_CHARACTERS_MAX)
}
