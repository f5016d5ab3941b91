import { hash } from 'node:crypto'
import { nameFromEmail, emailAddress } from '../users/user.ts'
import type { UserChange } from './user-change.ts'
import { toLocation, USER_SCHEMA } from './scim.ts'

/** The attributes of a person that only the directory has. */
export interface UserRecord {
  userName: string
  externalId: string | null
  givenName: string | null
  familyName: string | null
}

/** A member as a directory sees them. */
export interface UserRow extends UserRecord {
  id: string
  /** Whether the directory has a record of the member. Without it, the user name is the address. */
  isProvisioned: boolean
  displayName: string
  email: string
  active: boolean
  created: string
  lastModified: string
}

/** Returns the key by which user names and names of groups are compared. It is not lower() in SQL, which depends on the locale. */
export function toNameKey(name: string): string {
  return name.trim().toLowerCase()
}

/** Returns a text as an address of an account, undefined if it is not one. */
function asAddress(text: string | null | undefined): string | undefined {
  const address = emailAddress.safeParse(text)
  return address.success ? address.data : undefined
}

/** Finds the address that a change gives: the primary or work one, else the user name. */
export function findAddress({ email, userName }: UserChange): string | undefined {
  return asAddress(email) ?? asAddress(userName)
}

/** Returns the name of a new account. */
export function nameNewUser(change: UserChange, email: string): string {
  return findName(change) ?? nameFromEmail(email)
}

function findName({
  displayName,
  formatted,
  givenName,
  familyName,
}: UserChange): string | undefined {
  const parts = [givenName, familyName].filter((part) => typeof part === 'string')
  return displayName ?? formatted ?? (parts.length === 0 ? undefined : parts.join(' '))
}

/** Returns a member after a change. */
export function applyUserChange(user: UserRow, change: UserChange): UserRow {
  const { userName = user.userName, externalId = user.externalId } = change
  const { givenName = user.givenName, familyName = user.familyName } = change
  return {
    ...user,
    userName,
    externalId,
    givenName,
    familyName,
    displayName: findNewName(user, { ...change, givenName, familyName }),
    email: findNewAddress(user, change),
    active: change.active ?? user.active,
  }
}

// A name that was made of its parts follows them.
function findNewName(
  user: UserRow,
  change: UserChange & Pick<UserRecord, 'givenName' | 'familyName'>,
): string {
  const { displayName, formatted, givenName, familyName } = change
  const before = findName({ givenName: user.givenName, familyName: user.familyName })
  const isComposed = displayName === null || user.displayName === before
  const composed = isComposed ? findName({ givenName, familyName }) : undefined
  return displayName ?? formatted ?? composed ?? user.displayName
}

// An address that is the user name follows it.
function findNewAddress(user: UserRow, change: UserChange): string {
  const { email, userName } = change
  if (typeof email === 'string') return asAddress(email) ?? user.email
  const isUserName = toNameKey(user.userName) === toNameKey(user.email)
  return (email === null || isUserName ? asAddress(userName) : undefined) ?? user.email
}

/** Returns the digest of everything that a directory sees of a member. */
export function digestUser(user: UserRow): string {
  const { userName, externalId, givenName, familyName, displayName, email, active } = user
  const names = [userName, externalId, givenName, familyName, displayName, email]
  return hash('sha256', JSON.stringify([...names, active]), 'base64url').slice(0, 22)
}

/** Returns a member as JSON. */
export function toUserResource(user: UserRow, baseUrl: string): Record<string, unknown> {
  const { id, userName, externalId, givenName, familyName, displayName, email, active } = user
  const parts = {
    ...(givenName === null ? {} : { givenName }),
    ...(familyName === null ? {} : { familyName }),
  }
  return {
    schemas: [USER_SCHEMA],
    id,
    ...(externalId === null ? {} : { externalId }),
    userName,
    name: { formatted: displayName, ...parts },
    displayName,
    emails: [{ value: email, type: 'work', primary: true }],
    active,
    meta: {
      resourceType: 'User',
      created: user.created,
      lastModified: user.lastModified,
      location: toLocation(baseUrl, 'User', id),
      version: `W/"${digestUser(user)}"`,
    },
  }
}
