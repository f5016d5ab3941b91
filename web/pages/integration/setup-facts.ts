import { linesOf, type FormField, type FormValues } from '../../parts/schema-form-values.ts'
import { askedFields, type IntegrationDraft } from './integration-draft.ts'

/** Names with their values, as `Facts` shows them. */
export type FactList = readonly (readonly [string, string])[]

const LONG_CHARACTERS = 200

/** The fields of a connection that count, in words; long ones are cut. */
export function connectionFacts(fields: readonly FormField[], values: FormValues): FactList {
  return askedFields(fields, values).map((field) => {
    const value = values[field.name]
    if (typeof value === 'boolean') return [field.title, value ? 'yes' : 'no']
    const text = linesOf(value ?? '').join(', ')
    const choice = field.choices.find((one) => one.value === text)?.title ?? text
    const isLong = choice.length > LONG_CHARACTERS
    return [field.title, isLong ? `${choice.slice(0, LONG_CHARACTERS)}…` : choice]
  })
}

/** What the filters take in and leave out, by level. */
export function filterFacts({
  include,
  exclude,
}: Pick<IntegrationDraft, 'include' | 'exclude'>): FactList {
  const sides = [
    ['Take in', include],
    ['Leave out', exclude],
  ] as const
  const told = sides.flatMap(([title, texts]) =>
    Object.entries(texts)
      .map(([level, text]) => [`${title}, ${level}`, linesOf(text).join(', ')] as const)
      .filter(([, names]) => names !== ''),
  )
  return told.length === 0 ? [['All', 'everything but what belongs to the platform']] : told
}
