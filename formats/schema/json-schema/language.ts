import { canonicalizeWith } from '../canonicalize.ts'
import type { SchemaLanguage } from '../schema-language.ts'
import { canonicalizeJsonSchema } from './meaning.ts'
import { readJsonSchema } from './read.ts'
import { writeJsonSchema } from './write.ts'

export const jsonSchema = {
  name: 'json-schema',
  // Older documentation has the second spelling.
  types: ['json-schema', 'jsonschema'],
  mediaType: 'application/schema+json',
  isJson: true,
  platform: 'json-schema',
  read: readJsonSchema,
  write: writeJsonSchema,
  canonicalize: canonicalizeWith(canonicalizeJsonSchema),
} as const satisfies SchemaLanguage
