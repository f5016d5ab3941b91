import { GROUP_SCHEMA, toLocation } from './scim.ts'

/** A group as a directory sees it, without its members. */
export interface DirectoryGroup {
  id: string
  displayName: string
  externalId: string | null
  version: number
  created: string
  lastModified: string
}

/** A member of a group. */
export interface GroupMember {
  groupId: string
  userId: string
  name: string
}

/** Returns the digest of a group: its version. */
export function digestGroup({ version }: Pick<DirectoryGroup, 'version'>): string {
  return String(version)
}

/** Returns a group as JSON, with its members if they are given. */
export function toGroupResource(
  group: DirectoryGroup,
  members: readonly GroupMember[] | undefined,
  baseUrl: string,
): Record<string, unknown> {
  const { id, displayName, externalId } = group
  return {
    schemas: [GROUP_SCHEMA],
    id,
    ...(externalId === null ? {} : { externalId }),
    displayName,
    ...(members === undefined
      ? {}
      : {
          members: members.map(({ userId, name }) => ({
            value: userId,
            display: name,
            type: 'User',
            $ref: toLocation(baseUrl, 'User', userId),
          })),
        }),
    meta: {
      resourceType: 'Group',
      created: group.created,
      lastModified: group.lastModified,
      location: toLocation(baseUrl, 'Group', id),
      version: `W/"${digestGroup(group)}"`,
    },
  }
}
