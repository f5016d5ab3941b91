// Reads promises that were stored as JSON. Members of another type are ignored, so that no stored value ever fails.

import { listTexts, nonBlankText } from '../data-product/fields.ts'
import { LOGICAL_TYPES } from '../schema/model.ts'
import { PLATFORMS } from '../schema/types/native-type.ts'
import { asText, getField, isObject, put, type Value } from '../text/value.ts'
import type { PromisedField, PromisedModel } from './promise.ts'

const KINDS = ['table', 'view', 'topic', 'file'] as const

/** Reads a promise from its JSON. Never throws. */
export function readPromise(value: Value): PromisedModel {
  const promise: PromisedModel = {
    key: listTexts(getField(value, 'key')),
    fields: readFields(getField(value, 'fields')),
  }
  put(promise, 'kind', pick(KINDS, getField(value, 'kind')))
  put(promise, 'types', pick(PLATFORMS, getField(value, 'types')))
  if (getField(value, 'hasNoTimestamps') === true) promise.hasNoTimestamps = true
  if (getField(value, 'isClosed') === true) promise.isClosed = true
  return promise
}

function readFields(list: Value | undefined): PromisedField[] {
  return Array.isArray(list) ? list.filter(isObject).map(readField) : []
}

function readField(value: Value): PromisedField {
  const field: PromisedField = { name: asText(getField(value, 'name')) ?? '' }
  put(field, 'column', nonBlankText(getField(value, 'column')))
  put(field, 'type', nonBlankText(getField(value, 'type')))
  put(field, 'logicalType', pick(LOGICAL_TYPES, getField(value, 'logicalType')))
  put(field, 'precision', readNumber(getField(value, 'precision')))
  put(field, 'scale', readNumber(getField(value, 'scale')))
  if (getField(value, 'required') === true) field.required = true
  if (getField(value, 'unique') === true) field.unique = true
  put(field, 'classification', nonBlankText(getField(value, 'classification')))
  const fields = getField(value, 'fields')
  if (Array.isArray(fields)) field.fields = readFields(fields)
  for (const part of ['items', 'keys', 'values'] as const) {
    const inner = getField(value, part)
    if (isObject(inner)) field[part] = readField(inner)
  }
  return field
}

function readNumber(value: Value | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function pick<T extends string>(words: readonly T[], value: Value | undefined): T | undefined {
  return words.find((word) => word === value)
}
