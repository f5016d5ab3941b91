// Converts the tables of an ODCS 2.2 document to schema objects of v3.1.0. Physical types are unchanged, so that the
// reader of the newer version interprets them in the same way.

import { nonBlankText, listObjects, listTexts } from '../../data-product/fields.ts'
import { conforms } from '../../shape/inspect.ts'
import type { LogicalType } from '../../schema/model.ts'
import type { Platform } from '../../schema/types/native-type.ts'
import { readNativeType } from '../../schema/types/read-type.ts'
import { any, resolveShape, fieldShape, type Shape, shapeAt } from '../../shape/shape.ts'
import { getField, isObject, type ObjectValue, asText, type Value } from '../../text/value.ts'
import { keepNonObjects } from './odcs-2-parts.ts'
import { readLogicalType } from '../odcs/version-2-models.ts'
import { Draft } from '../odcs/draft.ts'
import { odcsShape } from '../odcs/shape.ts'
import { CHECK, PROPERTY, WRITTEN_VERSION, writeCheck } from '../odcs/write.ts'
import { readChecks } from '../quality-checks.ts'

/** The prefix of custom properties that v3.1.0 cannot represent. */
export const ODCS_2 = 'odcs2.'

const MODEL = shapeAt(odcsShape(WRITTEN_VERSION), ['schema', 0]) ?? any

const MODEL_NAMES: ReadonlyMap<string, string> = new Map([
  ['physicalName', 'physicalName'],
  ['description', 'description'],
  ['dataGranularity', 'dataGranularityDescription'],
  ['authoritativeDefinitions', 'authoritativeDefinitions'],
])

const COLUMN_NAMES: ReadonlyMap<string, string> = new Map([
  ['businessName', 'businessName'],
  ['physicalType', 'physicalType'],
  ['description', 'description'],
  ['classification', 'classification'],
  ['isPrimaryKey', 'primaryKey'],
  ['primaryKeyPosition', 'primaryKeyPosition'],
  ['isUnique', 'unique'],
  ['partitionStatus', 'partitioned'],
  ['partitionKeyPosition', 'partitionKeyPosition'],
  ['encryptedColumnName', 'encryptedName'],
  ['authoritativeDefinitions', 'authoritativeDefinitions'],
  ['transformSourceTables', 'transformSourceObjects'],
  ['transformLogic', 'transformLogic'],
  ['transformDescription', 'transformDescription'],
  ['sampleValues', 'examples'],
  ['criticalDataElementStatus', 'criticalDataElement'],
])

const CHECK_NAMES: ReadonlyMap<string, string> = new Map([
  ['dimension', 'dimension'],
  ['severity', 'severity'],
  ['businessImpact', 'businessImpact'],
  ['scheduleCronExpression', 'schedule'],
])

/** Converts tables; `platform` is the platform whose types the result uses. */
export class Odcs2Tables {
  readonly #platform: Platform | undefined
  readonly #natives = new Map<string, LogicalType>()

  constructor(platform: Platform | undefined) {
    this.#platform = platform
  }

  /** Converts a table; `at` is its position in the document, which names a table without a name. */
  table(raw: ObjectValue, at: number): ObjectValue {
    const draft = new Draft()
    const keep = keeping(draft)
    const name = nonBlankText(getField(raw, 'table'))
    draft.set('name', name ?? `dataset[${at}]`)
    draft.set('physicalType', 'table')
    for (const [field, value] of Object.entries(raw)) {
      if (field === 'table' && name !== undefined) continue
      if (field === 'columns' && Array.isArray(value)) {
        keepNonObjects(value, field, keep)
        const properties = listObjects(value).map((column) => this.#column(column))
        draft.set('properties', properties)
      } else if (field === 'quality' && Array.isArray(value)) {
        keepNonObjects(value, field, keep)
        draft.set('quality', convertChecks(value))
      } else if (!place(field, value, { shape: MODEL, names: MODEL_NAMES, draft })) {
        keep(field, value)
      }
    }
    return draft.result()
  }

  #column({ item, at }: { item: ObjectValue; at: number }): ObjectValue {
    const draft = new Draft()
    const name = asText(getField(item, 'column'))
    draft.set('name', name ?? `columns[${at}]`)
    this.#type(item, draft)
    for (const [field, value] of Object.entries(item)) {
      if (field === 'column' && name !== undefined) continue
      if (field === 'logicalType' && draft.get('logicalType') === value) continue
      if (field === 'isNullable' && typeof value === 'boolean') draft.set('required', !value)
      else if (field === 'tags' && Array.isArray(value)) placeTags(value, draft)
      else if (!place(field, value, { shape: PROPERTY, names: COLUMN_NAMES, draft })) {
        draft.add(`${ODCS_2}${field}`, value)
      }
    }
    return draft.result()
  }

  // A type that the version does not have is given by the physical type, or else by a custom property that the reader
  // supports.
  #type(raw: ObjectValue, draft: Draft): void {
    const logicalType = readLogicalType(raw)
    if (logicalType === undefined) return
    const shape = fieldShape(resolveShape(PROPERTY, {}), 'logicalType')
    if (conforms(logicalType, shape ?? any)) draft.set('logicalType', logicalType)
    else if (this.#native(nonBlankText(getField(raw, 'physicalType'))) !== logicalType) {
      draft.add('dcs.logicalType', logicalType)
    }
  }

  #native(text: string | undefined): LogicalType | undefined {
    if (text === undefined) return undefined
    const before = this.#natives.get(text)
    if (before !== undefined) return before
    const { logicalType } = readNativeType(text, this.#platform)
    this.#natives.set(text, logicalType)
    return logicalType
  }
}

function keeping(draft: Draft) {
  return (path: string, value: Value) => draft.add(`${ODCS_2}${path}`, value)
}

function place(
  field: string,
  value: Value,
  to: { shape: Shape; names: ReadonlyMap<string, string>; draft: Draft },
): boolean {
  const target = to.names.get(field)
  if (target === undefined) return false
  const shape = fieldShape(resolveShape(to.shape, {}), target)
  if (shape === undefined || !conforms(value, shape)) return false
  to.draft.set(target, value)
  return true
}

function placeTags(tags: readonly Value[], draft: Draft): void {
  const texts = listTexts([...tags])
  if (texts.length > 0) draft.set('tags', texts)
  if (texts.length < tags.length) draft.add(`${ODCS_2}tags`, [...tags])
}

// A rule of a tool is preserved unchanged, with the fields that v3.1.0 also has.
function convertChecks(list: Value[]): Value[] {
  return readChecks(list, '', 'custom').map((check) => {
    const written = writeCheck(check)
    if (written === check.rule || !isObject(written)) return written
    const draft = new Draft()
    for (const [field, value] of Object.entries(isObject(check.rule) ? check.rule : {})) {
      place(field, value, { shape: CHECK, names: CHECK_NAMES, draft })
    }
    if (draft.has('schedule')) draft.set('scheduler', 'cron')
    return { ...draft.result(), ...written }
  })
}
