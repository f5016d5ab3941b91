import { z } from '@hono/zod-openapi'
import {
  CUSTOM_FILTER_SCHEMA,
  CUSTOM_FILTERS_MAX,
} from '../../../../formats/settings/custom-filter.ts'
import { DOCUMENT_MEDIA_TYPES } from '../../../requests/http/document.ts'
import { SETTINGS_BYTES_MAX, type OrganizationDocumentKind } from '../organization-document.ts'
import { settingsObject, settingText } from '../setting-schema.ts'

const { displayName, customField } = CUSTOM_FILTER_SCHEMA.properties

const customFilter = settingsObject({
  displayName: z.string().trim().min(1, 'is empty').max(displayName.maxLength),
  customField: z.string().trim().min(1, 'is empty').max(customField.maxLength),
}).openapi(settingText('customization', 'dataProduct.customFilters[]'))

const customization = settingsObject({
  dataProduct: settingsObject({
    customFilters: z.array(customFilter).max(CUSTOM_FILTERS_MAX).nullish(),
  }).nullish(),
  dataContract: z.looseObject({}).nullish().openapi(settingText('customization', 'dataContract')),
}).openapi('Customization')

/** The customization of the pages of an organization: filters of data products by custom properties. */
export const CUSTOMIZATION = {
  kind: 'customization',
  address: '/api/settings/customization',
  operation: 'Customization',
  called: 'customization of the pages',
  page: '/settings/customization',
  schema: customization,
  initial: { dataProduct: { customFilters: [] }, dataContract: {} },
  mediaTypes: DOCUMENT_MEDIA_TYPES,
  bytesMax: SETTINGS_BYTES_MAX,
  isKeptAsSent: true,
  readers: 'an organization key or a session',
  errorCode: 'validation_failed',
} as const satisfies OrganizationDocumentKind
