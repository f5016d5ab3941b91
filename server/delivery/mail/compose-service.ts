import type { Database } from '../../platform/tables.ts'
import { type MailDraft, applyTemplate, readTemplate } from './template.ts'
import { renderMail, type MailParts } from './mail-text.ts'
import { findMailTemplates } from './template-store.ts'

/** Writes an e-mail with the organization's own texts; undefined if it has switched the type off. */
export async function composeMail(
  db: Database,
  organizationId: string,
  { type, builtIn, values, isList }: MailDraft,
): Promise<MailParts | undefined> {
  const document = await findMailTemplates(db, organizationId)
  if (document === undefined) return renderMail(builtIn)
  const template = readTemplate(document, type)
  return template.isEnabled
    ? renderMail(applyTemplate(builtIn, template, values, isList))
    : undefined
}
