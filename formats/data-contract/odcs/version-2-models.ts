// Reads the models of an ODCS 2.2 document: its tables with their columns.

import { nonBlankText, listObjects, listTexts } from '../../data-product/fields.ts'
import type { Notes } from '../../text/problem.ts'
import { FieldBudget, WRITTEN_FIELDS } from '../../schema/field-budget.ts'
import type { Field, LogicalType, Model } from '../../schema/model.ts'
import { plainField, plainModel } from '../../schema/plain.ts'
import type { Platform } from '../../schema/types/native-type.ts'
import { getField, type ObjectValue, put, asText } from '../../text/value.ts'
import { parseLogicalType, readKeyPosition, toPath } from '../model-parts.ts'
import { noteRepeatedNames, setPrimaryKey } from '../model-parts.ts'
import { NativeTypes } from '../native-types.ts'
import { readChecks } from '../quality-checks.ts'

/** Reads the models of an ODCS 2.2 document; reports repeated names and documents with too many fields. */
export function odcs2Models(
  value: ObjectValue,
  platform: Platform | undefined,
  notes: Notes,
): Model[] {
  const budget = new FieldBudget(WRITTEN_FIELDS)
  const types = new NativeTypes(platform, budget, (origin, message) =>
    notes.warning(toPath(value, origin), message),
  )
  const models = listObjects(getField(value, 'dataset')).map(({ item, at }) => {
    const origin = `/dataset/${at}`
    const model = plainModel(nonBlankText(getField(item, 'table')) ?? `dataset[${at}]`, origin)
    const physicalName = nonBlankText(getField(item, 'physicalName'))
    model.kind = 'table'
    if (physicalName !== model.name) put(model, 'physicalName', physicalName)
    put(model, 'description', nonBlankText(getField(item, 'description')))
    model.quality = readChecks(getField(item, 'quality'), `${origin}/quality`, 'custom')
    for (const { item: raw, at: column } of listObjects(getField(item, 'columns'))) {
      const place = `${origin}/columns/${column}`
      if (!budget.take((message) => notes.warning(toPath(value, place), message))) break
      model.fields.push(fieldOfColumn(raw, place, column, types))
    }
    noteRepeatedNames(model.fields, 'field', value, notes)
    setPrimaryKey(model)
    return model
  })
  noteRepeatedNames(models, 'model', value, notes)
  return models
}

function fieldOfColumn(raw: ObjectValue, origin: string, at: number, types: NativeTypes): Field {
  const field = plainField(asText(getField(raw, 'column')) ?? `columns[${at}]`, 'unknown', origin)
  put(field, 'physicalType', nonBlankText(getField(raw, 'physicalType')))
  put(field, 'description', nonBlankText(getField(raw, 'description')))
  put(field, 'classification', nonBlankText(getField(raw, 'classification')))
  types.apply(field, readLogicalType(raw))
  // Columns are marked as nullable instead of required.
  field.required = getField(raw, 'isNullable') === false
  field.unique = getField(raw, 'isUnique') === true
  field.tags = listTexts(getField(raw, 'tags'))
  if (getField(raw, 'isPrimaryKey') === true) {
    field.primaryKeyPosition = readKeyPosition(getField(raw, 'primaryKeyPosition'))
  }
  return field
}

/** Returns the logical type of a column, ignoring case; undefined for other names. */
export function readLogicalType(column: ObjectValue): LogicalType | undefined {
  return parseLogicalType(asText(getField(column, 'logicalType'))?.toLowerCase())
}
