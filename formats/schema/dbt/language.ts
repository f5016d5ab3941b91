import { canonicalText } from '../../shape/canonical.ts'
import { any } from '../../shape/shape.ts'
import { canonicalizeWith, removeNames } from '../canonicalize.ts'
import type { SchemaLanguage } from '../schema-language.ts'
import { isManifest, readManifest } from './manifest.ts'
import { readDbt } from './read.ts'
import { DBT_ANNOTATIONS } from './traits.ts'
import { writeDbt } from './write.ts'

const NO_MEANING: ReadonlySet<string> = new Set([...DBT_ANNOTATIONS, 'version'])

export const dbt = {
  name: 'dbt',
  types: ['dbt'],
  mediaType: 'application/yaml',
  read: readDbt,
  write: writeDbt,
  canonicalize: canonicalizeWith((value) => {
    const stated = isManifest(value)
      ? readManifest(value).models.map(({ properties }) => properties)
      : value
    return canonicalText(removeNames(stated, NO_MEANING), any)
  }),
} as const satisfies SchemaLanguage
