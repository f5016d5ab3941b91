import { z } from '@hono/zod-openapi'
import { SETTINGS_BYTES_MAX, type OrganizationDocumentKind } from '../organization-document.ts'

const ITEMS_MAX = 100
const TAG_CHARACTERS_MAX = 256

const flag = z.boolean().nullable().default(null)

const features = z
  .looseObject({
    changeProcessMode: z
      .enum(['approval-required'], 'must be approval-required or null')
      .nullable()
      .default(null)
      .openapi({ description: 'Stored for clients; changes do not need approval yet' }),
    managedTagsPolicy: z
      .enum(['only-managed-tags-allowed'], 'must be only-managed-tags-allowed or null')
      .nullable()
      .default(null),
    customTeamRolesEnabled: flag.openapi({
      description: 'Whether the team roles are custom ones; a value that is sent has no effect',
    }),
    dataContractTestsEnabled: flag,
    dataContractTestsTags: z
      .array(z.string().max(TAG_CHARACTERS_MAX))
      .max(ITEMS_MAX)
      .nullable()
      .default(null),
    openInOptions: z.array(z.unknown()).max(ITEMS_MAX).nullable().default(null),
    customScript: z.string().nullable().default(null).openapi({
      description: 'Stored for clients; the pages never run it',
    }),
    intelligenceEnabled: flag,
    intelligenceQueryExecutionEnabled: flag,
  })
  .openapi('OrganizationFeatures')

/** The features of an organization: optional rules and functions that its owners turn on. */
export const FEATURES = {
  kind: 'features',
  address: '/api/organization/features',
  operation: 'OrganizationFeatures',
  called: 'features of the organization',
  page: '/settings/features',
  schema: features,
  initial: features.parse({}),
  mediaTypes: ['application/json'],
  bytesMax: SETTINGS_BYTES_MAX,
  isKeptAsSent: false,
  readers: 'any key',
  errorCode: 'validation_failed',
  derived: {
    name: 'customTeamRolesEnabled',
    from: 'team-roles',
    compute: (document) => 'mode' in document && document.mode === 'custom-team-roles',
  },
} as const satisfies OrganizationDocumentKind
