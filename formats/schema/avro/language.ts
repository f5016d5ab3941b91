import { canonicalizeWith } from '../canonicalize.ts'
import type { SchemaLanguage } from '../schema-language.ts'
import { canonicalizeAvro } from './canonical.ts'
import { readAvro } from './read.ts'
import { writeAvro } from './write.ts'

export const avro = {
  name: 'avro',
  types: ['avro'],
  mediaType: 'application/json',
  isJson: true,
  platform: 'avro',
  read: readAvro,
  write: writeAvro,
  canonicalize: canonicalizeWith(canonicalizeAvro),
} as const satisfies SchemaLanguage
