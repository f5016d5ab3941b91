// Reads what guides the users of a product, port, model or field without promising anything about data: other names,
// questions with answers, restrictions on its use, and its successor. ODCS 3.2 and ODPS 1.1 write them alike.

import type { Context, Deprecation } from '../schema/model.ts'
import { getField, isObject, put, asText, type ObjectValue, type Value } from '../text/value.ts'
import { listObjects, nonBlankText } from './fields.ts'

/** Reads a list of synonyms, `[{synonym: "sales"}]`, without repetitions; undefined if there are none. */
export function readSynonyms(list: Value | undefined): string[] | undefined {
  const texts = listObjects(list).flatMap(({ item }) => {
    const text = nonBlankText(getField(item, 'synonym'))
    return text === undefined ? [] : [text]
  })
  return texts.length === 0 ? undefined : [...new Set(texts)]
}

/** Reads a context; a text, which only ODCS allows, is its instructions. Undefined if it has no content. */
export function readContext(value: Value | undefined): Context | undefined {
  const given = isObject(value) ? value : {}
  const statements = listObjects(getField(given, 'verifiedStatements')).flatMap(({ item }) => {
    const question = nonBlankText(getField(item, 'question'))
    if (question === undefined) return []
    const answer = nonBlankText(getField(item, 'answer'))
    return [answer === undefined ? { question } : { question, answer }]
  })
  const constraints = listObjects(getField(given, 'constraints')).flatMap(({ item }) => {
    const text = nonBlankText(getField(item, 'constraint'))
    return text === undefined ? [] : [text]
  })
  const context: Context = { statements, constraints }
  put(context, 'instructions', nonBlankText(value) ?? nonBlankText(getField(given, 'instructions')))
  const isEmpty = statements.length === 0 && constraints.length === 0
  return isEmpty && context.instructions === undefined ? undefined : context
}

/** Reads whether a part of a document is deprecated, and its custom property `replacedBy`. */
export function readDeprecation(raw: ObjectValue): Deprecation {
  const deprecation: Deprecation = {}
  if (getField(raw, 'deprecated') === true) deprecation.deprecated = true
  put(deprecation, 'replacedBy', readReplacedBy(getField(raw, 'customProperties')))
  return deprecation
}

/** Returns the value of the custom property `replacedBy`: the id or address of the successor. */
export function readReplacedBy(customProperties: Value | undefined): string | undefined {
  for (const { item } of listObjects(customProperties)) {
    if (asText(getField(item, 'property')) === 'replacedBy')
      return nonBlankText(getField(item, 'value'))
  }
  return undefined
}
