/** The rows of the permission matrix for assets. */

import { uniqueId } from '../world.ts'
import {
  ASSET,
  ASSIGNED_TAG,
  assignableTag,
  atMissing,
  atPath,
  changedOne,
  existingAsset,
  newOne,
  unknownTag,
  type PermissionRow,
} from './requests.ts'
import { row } from './row.ts'
import { OF_B, READ, RESOURCE_OF_A, UNKNOWN, UNKNOWN_READ, UNKNOWN_TEAM } from './statuses.ts'

/** Lists the actions on assets, which need not have an owner; deleting a missing one succeeds. */
export function listAssetRows(): PermissionRow[] {
  const list = '/api/assets'
  return [
    row('GET', list, 'list', READ, atPath(list)),
    row('GET', ASSET, 'of A', READ, existingAsset('a')),
    row('GET', ASSET, 'without an owner', READ, existingAsset('')),
    row('GET', ASSET, 'an unknown id', UNKNOWN_READ, atMissing(list)),
    row('GET', `${ASSET}/versions`, 'of B', READ, existingAsset('b', '/versions')),
    row('GET', `${ASSET}/versions/{version}`, 'of B', READ, existingAsset('b', '/versions/1')),
    row('GET', `${ASSET}/model`, 'of B', READ, existingAsset('b', '/model')),
    row('PUT', ASSET, 'a new one of A', RESOURCE_OF_A, newOne('assets', 'a')),
    row('PUT', ASSET, 'a new one of B', OF_B, newOne('assets', 'b')),
    row('PUT', ASSET, 'a new one without an owner', OF_B, newOne('assets', '')),
    row('PUT', ASSET, 'a dry run of a new one of B', OF_B, newOne('assets', 'b', '?dryRun=true')),
    row('PUT', ASSET, 'one of A', RESOURCE_OF_A, changedOne('assets', 'a', 'a')),
    row('PUT', ASSET, 'from A to B', OF_B, changedOne('assets', 'a', 'b')),
    row('PUT', ASSET, 'from B to A', OF_B, changedOne('assets', 'b', 'a')),
    row('PUT', ASSET, 'from A to no owner', OF_B, changedOne('assets', 'a', '')),
    row('PUT', ASSET, 'from no owner to A', OF_B, changedOne('assets', '', 'a')),
    row('PUT', ASSET, 'a new one of an unknown team', UNKNOWN_TEAM, newOne('assets', 'nobody')),
    row(
      'PUT',
      ASSET,
      'from A to an unknown team',
      UNKNOWN_TEAM,
      changedOne('assets', 'a', 'nobody'),
    ),
    row('DELETE', ASSET, 'of A', RESOURCE_OF_A, existingAsset('a')),
    row('DELETE', ASSET, 'of B', OF_B, existingAsset('b')),
    row('DELETE', ASSET, 'without an owner', OF_B, existingAsset('')),
    row('DELETE', ASSET, 'an unknown id', RESOURCE_OF_A, atMissing(list)),
    row('GET', `${ASSET}/statistics`, 'of B', READ, existingAsset('b', '/statistics')),
    row(
      'GET',
      `${ASSET}/statistics`,
      'an unknown id',
      UNKNOWN_READ,
      atPath('/api/assets/unknown/statistics'),
    ),
    row('GET', `${ASSET}/assigned-tags`, 'of B', READ, existingAsset('b', '/assigned-tags')),
    ...['PUT', 'DELETE'].flatMap((method) => [
      row(method, ASSIGNED_TAG, 'of A', RESOURCE_OF_A, assignableTag('a')),
      row(method, ASSIGNED_TAG, 'of B', OF_B, assignableTag('b')),
      row(method, ASSIGNED_TAG, 'of no owner', OF_B, assignableTag('')),
      row(method, ASSIGNED_TAG, 'an unknown tag', UNKNOWN_TEAM, unknownTag),
      row(method, ASSIGNED_TAG, 'an unknown asset', UNKNOWN, async () => ({
        path: `${list}/${uniqueId()}/assigned-tags/x`,
      })),
    ]),
  ]
}
