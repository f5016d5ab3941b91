import { clip } from '../../../formats/text/value.ts'
import { newTable } from '../../../formats/name/table.ts'

/**
 * The text of an e-mail, from which both of its parts are made: plain text, and HTML without images, styles from
 * elsewhere and scripts. Names of people and documents are texts, never markup.
 */

/** A link of an e-mail. */
export interface MailLink {
  label: string
  url: string
}

/** A paragraph: texts and links. */
export type MailParagraph = readonly (string | MailLink)[]

/** The content of an e-mail. */
export interface MailContent {
  subject: string
  paragraphs: readonly MailParagraph[]
  /** The small print: why the recipient gets the message, and how to switch it off. */
  footer: readonly MailParagraph[]
}

/** The parts of an e-mail, ready to be sent. */
export interface MailParts {
  subject: string
  text: string
  html: string
}

const SUBJECT_CHARACTERS_MAX = 200
const TEXT_CHARACTERS_MAX = 4000
const PARAGRAPHS_MAX = 500

/** Creates the parts of an e-mail. What exceeds the limits is cut, which the text shows. */
export function renderMail({ subject, paragraphs, footer }: MailContent): MailParts {
  const content = cut(paragraphs).map(cleanParagraph)
  const smallPrint = footer.map(cleanParagraph)
  return {
    subject: cleanLine(subject, SUBJECT_CHARACTERS_MAX),
    text: [...content.map(toPlainText), '-- ', ...smallPrint.map(toPlainText)].join('\n\n') + '\n',
    html: toHtmlDocument(content, smallPrint),
  }
}

function cut(paragraphs: readonly MailParagraph[]): readonly MailParagraph[] {
  if (paragraphs.length <= PARAGRAPHS_MAX) return paragraphs
  const omitted = paragraphs.length - PARAGRAPHS_MAX
  return [...paragraphs.slice(0, PARAGRAPHS_MAX), [`${omitted} more are not listed here.`]]
}

// Characters that end a line or change the order of the text around them.
const UNSAFE = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]+/gu

/** Makes a text one line, without characters that change the order of others; longer ones end with an ellipsis. */
export function cleanLine(text: string, charactersMax = TEXT_CHARACTERS_MAX): string {
  const line = text.slice(0, charactersMax * 2).replaceAll(UNSAFE, ' ')
  return clip(line.replaceAll(/\s+/g, ' ').trim(), charactersMax)
}

function cleanParagraph(paragraph: MailParagraph): MailParagraph {
  return paragraph.map((span) =>
    typeof span === 'string'
      ? keepEdges(span)
      : { label: cleanLine(span.label), url: assertWebAddress(span.url) },
  )
}

// The spaces around a link belong to the texts beside it.
function keepEdges(text: string): string {
  const [start] = /^ ?/.exec(text) ?? ['']
  const [end] = / ?$/.exec(text) ?? ['']
  const line = cleanLine(text)
  return line === '' ? start : `${start}${line}${end}`
}

function assertWebAddress(url: string): string {
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(url))
    throw new Error('a link of an e-mail is no web address')
  return url
}

function toPlainText(paragraph: MailParagraph): string {
  return paragraph
    .map((span) => {
      if (typeof span === 'string') return span
      return span.label === span.url ? span.url : `${span.label}: ${span.url}`
    })
    .join('')
}

function toHtmlDocument(
  paragraphs: readonly MailParagraph[],
  footer: readonly MailParagraph[],
): string {
  const rows = paragraphs.map((paragraph) => `<p dir="auto">${toHtml(paragraph)}</p>`)
  const smallPrint = footer.map(
    (paragraph) => `<p dir="auto" style="color:#555;font-size:13px">${toHtml(paragraph)}</p>`,
  )
  return [
    '<!doctype html>',
    '<html><head><meta charset="utf-8"></head>',
    '<body style="font-family:sans-serif;font-size:15px;line-height:1.5;max-width:40em">',
    ...rows,
    '<hr>',
    ...smallPrint,
    '</body></html>',
    '',
  ].join('\n')
}

function toHtml(paragraph: MailParagraph): string {
  return paragraph
    .map((span) =>
      typeof span === 'string'
        ? escapeHtml(span)
        : `<a href="${escapeHtml(span.url)}">${escapeHtml(span.label)}</a>`,
    )
    .join('')
}

const ENTITIES = newTable<string>({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
})

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
