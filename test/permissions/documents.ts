/** The rows of the permission matrix that documents of every kind have. */

import {
  type DocumentRoom,
  atMissing,
  atPath,
  changedOne,
  draftDiff,
  existingOne,
  newOne,
  versionDiff,
  type PermissionRow,
} from './requests.ts'
import { row } from './row.ts'
import {
  OF_B,
  POSTED,
  READ,
  RESOURCE_OF_A,
  UNKNOWN,
  UNKNOWN_OWNER,
  UNKNOWN_READ,
  UNKNOWN_TEAM,
  UNKNOWN_TEAM_B,
} from './statuses.ts'

/** Lists the reading actions on documents, the same for every kind of them. */
function listReadingRows(room: DocumentRoom, one: string): PermissionRow[] {
  const list = `/api/${room}`
  const of = (owner: string, more = '') => existingOne(room, owner, more)
  return [
    row('GET', list, 'list', READ, atPath(list)),
    row('GET', one, 'of B', READ, of('b')),
    row('GET', one, 'an unknown id', UNKNOWN_READ, atMissing(list)),
    row('GET', `${one}/versions`, 'of B', READ, of('b', '/versions')),
    row('GET', `${one}/versions/{version}`, 'of B', READ, of('b', '/versions/1')),
    row('GET', `${one}/diff`, 'of B', READ, versionDiff(room, 'b')),
    row('POST', `${one}/diff`, 'a draft of B', POSTED, draftDiff(room, 'b')),
  ]
}

/** Lists the actions on documents of a kind that has no owners: only organization owners may write. */
export function listUnownedRows(room: DocumentRoom, one: string): PermissionRow[] {
  return [
    ...listReadingRows(room, one),
    row('PUT', one, 'a new one', OF_B, newOne(room, '')),
    row('PUT', one, 'a dry run of a new one', OF_B, newOne(room, '', '?dryRun=true')),
    row('PUT', one, 'a change', OF_B, changedOne(room, '', '')),
    row('DELETE', one, 'an existing one', OF_B, existingOne(room, '')),
    row('DELETE', one, 'an unknown id', UNKNOWN, atMissing(`/api/${room}`)),
  ]
}

/** Lists the actions on documents that teams own, the same for every kind of them. */
export function listDocumentRows(room: DocumentRoom, one: string): PermissionRow[] {
  const list = `/api/${room}`
  const of = (owner: string, more = '') => existingOne(room, owner, more)
  return [
    ...listReadingRows(room, one),
    row('GET', one, 'of A', READ, of('a')),
    row('PUT', one, 'a new one of A', RESOURCE_OF_A, newOne(room, 'a')),
    row('PUT', one, 'a new one of B', OF_B, newOne(room, 'b')),
    row(
      'PUT',
      one,
      'a dry run of a new one of A',
      RESOURCE_OF_A,
      newOne(room, 'a', '?dryRun=true'),
    ),
    row('PUT', one, 'a dry run of a new one of B', OF_B, newOne(room, 'b', '?dryRun=true')),
    row('PUT', one, 'one of A', RESOURCE_OF_A, changedOne(room, 'a', 'a')),
    row('PUT', one, 'one of B', OF_B, changedOne(room, 'b', 'b')),
    row('PUT', one, 'from A to B', OF_B, changedOne(room, 'a', 'b')),
    row('PUT', one, 'from B to A', OF_B, changedOne(room, 'b', 'a')),
    row('PUT', one, 'a new one of an unknown team', UNKNOWN_TEAM, newOne(room, 'nobody')),
    row('PUT', one, 'from A to an unknown team', UNKNOWN_TEAM, changedOne(room, 'a', 'nobody')),
    row('PUT', one, 'from B to an unknown team', UNKNOWN_TEAM_B, changedOne(room, 'b', 'nobody')),
    row('DELETE', one, 'of A', RESOURCE_OF_A, of('a')),
    row('DELETE', one, 'of B', OF_B, of('b')),
    row('DELETE', one, 'an unknown id', UNKNOWN, atMissing(list)),
  ]
}

/** Lists the actions with documents that name no owner. */
export function listOwnerlessRows(
  room: DocumentRoom,
  one: string,
  statuses: string,
): PermissionRow[] {
  return [
    row('PUT', one, 'a new one without an owner', statuses, newOne(room, '')),
    row('PUT', one, 'a new one of A by ?owner=', RESOURCE_OF_A, newOne(room, '', '?owner=a')),
    row('PUT', one, 'a new one of B by ?owner=', OF_B, newOne(room, '', '?owner=b')),
    row('PUT', one, 'one of A that names no owner', RESOURCE_OF_A, changedOne(room, 'a', '')),
    row('PUT', one, 'from A to B by ?owner=', OF_B, changedOne(room, 'a', '', '?owner=b')),
    row('PUT', one, 'from B to A by ?owner=', OF_B, changedOne(room, 'b', '', '?owner=a')),
    row(
      'PUT',
      one,
      'a new one of an unknown team by ?owner=',
      UNKNOWN_OWNER,
      newOne(room, '', '?owner=nobody'),
    ),
  ]
}
