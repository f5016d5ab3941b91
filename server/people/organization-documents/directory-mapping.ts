import { z } from '@hono/zod-openapi'
import { readAcceptedText } from '../../../formats/text/text.ts'
import { toGroupKey } from '../directory/group-key.ts'

/** The kind of the document that maps groups to roles. */
export const MAPPING_KIND = 'scim-mapping'

/** The role of a group without one of its own, unless the document has another. */
const DEFAULT_ROLE = 'Member'

/** The types of mappings. */
export const MAPPING_TYPES = ['organizationOwner', 'teamMemberRole', 'teamMember'] as const

/** A row of the mapping, as the views of roles read it. */
export interface DirectoryMapping {
  /** As the document spells it; external ids are compared by it. */
  groupName: string
  groupKey: string
  kind: (typeof MAPPING_TYPES)[number]
  /** External id of the team, which need not exist; null = the organization. */
  team: string | null
  role: string | null
}

const text = z.string().min(1)
const mapping = z.union([
  z.object({ scimGroup: text, type: z.literal('organizationOwner') }),
  z.object({
    scimGroup: text,
    type: z.literal('teamMemberRole'),
    teamId: text,
    teamMemberRole: text,
  }),
  z.object({ scimGroup: text, type: z.literal('teamMember'), teamId: text }),
])
const stored = z.object({
  scimGroupDefaults: z
    .object({ defaultTeamMemberRole: text.nullish().catch(undefined) })
    .nullish()
    .catch(undefined),
  scimGroupMappings: z.array(z.unknown()).nullish().catch(undefined),
})

/**
 * Returns the rows of a mapping in its order. Mappings that an earlier version accepted although they give nothing have
 * none.
 */
export function toMappings(document: unknown): DirectoryMapping[] {
  const { data } = stored.safeParse(document)
  const defaultRole = data?.scimGroupDefaults?.defaultTeamMemberRole ?? DEFAULT_ROLE
  return (data?.scimGroupMappings ?? []).flatMap((value) => {
    const read = mapping.safeParse(value)
    if (!read.success) return []
    const { scimGroup: groupName, type: kind } = read.data
    const group = { groupName, groupKey: toGroupKey(groupName), kind }
    if (read.data.type === 'organizationOwner') return { ...group, team: null, role: null }
    const role = read.data.type === 'teamMember' ? defaultRole : read.data.teamMemberRole
    return { ...group, team: read.data.teamId, role }
  })
}

/** Returns the rows of a stored mapping; undefined if the text cannot be read. */
export function readMappings(document: string, mediaType: string): DirectoryMapping[] | undefined {
  const isYaml = mediaType === 'application/yaml'
  const source = readAcceptedText(document, isYaml ? 'application/yaml' : 'application/json')
  return source.ok ? toMappings(source.value) : undefined
}
