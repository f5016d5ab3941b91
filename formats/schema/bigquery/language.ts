import { canonicalizeWithout } from '../canonicalize.ts'
import type { SchemaLanguage } from '../schema-language.ts'
import { readBigQuery } from './read.ts'
import { BIGQUERY_ANNOTATIONS } from './traits.ts'
import { writeBigQuery } from './write.ts'

export const bigquery = {
  name: 'bigquery',
  types: ['bigquery'],
  mediaType: 'application/json',
  isJson: true,
  platform: 'bigquery',
  read: readBigQuery,
  write: writeBigQuery,
  canonicalize: canonicalizeWithout(BIGQUERY_ANNOTATIONS),
} as const satisfies SchemaLanguage
