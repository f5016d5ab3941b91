import { z } from '@hono/zod-openapi'
import { DOCUMENT_MEDIA_TYPES } from '../../http/document.ts'
import { SETTINGS_BYTES_MAX, type OrganizationDocumentKind } from '../organization-document.ts'

const MAPPINGS_MAX = 1000
const TEXT_CHARACTERS_MAX = 1000

const name = z.string().min(1, 'is empty').max(TEXT_CHARACTERS_MAX)

const scimGroupMapping = z
  .looseObject({
    scimGroup: name,
    type: z.enum(
      ['organizationOwner', 'teamMemberRole'],
      'must be organizationOwner or teamMemberRole',
    ),
    teamId: name.nullish(),
    teamMemberRole: name.nullish(),
  })
  .superRefine(({ type, ...mapping }, context) => {
    if (type !== 'teamMemberRole') return
    for (const field of ['teamId', 'teamMemberRole'] as const) {
      if (typeof mapping[field] === 'string') continue
      const message = 'is missing: a mapping of type teamMemberRole names a team and a role'
      context.addIssue({ code: 'custom', path: [field], message })
    }
  })

const scimMapping = z
  .looseObject({ scimGroupMappings: z.array(scimGroupMapping).max(MAPPINGS_MAX).nullish() })
  .openapi('ScimMapping')

/** The roles that the groups of an identity provider give their members. */
export const SCIM_MAPPING = {
  kind: 'scim-mapping',
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
} as const satisfies OrganizationDocumentKind
