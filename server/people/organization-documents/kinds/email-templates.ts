import { z } from '@hono/zod-openapi'
import type { OrganizationDocumentKind } from '../organization-document.ts'
import { settingsObject, settingText } from '../setting-schema.ts'

const BYTES_MAX = 1024 * 1024

const text = (member: string) => settingText('email-templates', `templates{}.${member}`)

const emailText = settingsObject({
  subject: z.string().nullish().openapi(text('languages{}.subject')),
  body: z.string().nullish().openapi(text('languages{}.body')),
  customized: z.boolean().nullish().openapi(text('languages{}.customized')),
})

const emailTemplate = settingsObject({
  enabled: z.boolean().nullish().openapi(text('enabled')),
  languages: z.record(z.string(), emailText).nullish(),
  // Other catalogs answer these, and clients send back what they have read.
  canBeDisabled: z.boolean().nullish().openapi(text('canBeDisabled')),
  variables: z.array(z.looseObject({})).nullish().openapi(text('variables')),
})

const emailTemplates = settingsObject({
  templates: z.record(z.string(), emailTemplate).nullish(),
}).openapi('EmailTemplates')

/** The organization's own texts of e-mails by type and language. `server/delivery/mail/template.ts` reads them. */
export const EMAIL_TEMPLATES = {
  kind: 'email-templates',
  address: '/api/settings/email-templates',
  operation: 'EmailTemplates',
  called: 'templates of e-mails',
  page: '/settings/email-templates',
  schema: emailTemplates,
  initial: { templates: {} },
  mediaTypes: ['application/json'],
  bytesMax: BYTES_MAX,
  isKeptAsSent: true,
  readers: 'an owner of the organization',
  errorCode: 'validation_failed',
} as const satisfies OrganizationDocumentKind
