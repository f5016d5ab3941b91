import type { Schemas } from '../../api/client.ts'

type ScimMapping = Schemas['ScimMapping']

/** The members of the document, of its defaults and of a mapping. */
const MEMBERS = ['scimGroupDefaults', 'scimGroupMappings']
const DEFAULTS_MEMBERS = ['defaultTeamMemberRole']
const MAPPING_MEMBERS = ['scimGroup', 'type', 'teamId', 'teamMemberRole']

/** The role that a mapping gives the members of a group. */
type MappingType = NonNullable<ScimMapping['scimGroupMappings']>[number]['type']

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

/**
 * Returns the mapping to save. An owner of the organization has no team, and only some mappings name a role. Members that
 * the server does not accept are left out.
 */
export function toMapping(stored: ScimMapping, rows: readonly MappingRow[]): ScimMapping {
  const { scimGroupDefaults: defaults } = stored
  return {
    ...pickAccepted(stored, MEMBERS),
    ...(defaults && { scimGroupDefaults: pickAccepted(defaults, DEFAULTS_MEMBERS) }),
    scimGroupMappings: rows.map(toGroupMapping),
  }
}

function toGroupMapping(row: MappingRow): NonNullable<ScimMapping['scimGroupMappings']>[number] {
  const { scimGroup, type, teamId, role } = row
  const stored = pickAccepted(row.stored, MAPPING_MEMBERS)
  const { teamId: _, teamMemberRole: __, ...others } = { teamId, teamMemberRole: role, ...stored }
  if (type === 'organizationOwner') return { ...others, scimGroup, type }
  if (type === 'teamMember') return { ...others, scimGroup, type, teamId }
  return { ...others, scimGroup, type, teamId, teamMemberRole: role }
}

/**
 * Returns an object of a setting with only the members that the server accepts: the named ones, and others that are
 * null. An earlier version stored any member; sent back, the others would make every save of the form fail.
 */
export function pickAccepted<Stored extends object>(
  stored: Stored,
  names: readonly string[],
): Stored {
  const accepted = { ...stored }
  for (const name of Object.keys(stored)) {
    if (names.includes(name) || Reflect.get(stored, name) === null) continue
    Reflect.deleteProperty(accepted, name)
  }
  return accepted
}

/** The people of a stored mapping. */
export type MappedGroup = Schemas['MappingUse']['mappings'][number]

/**
 * Describes what a mapping concerns now, in sentences: the people in its group, if the group is stored, and a team that
 * does not exist. `teamIds` undefined = loading.
 */
export function describeMapping(
  { scimGroup, type, teamId }: MappingRow,
  { mapped, teamIds }: { mapped: readonly MappedGroup[]; teamIds: readonly string[] | undefined },
): string[] {
  const facts: string[] = []
  const people = mapped.find(({ group }) => group === scimGroup)?.people
  if (people === 0) facts.push('No one is in this group.')
  if (people !== undefined && people > 0) {
    facts.push(`${people} ${people === 1 ? 'person is' : 'people are'} in this group.`)
  }
  const isTeamUnknown =
    type !== 'organizationOwner' &&
    teamId !== '' &&
    teamIds !== undefined &&
    !teamIds.includes(teamId)
  if (isTeamUnknown) facts.push(`The team "${teamId}" does not exist yet.`)
  return facts
}
