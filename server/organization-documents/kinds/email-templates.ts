import { z } from '@hono/zod-openapi'
import type { OrganizationDocumentKind } from '../organization-document.ts'

const BYTES_MAX = 1024 * 1024

const emailText = z.looseObject({
  subject: z.string().nullish(),
  body: z.string().nullish(),
  customized: z.boolean().nullish(),
})

const emailTemplate = z.looseObject({
  enabled: z.boolean().nullish(),
  languages: z.record(z.string(), emailText).nullish(),
})

const emailTemplates = z
  .looseObject({ templates: z.record(z.string(), emailTemplate).nullish() })
  .openapi('EmailTemplates')

/** The organization's own texts of e-mails by type and language. `server/mail/template.ts` reads them. */
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
