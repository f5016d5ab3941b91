import {
  MAPPING_KIND,
  readMappings,
  type DirectoryMapping,
} from '../../people/organization-documents/directory-mapping.ts'
import { toGroupKey } from '../../people/directory/group-key.ts'
import { readInBatches } from '../cursor.ts'
import { readingCheck, RESTORE, type Check } from './check.ts'

/** The mapping of an organization, with its rows in order; null = no document. */
interface MappingRow {
  organization: string
  document: string | null
  mediaType: string | null
  rows: DirectoryMapping[]
}

/** Parses every mapping of groups to roles again and compares it with its rows. */
const MAPPING_CHECK: Check = readingCheck<MappingRow>(
  {
    name: 'the roles of groups are those of the mapping',
    repair: `${RESTORE} Or save the mapping of SCIM groups again, which rewrites its rows.`,
  },
  (run) =>
    readInBatches(run, {
      name: 'mappings',
      select: `organization.name as organization, stored.document, stored.media_type as "mediaType",
      (
        select coalesce(json_agg(
          json_build_object(
            'groupName', group_name, 'groupKey', group_key, 'kind', kind, 'team', team, 'role', role
          ) order by position
        ), '[]')
        from directory_mapping
        where directory_mapping.organization_id = organization.id
      ) as rows`,
      from: `organization
      left join organization_document as stored on stored.organization_id = organization.id
        and stored.kind = '${MAPPING_KIND}'`,
      order: 'organization.id',
      bytes: 'coalesce(octet_length(stored.document), 0) * 2 + 500',
    }),
  ({ organization, document, mediaType, rows }) => {
    const of = `(organization ${organization})`
    const mappings = document === null ? [] : readMappings(document, mediaType ?? '')
    if (mappings === undefined) return `the mapping cannot be parsed ${of}`
    const differing = mappings.findIndex((one, at) => !isSame(one, rows[at]))
    if (differing !== -1) return `mapping ${differing + 1} has another row, or none ${of}`
    return rows.length > mappings.length ? `a row is not in the mapping ${of}` : undefined
  },
)

function isSame(one: DirectoryMapping, row: DirectoryMapping | undefined): boolean {
  return (
    one.groupName === row?.groupName &&
    one.groupKey === row.groupKey &&
    one.kind === row.kind &&
    one.team === row.team &&
    one.role === row.role
  )
}

/** A group of a directory, or the groups of a person in claims, with their keys. */
interface GroupRow {
  organization: string
  names: string[]
  keys: string[]
}

/** Computes the keys of groups again. */
const GROUP_KEY_CHECK: Check = readingCheck<GroupRow>(
  { name: 'the keys of groups are those of their names', repair: RESTORE },
  (run) =>
    readInBatches(run, {
      name: 'group_keys',
      select: 'organization.name as organization, named.names, named.keys',
      from: `(
        select organization_id, array[display_name] as names, array[display_name_key] as keys
        from directory_group
        union all
        select organization_id, groups, group_keys
        from provider_identity
      ) as named
      join organization on organization.id = named.organization_id`,
      order: 'named.organization_id, named.names, named.keys',
      bytes: `octet_length(array_to_string(named.names, ',')) * 2 + 100`,
    }),
  ({ organization, names, keys }) => {
    const expected = names.map((name) => toGroupKey(name))
    const odd =
      keys.find((key) => !expected.includes(key)) ?? expected.find((key) => !keys.includes(key))
    return odd === undefined
      ? undefined
      : `the key "${odd}" is not that of a group, or is missing (organization ${organization})`
  },
)

/** The checks of groups and of the roles that they give. */
export const GROUP_CHECKS: readonly Check[] = [MAPPING_CHECK, GROUP_KEY_CHECK]
