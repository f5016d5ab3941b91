import type { Schemas } from '../../api/client.ts'

type ScimMapping = Schemas['ScimMapping']

/** The role that a mapping gives the members of a group. */
type MappingType = NonNullable<ScimMapping['scimGroupMappings']>[number]['type']

/** Returns the type of a mapping with this name; other names are the default one. */
export function toType(name: string): MappingType {
  return name === 'organizationOwner' || name === 'teamMember' ? name : 'teamMemberRole'
}

/** A mapping of a SCIM group in the form. */
export interface MappingRow {
  scimGroup: string
  type: MappingType
  teamId: string
  role: string
  /** The stored mapping, whose other fields are kept. */
  stored: object
}

/** A row of the form that is not filled in yet. */
export const NEW_ROW: MappingRow = {
  scimGroup: '',
  type: 'teamMemberRole',
  teamId: '',
  role: '',
  stored: {},
}

/** Returns the rows of the form for a stored mapping. */
export function toRows({ scimGroupMappings }: ScimMapping): MappingRow[] {
  return (scimGroupMappings ?? []).map((stored) => ({
    scimGroup: stored.scimGroup,
    type: stored.type,
    teamId: stored.teamId ?? '',
    role: stored.teamMemberRole ?? '',
    stored,
  }))
}

/** Returns the mapping to save; an owner of the organization has no team, and only some mappings name a role. */
export function toMapping(stored: ScimMapping, rows: readonly MappingRow[]): ScimMapping {
  return { ...stored, scimGroupMappings: rows.map(toGroupMapping) }
}

function toGroupMapping(row: MappingRow): NonNullable<ScimMapping['scimGroupMappings']>[number] {
  const { scimGroup, type, teamId, role, stored } = row
  const { teamId: _, teamMemberRole: __, ...others } = { teamId, teamMemberRole: role, ...stored }
  if (type === 'organizationOwner') return { ...others, scimGroup, type }
  if (type === 'teamMember') return { ...others, scimGroup, type, teamId }
  return { ...others, scimGroup, type, teamId, teamMemberRole: role }
}
