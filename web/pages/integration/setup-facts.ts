import { splitLines, type FormField, type FormValues } from '../../parts/schema-form-values.ts'
import {
  askedFields,
  askedSecrets,
  changedConnection,
  type IntegrationDraft,
} from './integration-draft.ts'
import type { Wizard } from './use-wizard.ts'

/** Names with their values, as `Facts` shows them. */
export type FactList = readonly (readonly [string, string])[]

const LONG_CHARACTERS = 200

/** Lists the connection fields that apply, with their values; long ones are cut. */
export function connectionFacts(fields: readonly FormField[], values: FormValues): FactList {
  return askedFields(fields, values).map((field) => {
    const value = values[field.name]
    if (typeof value === 'boolean') return [field.title, value ? 'Yes' : 'No']
    const text = splitLines(value ?? '').join(', ')
    const choice = field.choices.find((one) => one.value === text)?.title ?? text
    const isLong = choice.length > LONG_CHARACTERS
    return [field.title, isLong ? `${choice.slice(0, LONG_CHARACTERS)}…` : choice]
  })
}

/** Lists the patterns of the filters, by level. */
export function filterFacts({
  include,
  exclude,
}: Pick<IntegrationDraft, 'include' | 'exclude'>): FactList {
  const sides = [
    ['Include', include],
    ['Exclude', exclude],
  ] as const
  const facts = sides.flatMap(([title, texts]) =>
    Object.entries(texts)
      .map(
        ([level, text]) => [`${title} ${levelsText(level)}`, splitLines(text).join(', ')] as const,
      )
      .filter(([, names]) => names !== ''),
  )
  return facts.length === 0 ? [['Include', 'Everything except system objects']] : facts
}

/** Lists the secrets that apply, each with what saving does to it. */
export function secretFacts({
  source,
  fields,
  draft,
  secrets,
  form,
}: Pick<Wizard, 'source' | 'fields' | 'draft' | 'secrets' | 'form'>): FactList {
  if (source === undefined) return []
  // The server refuses to send a stored secret to another destination.
  const isMoved = changedConnection(source, fields, draft.values, form).length > 0
  return askedSecrets(source, draft.values, form).map(({ name, title, setAt }) => {
    if (draft.secretChoices[name] === 'remove') return [title, 'Will be removed']
    if ((secrets[name] ?? '') !== '') return [title, setAt === null ? 'Set' : 'Will be replaced']
    if (setAt === null) return [title, 'Not set']
    return [title, isMoved ? 'Must be entered again, because the connection changed' : 'Unchanged']
  })
}

/** Returns the plural of a level of a source: `schemas`. */
export function levelsText(level: string): string {
  return `${level}s`
}
