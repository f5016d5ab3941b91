import { z } from '@hono/zod-openapi'
import { SETTINGS_BYTES_MAX, type OrganizationDocumentKind } from '../organization-document.ts'
import { refusedSetting, settingsObject, settingText } from '../setting-schema.ts'

const ITEMS_MAX = 100
const TAG_CHARACTERS_MAX = 256

const flag = z.boolean().nullable().default(null)
const text = (member: string) => settingText('features', member)

const features = settingsObject({
  changeProcessMode: refusedSetting('features', 'changeProcessMode'),
  managedTagsPolicy: z
    .enum(['only-managed-tags-allowed'], 'must be only-managed-tags-allowed or null')
    .nullable()
    .default(null)
    .openapi(text('managedTagsPolicy')),
  autoApprovePolicy: refusedSetting('features', 'autoApprovePolicy'),
  accessProvisioningPolicy: refusedSetting('features', 'accessProvisioningPolicy'),
  customTeamRolesEnabled: flag.openapi(text('customTeamRolesEnabled')),
  dataContractTestsEnabled: flag.openapi(text('dataContractTestsEnabled')),
  dataContractTestsTags: z
    .array(z.string().max(TAG_CHARACTERS_MAX))
    .max(ITEMS_MAX)
    .nullable()
    .default(null)
    .openapi(text('dataContractTestsTags')),
  openInOptions: z
    .array(z.unknown())
    .max(ITEMS_MAX)
    .nullable()
    .default(null)
    .openapi(text('openInOptions')),
  customScript: z.string().nullable().default(null).openapi(text('customScript')),
  intelligenceEnabled: flag.openapi(text('intelligenceEnabled')),
  intelligenceQueryExecutionEnabled: flag.openapi(text('intelligenceQueryExecutionEnabled')),
}).openapi('OrganizationFeatures')

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
  readers: 'an organization key or a session',
  errorCode: 'validation_failed',
  derived: {
    name: 'customTeamRolesEnabled',
    from: 'team-roles',
    compute: (document) => 'mode' in document && document.mode === 'custom-team-roles',
  },
} as const satisfies OrganizationDocumentKind
