import type { MailContent, MailLink, MailParagraph } from './mail-text.ts'

/**
 * A template is an organization's own text for one type of e-mail. Placeholders such as `{{title}}` are replaced with
 * the values of the message; everything else is plain text, in the HTML part too.
 */

/** An e-mail of a type, with the values of the placeholders of its template. */
export interface MailDraft {
  /** The name of its template: `invitation`, or the kind of a notification. */
  type: string
  builtIn: MailContent
  values: MailValues
  /** Whether the paragraphs are a list, which follows the body of a template. */
  isList?: boolean
}

/** A template of a type of e-mail, as an organization stores it. */
interface MailTemplate {
  /** Whether e-mails of the type are sent. */
  isEnabled: boolean
  /** The texts; undefined = the built-in one. */
  subject: string | undefined
  body: string | undefined
}

/** The values of placeholders: texts, and links under names such as `link`. */
type MailValues = Readonly<Record<string, string | MailLink>>

const TEMPLATE_CHARACTERS_MAX = 20_000
const LANGUAGE = 'en'

/** Reads the template of a type from a document of e-mail templates, as JSON text; without one it is the built-in text. */
export function readTemplate(document: string, type: string): MailTemplate {
  const template = getMember(getMember(parseJson(document), 'templates'), type)
  const languages = getMember(template, 'languages')
  // A message is in English. Without English texts, the only language of the template is meant.
  const [first] = Object.keys(typeof languages === 'object' && languages !== null ? languages : {})
  const texts = getMember(languages, LANGUAGE) ?? getMember(languages, first ?? LANGUAGE)
  return {
    isEnabled: getMember(template, 'enabled') !== false,
    subject: getText(texts, 'subject'),
    body: getText(texts, 'body'),
  }
}

/**
 * Replaces the subject and the paragraphs of an e-mail with those of a template. The small print stays, and with `isList` the
 * paragraphs stay, too, after those of the template.
 */
export function applyTemplate(
  builtIn: MailContent,
  { subject, body }: MailTemplate,
  values: MailValues,
  isList = false,
): MailContent {
  return {
    subject: subject === undefined ? builtIn.subject : toPlainText(fill(subject, values)),
    paragraphs: body === undefined ? builtIn.paragraphs : replace(builtIn, body, values, isList),
    footer: builtIn.footer,
  }
}

function replace(
  { paragraphs }: MailContent,
  body: string,
  values: MailValues,
  isList: boolean,
): MailParagraph[] {
  const own = toParagraphs(body, values)
  if (isList) return [...own, ...paragraphs]
  // A message whose purpose is a link must have it.
  const { link } = values
  const isMissing = typeof link === 'object' && !/\{\{ *link *\}\}/.test(body)
  return isMissing ? [...own, [link]] : own
}

function toParagraphs(body: string, values: MailValues): MailParagraph[] {
  return body
    .slice(0, TEMPLATE_CHARACTERS_MAX)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => fill(line, values))
}

// Values are not searched for placeholders: a name may look like one.
function fill(text: string, values: MailValues): MailParagraph {
  return text.split(/(\{\{ *[a-zA-Z]+ *\}\})/).map((part) => {
    const name = /^\{\{ *([a-zA-Z]+) *\}\}$/.exec(part)?.[1]
    if (name === undefined || !Object.hasOwn(values, name)) return part
    const value = values[name]
    return typeof value === 'object' ? { label: value.url, url: value.url } : (value ?? part)
  })
}

function toPlainText(paragraph: MailParagraph): string {
  return paragraph.map((span) => (typeof span === 'string' ? span : span.url)).join('')
}

function parseJson(document: string): unknown {
  try {
    return JSON.parse(document)
  } catch {
    return undefined
  }
}

function getMember(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
  return isObject ? Reflect.get(value, name) : undefined
}

function getText(value: unknown, name: string): string | undefined {
  const text = getMember(value, name)
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}
