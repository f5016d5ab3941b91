import { z } from '@hono/zod-openapi'
import { LEVELS, WORDS } from '../../ledger/trust/signal.ts'

/** The kinds of resources that have signals. */
const TRUSTED_TYPES = ['DATA_PRODUCT', 'OUTPUT_PORT', 'DATA_CONTRACT', 'DATA_ASSET'] as const

/** The maximum number of resources of one answer. */
export const TRUSTED_MAX = 100

/** The days of which the kept ones are counted, including today (UTC). */
export const KEPT_DAYS = 30

const level = z.enum(LEVELS)
const instant = z.string().nullable()

function newSignal<const Words extends readonly [string, ...string[]]>(
  words: Words,
  since: string,
) {
  return z.object({
    state: level,
    word: z.enum(words),
    since: instant.openapi({ format: 'date-time', description: `${since}; null = none` }),
    reason: z.string().openapi({ description: 'A sentence, or the names of the certifications' }),
    url: z.string().nullable().openapi({ description: 'The page that shows why; null = none' }),
  })
}

const freshness = newSignal(WORDS.freshness, 'The time from which the data are late').extend({
  evidence: z.enum(['check', 'lineage', 'data', 'counter', 'any']).nullable().openapi({
    description:
      'What shows when the data changed: a test, a pipeline, the time of the source, its count of changes, or a time at which the data or their definition changed; null = nothing does',
  }),
  evidenceAt: instant.openapi({
    format: 'date-time',
    description: 'The last change that it shows',
  }),
})

const drift = newSignal(WORDS.drift, 'The oldest difference').extend({
  breaking: z
    .int()
    .openapi({ description: 'Differences that break the promise and are not accepted' }),
  unverifiable: z.int().openapi({ description: 'Fields that cannot be compared' }),
})

/** The signals of a resource. */
export const trust = z
  .object({
    resourceType: z.enum(TRUSTED_TYPES),
    id: z.string(),
    dataProductId: z.string().nullable().openapi({
      description: 'Of an output port: its data product; null = not an output port',
    }),
    tests: newSignal(WORDS.tests, 'The test').openapi('TestsSignal'),
    freshness: freshness.openapi('FreshnessSignal'),
    drift: drift.openapi('DriftSignal'),
    standing: newSignal(WORDS.standing, 'The announcement, or the incident').openapi(
      'StandingSignal',
    ),
    readers: z.int().nullable().openapi({
      description:
        'The consumers of active access agreements and of 90 days of usage, at most an hour old; null for an output port and an asset',
    }),
    kept: z
      .object({
        days: z.int().openapi({ description: 'Days (UTC) without an open incident' }),
        of: z.int().openapi({ description: `The days that are counted: ${KEPT_DAYS}` }),
      })
      .nullable()
      .openapi({
        description:
          'Of the last 30 days including today, those without an open incident; of a data product those of all its output ports. null for an output port and an asset',
      }),
    worst: level.openapi({ description: 'The worst level of the signals' }),
  })
  .openapi('Trust')

/** The signals of a resource, parsed. */
export type Trust = z.infer<typeof trust>

/** The outcome of the tests of a resource. */
export type TestsSignal = Trust['tests']

/** Whether the data of a resource are as fresh as promised. */
export type FreshnessSignal = Trust['freshness']

/** Whether the tables of a resource differ from what is promised. */
export type DriftSignal = Trust['drift']

/** The standing of a resource. */
export type StandingSignal = Trust['standing']

/** The four signals of a resource. */
export type TrustSignals = Pick<Trust, 'tests' | 'freshness' | 'drift' | 'standing'>
