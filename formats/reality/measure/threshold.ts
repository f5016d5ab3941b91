// The threshold of a quality rule: the comparison that a measured number must pass.

import { ExactNumber, getField, type Value } from '../../text/value.ts'

/** A comparison of a measured number with the numbers of a rule. */
export interface Threshold {
  operator: (typeof OPERATORS)[number]['name']
  bounds: number[]
}

interface Operator {
  name: string
  count: 1 | 2
  passes: (actual: number, bound: number, upper: number) => boolean
  describe: (bound: number, upper: number) => string
}

// In the order of datacontract-cli, which reads the first one that a rule has.
const OPERATORS = [
  {
    name: 'mustBe',
    count: 1,
    passes: (actual, bound) => actual === bound,
    describe: (bound) => `${bound}`,
  },
  {
    name: 'mustNotBe',
    count: 1,
    passes: (actual, bound) => actual !== bound,
    describe: (bound) => `not ${bound}`,
  },
  {
    name: 'mustBeGreaterThan',
    count: 1,
    passes: (actual, bound) => actual > bound,
    describe: (bound) => `more than ${bound}`,
  },
  {
    name: 'mustBeGreaterOrEqualTo',
    count: 1,
    passes: (actual, bound) => actual >= bound,
    describe: (bound) => `at least ${bound}`,
  },
  {
    name: 'mustBeLessThan',
    count: 1,
    passes: (actual, bound) => actual < bound,
    describe: (bound) => `less than ${bound}`,
  },
  {
    name: 'mustBeLessOrEqualTo',
    count: 1,
    passes: (actual, bound) => actual <= bound,
    describe: (bound) => `at most ${bound}`,
  },
  {
    name: 'mustBeBetween',
    count: 2,
    passes: (actual, bound, upper) => bound <= actual && actual <= upper,
    describe: (bound, upper) => `between ${bound} and ${upper}`,
  },
  {
    name: 'mustNotBeBetween',
    count: 2,
    passes: (actual, bound, upper) => actual < bound || upper < actual,
    describe: (bound, upper) => `not between ${bound} and ${upper}`,
  },
] as const satisfies readonly Operator[]

/** Reads the threshold of a rule; undefined if it has none, or one without numbers. */
export function readThreshold(rule: Value | undefined): Threshold | undefined {
  for (const { name, count } of OPERATORS) {
    const given = getField(rule, name) ?? null
    if (given === null) continue
    const list = Array.isArray(given) ? given : [given]
    const bounds = list.map(readNumber)
    const isWhole = list.length === count && Array.isArray(given) === (count === 2)
    return isWhole && !bounds.includes(Number.NaN) ? { operator: name, bounds } : undefined
  }
  return undefined
}

function readNumber(value: Value): number {
  if (value instanceof ExactNumber) return Number(value.text)
  return typeof value === 'number' ? value : Number.NaN
}

/** Checks whether a number passes a threshold. */
export function passesThreshold({ operator, bounds }: Threshold, actual: number): boolean {
  const [bound = Number.NaN, upper = Number.NaN] = bounds
  const own: Operator | undefined = OPERATORS.find(({ name }) => name === operator)
  return own?.passes(actual, bound, upper) === true
}

/** Describes the numbers that pass a threshold: `at most 5`. */
export function describeThreshold({ operator, bounds }: Threshold): string {
  const [bound = Number.NaN, upper = Number.NaN] = bounds
  const own: Operator | undefined = OPERATORS.find(({ name }) => name === operator)
  return own?.describe(bound, upper) ?? operator
}
