import type { Schemas } from '../../api/client.ts'

type ScimMapping = Schemas['ScimMapping']

/** A mapping of a SCIM group in the form. */
export interface MappingRow {
  scimGroup: string
  type: 'organizationOwner' | 'teamMemberRole'
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

/** Returns the mapping to save; an owner of the organization has no team. */
export function toMapping(stored: ScimMapping, rows: readonly MappingRow[]): ScimMapping {
  return { ...stored, scimGroupMappings: rows.map(toGroupMapping) }
}

function toGroupMapping(row: MappingRow): NonNullable<ScimMapping['scimGroupMappings']>[number] {
  const { scimGroup, type, teamId, role, stored } = row
  const { teamId: _, teamMemberRole: __, ...others } = { teamId, teamMemberRole: role, ...stored }
  if (type === 'organizationOwner') return { ...others, scimGroup, type }
  return { ...others, scimGroup, type, teamId, teamMemberRole: role }
}
