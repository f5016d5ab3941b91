/** The rows of the permission matrix for teams. */

import {
  TEAM,
  atMissing,
  atPath,
  existingTeam,
  movedTeam,
  newTeam,
  sameTeam,
  type PermissionRow,
} from './requests.ts'
import { row } from './row.ts'
import { OF_B, READ, TEAM_OF_A, UNKNOWN, UNKNOWN_PARENT, UNKNOWN_READ } from './statuses.ts'

/** The rows. */
export const TEAM_ROWS: readonly PermissionRow[] = [
  row('GET', '/api/teams', 'list', READ, atPath('/api/teams')),
  row('GET', TEAM, 'B', READ, atPath('/api/teams/b')),
  row('GET', TEAM, 'an unknown id', UNKNOWN_READ, atMissing('/api/teams')),
  row('GET', `${TEAM}/versions`, 'of B', READ, atPath('/api/teams/b/versions')),
  row('GET', `${TEAM}/versions/{version}`, 'of B', READ, atPath('/api/teams/b/versions/1')),
  row('PUT', TEAM, 'a new one', OF_B, newTeam(undefined)),
  row('PUT', TEAM, 'a new one below A', TEAM_OF_A, newTeam('a')),
  row('PUT', TEAM, 'a new one below B', OF_B, newTeam('b')),
  row('PUT', TEAM, 'a new one below an unknown team', UNKNOWN_PARENT, newTeam('nobody')),
  row('PUT', TEAM, 'A itself', TEAM_OF_A, sameTeam('a')),
  row('PUT', TEAM, 'B itself', OF_B, sameTeam('b')),
  row('PUT', TEAM, 'one below A', TEAM_OF_A, movedTeam('a', 'a')),
  row('PUT', TEAM, 'from A to below B', OF_B, movedTeam('a', 'b')),
  row('PUT', TEAM, 'from B to below A', OF_B, movedTeam('b', 'a')),
  row('PUT', TEAM, 'from A to the top', OF_B, movedTeam('a', undefined)),
  row('PUT', TEAM, 'from the top to below A', OF_B, movedTeam(undefined, 'a')),
  row('DELETE', TEAM, 'one below A', TEAM_OF_A, existingTeam('a')),
  row('DELETE', TEAM, 'one below B', OF_B, existingTeam('b')),
  row('DELETE', TEAM, 'one at the top', OF_B, existingTeam(undefined)),
  row('DELETE', TEAM, 'an unknown id', UNKNOWN, atMissing('/api/teams')),
]
