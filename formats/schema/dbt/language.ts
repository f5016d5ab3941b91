import { canonicalText } from '../../shape/canonical.ts'
import { any } from '../../shape/shape.ts'
import { getField, isObject, type Value } from '../../text/value.ts'
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
    return canonicalText(withNewestTests(removeNames(stated, NO_MEANING)), any)
  }),
} as const satisfies SchemaLanguage

// dbt 1.8 renamed `tests` to `data_tests`, and dbt 1.10 moved the arguments of a test under `arguments`. Both spellings
// have the same meaning.
function withNewestTests(value: Value): Value {
  if (Array.isArray(value)) return value.map(withNewestTests)
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([name, member]): [string, Value] => {
    const isTests = Array.isArray(member) && (name === 'tests' || name === 'data_tests')
    return isTests ? ['data_tests', member.map(withoutArguments)] : [name, withNewestTests(member)]
  })
  return Object.fromEntries(entries)
}

function withoutArguments(test: Value): Value {
  if (!isObject(test)) return test
  return Object.fromEntries(
    Object.entries(test).map(([name, given]) => {
      const nested = getField(given, 'arguments')
      if (!isObject(given) || !isObject(nested)) return [name, given]
      const { arguments: _, ...rest } = given
      return [name, { ...rest, ...nested }]
    }),
  )
}
