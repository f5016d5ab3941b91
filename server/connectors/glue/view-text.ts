import { z } from 'zod'
import type { GlueTable } from './answers.ts'

/** A longer text is ignored. AWS Glue stores at most 409,600 bytes. */
const CHARACTERS_MAX = 1_000_000

const ENCODED_VIEW = /^\s*\/\* Presto (?:Materialized )?View: ([A-Za-z0-9+/=\s]+)\*\/\s*$/
const EMPTY_VIEW = /^\s*\/\* Presto (?:Materialized )?View \*\/\s*$/

const prestoView = z.object({ originalSql: z.string() })

/**
 * Returns the statement of a view. Athena, Presto and Trino store it as base64 of JSON in a comment.
 * Undefined = not recorded, or it cannot be decoded.
 */
export function getViewText({
  ViewOriginalText: original,
  ViewExpandedText: expanded,
}: Pick<GlueTable, 'ViewOriginalText' | 'ViewExpandedText'>): string | undefined {
  const texts = [expanded, original].flatMap((text) =>
    text && text.length <= CHARACTERS_MAX ? [text] : [],
  )
  for (const text of texts) {
    const encoded = ENCODED_VIEW.exec(text)?.[1]
    if (encoded !== undefined) return decode(encoded)
  }
  return texts.find((text) => !EMPTY_VIEW.test(text))
}

function decode(encoded: string): string | undefined {
  try {
    const json: unknown = JSON.parse(Buffer.from(encoded, 'base64').toString())
    return prestoView.safeParse(json).data?.originalSql
  } catch {
    return undefined
  }
}
