import { canonicalizeWithout } from '../canonicalize.ts'
import type { SchemaLanguage } from '../schema-language.ts'
import { readDbt } from './read.ts'
import { DBT_ANNOTATIONS } from './traits.ts'
import { writeDbt } from './write.ts'

export const dbt = {
  name: 'dbt',
  types: ['dbt'],
  mediaType: 'application/yaml',
  read: readDbt,
  write: writeDbt,
  canonicalize: canonicalizeWithout([...DBT_ANNOTATIONS, 'version']),
} as const satisfies SchemaLanguage
