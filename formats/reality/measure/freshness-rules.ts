// The service levels about the age of a column: freshness with an element such as `orders.updated_at`.

import type { DataContract, ServiceLevel } from '../../data-contract/data-contract.ts'
import { toPath } from '../../data-contract/model-parts.ts'
import { readMeasure } from '../../diff/duration.ts'
import type { Field, Model } from '../../schema/model.ts'
import { asText, clip, getField, valueAt, type Value } from '../../text/value.ts'
import { FRESHNESS_SECONDS_MAX } from '../freshness.ts'

/** A service level about the newest instant in a column. */
export interface FreshnessRule {
  model: Model
  /** Undefined = the model has no such column. */
  field: Field | undefined
  /** Undefined = its value is not a duration. */
  seconds: number | undefined
  /** Its value as people read it: `24 h`. */
  level: string
  id: string | undefined
}

/** Lists the service levels of a contract about the freshness of columns. */
export function listFreshnessRules(
  { serviceLevels, models }: DataContract,
  document: Value,
): FreshnessRule[] {
  return serviceLevels
    .filter(({ property }) => property.trim().toLowerCase() === 'freshness')
    .flatMap((level) => {
      const elements = (level.element ?? '').split(',').map((one) => one.trim())
      return elements.flatMap((element) => {
        const model = models.find(({ name, physicalName }) =>
          [name, physicalName].some((one) => one !== undefined && element.startsWith(`${one}.`)),
        )
        const id = asText(getField(valueAt(document, toPath(document, level.origin)), 'id'))
        return model === undefined
          ? []
          : [{ ...toRule(level, element, model), id: id || undefined }]
      })
    })
}

function toRule(level: ServiceLevel, element: string, model: Model): Omit<FreshnessRule, 'id'> {
  const { name, physicalName, fields } = model
  const prefix = [name, physicalName].find(
    (one) => one !== undefined && element.startsWith(`${one}.`),
  )
  const path = element.slice((prefix ?? '').length + 1)
  const field = fields.find((one) => one.name === path || one.physicalName === path)
  const measure = readMeasure(level.value, level.unit)
  const isDuration =
    measure?.of === 'seconds' && measure.amount > 0 && measure.amount <= FRESHNESS_SECONDS_MAX
  const text = asText(level.value) ?? JSON.stringify(level.value)
  return {
    model,
    field,
    seconds: isDuration ? measure.amount : undefined,
    level: clip([text, level.unit].filter(Boolean).join(' ')),
  }
}
