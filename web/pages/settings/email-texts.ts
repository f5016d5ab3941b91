import type { Schemas } from '../../api/client.ts'
import { pickAccepted } from './scim-mapping-rows.ts'

type EmailTemplates = Schemas['EmailTemplates']
type StoredTemplate = NonNullable<EmailTemplates['templates']>[string]
type StoredText = NonNullable<StoredTemplate['languages']>[string]

/** The members of the document, of the template of a type, and of a text. */
const MEMBERS = ['templates']
const TEMPLATE_MEMBERS = ['enabled', 'languages', 'canBeDisabled', 'variables']
const TEXT_MEMBERS = ['subject', 'body', 'customized']

/** The text of an e-mail in one language. */
export interface EmailText {
  language: string
  subject: string
  body: string
  stored: StoredText
}

/** The texts of one type of e-mail. */
export interface EmailType {
  type: string
  isEnabled: boolean
  texts: readonly EmailText[]
  /** The stored template, whose other fields are kept. */
  stored: StoredTemplate
}

/** A type that is not filled in yet. */
export const NEW_TYPE: EmailType = { type: '', isEnabled: true, texts: [], stored: {} }

/** A text that is not written yet. */
export const NEW_TEXT: EmailText = { language: '', subject: '', body: '', stored: {} }

/** Returns the stored types in the order of their names. */
export function toEmailTypes({ templates }: EmailTemplates): EmailType[] {
  return Object.entries(templates ?? {})
    .map(([type, stored]) => ({
      type,
      isEnabled: stored.enabled ?? true,
      texts: Object.entries(stored.languages ?? {}).map(([language, text]) => ({
        language,
        subject: text.subject ?? '',
        body: text.body ?? '',
        stored: text,
      })),
      stored,
    }))
    .toSorted((a, b) => a.type.localeCompare(b.type))
}

/**
 * Returns the document to save. Changed texts are marked as customized, as clients expect it. Members that the server
 * does not accept are left out.
 */
export function toEmailTemplates(
  stored: EmailTemplates,
  types: readonly EmailType[],
): EmailTemplates {
  const templates = types.map((one): [string, StoredTemplate] => [one.type, toTemplate(one)])
  return { ...pickAccepted(stored, MEMBERS), templates: Object.fromEntries(templates) }
}

function toTemplate({ isEnabled, texts, stored }: EmailType): StoredTemplate {
  const enabled = (stored.enabled ?? true) === isEnabled ? {} : { enabled: isEnabled }
  const template = { ...pickAccepted(stored, TEMPLATE_MEMBERS), ...enabled }
  if (texts.length === 0 && (stored.languages ?? null) === null) return template
  const languages = Object.fromEntries(texts.map((text) => [text.language, toText(text)]))
  return { ...template, languages }
}

function toText({ subject, body, stored }: EmailText): StoredText {
  const text = pickAccepted(stored, TEXT_MEMBERS)
  if ((stored.subject ?? '') === subject && (stored.body ?? '') === body) return text
  return { ...text, subject, body, customized: true }
}

/** Returns why a type cannot be used; undefined = it can. */
export function findTypeProblem(
  { type, texts }: EmailType,
  others: readonly string[],
): string | undefined {
  if (type.trim() === '') return 'Enter a type.'
  if (others.includes(type)) return 'Another entry has this type.'
  const languages = texts.map(({ language }) => language)
  if (languages.some((language) => language.trim() === '')) return 'Enter a language for each text.'
  if (new Set(languages).size < languages.length) return 'Each language can have one text only.'
  return undefined
}
