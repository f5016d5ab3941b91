import { z } from '@hono/zod-openapi'
import type { Setting } from '../../../../formats/settings/setting.ts'
import { listSettings } from '../../../../formats/settings/lookup.ts'
import { SETTINGS_BYTES_MAX, type OrganizationDocumentKind } from '../organization-document.ts'
import { refusedSetting, settingsObject, settingText } from '../setting-schema.ts'

const ITEMS_MAX = 100
const TAG_CHARACTERS_MAX = 256

const SCHEMAS: Readonly<Record<NonNullable<Setting['type']>, z.ZodType>> = {
  flag: z.boolean(),
  text: z.string(),
  texts: z.array(z.string().max(TAG_CHARACTERS_MAX)).max(ITEMS_MAX),
  list: z.array(z.unknown()).max(ITEMS_MAX),
}

function toSchema({ member, effect, values, type = 'flag' }: Setting): z.ZodType {
  if (effect === 'refused') return refusedSetting('features', member)
  const schema =
    values === undefined ? SCHEMAS[type] : z.enum(values, `must be ${values.join(', ')} or null`)
  return schema.nullable().default(null).openapi(settingText('features', member))
}

const features = settingsObject(
  Object.fromEntries(listSettings('features').map((one) => [one.member, toSchema(one)])),
).openapi('OrganizationFeatures')

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
