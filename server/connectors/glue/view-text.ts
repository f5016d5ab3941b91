import { z } from 'zod'
import type { SourceColumn } from '../connector.ts'
import type { GlueTable } from './answers.ts'

/** A longer text is ignored. AWS Glue stores at most 409,600 bytes. */
const CHARACTERS_MAX = 1_000_000

const ENCODED_VIEW = /^\s*\/\* Presto (?:Materialized )?View: ([A-Za-z0-9+/=\s]+)\*\/\s*$/
const EMPTY_VIEW = /^\s*\/\* Presto (?:Materialized )?View \*\/\s*$/

const prestoView = z.object({
  originalSql: z.string(),
  columns: z
    .array(z.object({ name: z.string(), type: z.string() }))
    .nullish()
    .catch(undefined),
})

/** A view: its statement, and what Presto and Trino store beside it. */
export interface GlueView {
  /** Undefined = it is not recorded, or it cannot be decoded. */
  text: string | undefined
  /** Whether Athena, Presto or Trino stored the view as base64 of JSON in a comment. */
  isEncoded: boolean
  columns?: readonly SourceColumn[]
  /** The engine of the statement, if the view is for several engines. */
  dialect?: string
}

type ViewTexts = Pick<GlueTable, 'ViewOriginalText' | 'ViewExpandedText'>

/** Reads a view. If it is for several engines, its statement is that of the first that has one. */
export function getView({
  ViewDefinition: definition,
  ...own
}: ViewTexts & Pick<GlueTable, 'ViewDefinition'>): GlueView {
  const view = readTexts(own)
  if (view.text !== undefined) return view
  for (const { Dialect: dialect, ...texts } of definition?.Representations ?? []) {
    const { text } = readTexts(texts)
    if (text !== undefined) return { ...view, text, ...(dialect ? { dialect } : {}) }
  }
  return view
}

function readTexts({
  ViewOriginalText: original,
  ViewExpandedText: expanded,
}: ViewTexts): GlueView {
  const texts = [expanded, original].flatMap((text) =>
    text && text.length <= CHARACTERS_MAX ? [text] : [],
  )
  for (const text of texts) {
    const encoded = ENCODED_VIEW.exec(text)?.[1]
    if (encoded !== undefined) return decode(encoded)
  }
  return { text: texts.find((text) => !EMPTY_VIEW.test(text)), isEncoded: false }
}

function decode(encoded: string): GlueView {
  try {
    const json: unknown = JSON.parse(Buffer.from(encoded, 'base64').toString())
    const { originalSql: text, columns } = prestoView.parse(json)
    return { text, isEncoded: true, ...(columns ? { columns } : {}) }
  } catch {
    return { text: undefined, isEncoded: true }
  }
}
