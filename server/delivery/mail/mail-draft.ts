import type { MailContent } from './mail-text.ts'
import type { MailValues } from './template.ts'

/** An e-mail of a type, with the values of the placeholders of its template. */
export interface MailDraft {
  /** The name of its template: `invitation`, or the kind of a notification. */
  type: string
  builtIn: MailContent
  values: MailValues
  /** Whether the paragraphs are a list, which follows the body of a template. */
  isList?: boolean
}
