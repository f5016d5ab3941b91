import { z } from 'zod'
import {
  DUPLICATES_MAX,
  KEY_COLUMNS_MAX,
  MEASURE_FAILURES,
  MEASURES_MAX,
  VALUE_CHARACTERS_MAX,
  VALUE_KINDS,
  VALUES_MAX,
  type CountMeasure,
  type MeasureAnswer,
} from '../../../formats/reality/measure/measure.ts'
import type { MeasuredTable } from '../measure.ts'

/** The shapes of what is measured, and of its answer: whole numbers and the name of a failure, nothing else. */

const values = z.strictObject({
  kind: z.enum(VALUE_KINDS),
  texts: z.array(z.string().max(VALUE_CHARACTERS_MAX)).max(VALUES_MAX),
})
const column = z.string()

const measure: z.ZodType<CountMeasure> = z.discriminatedUnion('count', [
  z.strictObject({ count: z.literal('nulls'), column }),
  z.strictObject({ count: z.literal('missing'), column, values }),
  z.strictObject({ count: z.literal('invalid'), column, values }),
  z.strictObject({
    count: z.literal('duplicates'),
    columns: z.array(column).min(1).max(KEY_COLUMNS_MAX),
  }),
])

/** A table to measure. */
export const measuredTable: z.ZodType<MeasuredTable> = z.strictObject({
  path: z.array(z.string()).min(1).max(10),
  measures: z.strictObject({
    counts: z
      .array(measure)
      .max(MEASURES_MAX)
      .refine(
        (list) => list.filter(({ count }) => count === 'duplicates').length <= DUPLICATES_MAX,
      ),
    newest: column.exactOptional(),
  }),
})

const INSTANT_MS_MAX = 8.64e15
const count = z.int().min(0)

/** The answer to the measures of a table. */
export const measureAnswer: z.ZodType<MeasureAnswer> = z.union([
  z.strictObject({
    rowCount: count,
    counts: z.array(count).max(MEASURES_MAX),
    newestMs: z.int().min(-INSTANT_MS_MAX).max(INSTANT_MS_MAX).nullable(),
  }),
  z.strictObject({ failure: z.enum(MEASURE_FAILURES) }),
])
