// Gives the targets of references the spelling of the models that they lead to.

import type { Field, Model } from '../schema/model.ts'
import { toUpperCase } from '../schema/sql/quoted-names.ts'
import { SQL_TRAITS } from '../schema/sql/traits.ts'
import { isObject } from '../text/value.ts'
import type { NameRules } from './name-rules.ts'

/** Writes the references of both versions with the names of the newer one. */
export function alignReferences(
  {
    before,
    aligned,
    after,
  }: { before: readonly Model[]; aligned: readonly Model[]; after: readonly Model[] },
  rules: NameRules,
): { before: readonly Model[]; after: readonly Model[] } {
  if (![...before, ...after].some(hasReferences)) return { before: aligned, after }
  const older = listTargets(before, aligned, rules)
  const newer = listTargets(after, after, rules)
  return {
    before: aligned.map((model) => respell(model, older, rules)),
    after: after.map((model) => respell(model, newer, rules)),
  }
}

function hasReferences({ fields }: Model): boolean {
  return fields.some(({ references }) => references.length > 0)
}

// The text of each target by its key; undefined if several targets have the key, or one of its names is in quotes.
function listTargets(
  models: readonly Model[],
  aligned: readonly Model[],
  rules: NameRules,
): ReadonlyMap<string, string | undefined> {
  const targets = new Map<string, string | undefined>()
  const add = (written: string, text: string, isQuoted: boolean): void => {
    const key = toKey(written, rules)
    const isOther = targets.has(key) && targets.get(key) !== text
    targets.set(key, isOther || isQuoted ? undefined : text)
  }
  for (const [at, model] of models.entries()) {
    const other = aligned[at] ?? model
    const isQuoted = model.traits?.[SQL_TRAITS.quotedNames] !== undefined
    for (const isFull of model.namespace === undefined ? [false] : [false, true]) {
      const [from, to] = [model, other].map(({ namespace, name }) =>
        isFull ? `${namespace}.${name}` : name,
      )
      if (rules.tables !== 'exact') add(from ?? '', to ?? '', isQuoted)
      for (const [place, field] of model.fields.entries()) {
        const isOfQuoted = isQuoted || field.traits?.[SQL_TRAITS.quotedNames] !== undefined
        const name = other.fields[place]?.name ?? field.name
        add(`${from}.${field.name}`, `${to}.${name}`, isOfQuoted)
      }
    }
  }
  return targets
}

function toKey(text: string, { tables }: NameRules): string {
  const at = tables === 'exact' ? text.lastIndexOf('.') + 1 : 0
  return text.slice(0, at) + toUpperCase(text.slice(at))
}

function respell(
  model: Model,
  targets: ReadonlyMap<string, string | undefined>,
  rules: NameRules,
): Model {
  if (!hasReferences(model)) return model
  const getText = (text: string): string => targets.get(toKey(text, rules)) ?? text
  const fields = model.fields.map((field) => respellField(field, getText))
  const foreignKeys = model.foreignKeys?.map((key) => ({
    ...key,
    references: key.references.map(getText),
  }))
  return { ...model, fields, ...(foreignKeys === undefined ? {} : { foreignKeys }) }
}

function respellField(field: Field, getText: (text: string) => string): Field {
  if (field.references.length === 0) return field
  const references = field.references.map(getText)
  const clauses = field.traits?.[SQL_TRAITS.references]
  if (!isObject(clauses)) return { ...field, references }
  const respelled = Object.entries(clauses).map(([target, list]) => [getText(target), list])
  const traits = { ...field.traits, [SQL_TRAITS.references]: Object.fromEntries(respelled) }
  return { ...field, references, traits }
}
