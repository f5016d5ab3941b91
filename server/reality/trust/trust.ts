import { z } from '@hono/zod-openapi'

/**
 * Trust is whether consumers can rely on data: its signals are the outcome of its tests, and whether it is certified or
 * deprecated. Each signal has one of four levels. What is not known is neutral, never positive.
 */

/** The levels of a signal, the worst first. */
export const LEVELS = ['critical', 'caution', 'neutral', 'positive'] as const

/** A level of a signal. */
type Level = (typeof LEVELS)[number]

/** The words of each signal. */
const WORDS = {
  tests: ['Passed', 'Warnings', 'Stale', 'Failing', 'Not tested'],
  standing: ['Certified', 'Deprecated', 'Not certified'],
} as const

/** The kinds of resources that have signals. */
const TRUSTED_TYPES = ['DATA_PRODUCT', 'OUTPUT_PORT', 'DATA_CONTRACT'] as const

/** The maximum number of resources of one answer. */
export const TRUSTED_MAX = 100

const level = z.enum(LEVELS)

function newSignal<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.object({
    state: level,
    word: z.enum(words),
    since: z.string().nullable().openapi({
      format: 'date-time',
      description: 'The test, or the announcement; null = neither',
    }),
    reason: z.string().openapi({ description: 'A sentence, or the names of the certifications' }),
    url: z.string().nullable().openapi({ description: 'The page that shows why; null = none' }),
  })
}

/** The signals of a resource. */
export const trust = z
  .object({
    resourceType: z.enum(TRUSTED_TYPES),
    id: z.string(),
    dataProductId: z.string().nullable().openapi({
      description: 'Of an output port: its data product; null = not an output port',
    }),
    tests: newSignal(WORDS.tests).openapi('TestsSignal'),
    standing: newSignal(WORDS.standing).openapi('StandingSignal'),
    readers: z.int().nullable().openapi({
      description:
        'The consumers of active access agreements and of 90 days of usage, at most an hour old; null for an output port',
    }),
    worst: level.openapi({ description: 'The worst level of the signals' }),
  })
  .openapi('Trust')

/** The signals of a resource, parsed. */
export type Trust = z.infer<typeof trust>

/** The outcome of the tests of a resource. */
export type TestsSignal = Trust['tests']

/** The standing of a resource. */
export type StandingSignal = Trust['standing']

/** Returns the worst of some levels; neutral without any. */
export function findWorst(levels: readonly Level[]): Level {
  return LEVELS.find((one) => levels.includes(one)) ?? 'neutral'
}
