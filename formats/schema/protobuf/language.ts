import type { SchemaLanguage } from '../schema-language.ts'
import { readEveryMessage, readProtobuf } from './read.ts'
import { canonicalProtobuf } from './tokens.ts'
import { writeProtobuf } from './write.ts'

export const protobuf = {
  name: 'protobuf',
  types: ['protobuf'],
  mediaType: 'text/plain',
  platform: 'protobuf',
  read: readProtobuf,
  readDefinitions: readEveryMessage,
  write: (models, { numbering }) => writeProtobuf(models, numbering),
  canonicalize: (value) => (typeof value === 'string' ? canonicalProtobuf(value) : undefined),
} as const satisfies SchemaLanguage
