import { z } from '@hono/zod-openapi'
import { DOCUMENT_MEDIA_TYPES } from '../../../requests/http/document.ts'
import { MAPPING_KIND, MAPPING_TYPES, toMappings } from '../directory-mapping.ts'
import { SETTINGS_BYTES_MAX, type OrganizationDocumentKind } from '../organization-document.ts'
import { settingsObject, settingText } from '../setting-schema.ts'

const MAPPINGS_MAX = 1000
const TEXT_CHARACTERS_MAX = 1000

const name = z.string().min(1, 'is empty').max(TEXT_CHARACTERS_MAX)

// The members that a mapping of each type needs.
const REQUIRED = {
  organizationOwner: [],
  teamMemberRole: ['teamId', 'teamMemberRole'],
  teamMember: ['teamId'],
} as const

const scimGroupMapping = settingsObject({
  scimGroup: name,
  type: z.enum(MAPPING_TYPES, 'must be organizationOwner, teamMemberRole or teamMember'),
  teamId: name.nullish(),
  teamMemberRole: name.nullish(),
}).superRefine(({ type, ...mapping }, context) => {
  const needs = { teamId: 'a team', teamMemberRole: 'a role' }
  for (const field of REQUIRED[type]) {
    if (typeof mapping[field] === 'string') continue
    const message = `is missing: a mapping of type ${type} names ${needs[field]}`
    context.addIssue({ code: 'custom', path: [field], message })
  }
})

const scimMapping = settingsObject({
  scimGroupDefaults: settingsObject({ defaultTeamMemberRole: name.nullish() })
    .nullish()
    .openapi(settingText('scim-mapping', 'scimGroupDefaults')),
  scimGroupMappings: z
    .array(scimGroupMapping)
    .max(MAPPINGS_MAX)
    .nullish()
    .openapi(settingText('scim-mapping', 'scimGroupMappings[]')),
}).openapi('ScimMapping')

/** The roles that the groups of a directory or an identity provider give their members. */
export const SCIM_MAPPING = {
  kind: MAPPING_KIND,
  address: '/api/settings/scim-mapping',
  operation: 'ScimMapping',
  called: 'mapping of SCIM groups to roles',
  page: '/settings/scim-mapping',
  schema: scimMapping,
  initial: { scimGroupMappings: [] },
  mediaTypes: DOCUMENT_MEDIA_TYPES,
  bytesMax: SETTINGS_BYTES_MAX * 4,
  isKeptAsSent: true,
  readers: 'an owner of the organization',
  errorCode: 'validation_failed',
  listMappings: toMappings,
} as const satisfies OrganizationDocumentKind
