// The shapes of quality rules in an ODCS 3 document: sentences, library rules, SQL, rules for a tool.

import { any, choice, list, number, object, oneOf, set, text } from '../../shape/shape.ts'
import type { ObjectShape, Rule, Shape } from '../../shape/shape.ts'
import { fieldOf, type ObjectValue, textOf } from '../../text/value.ts'
import type { OdcsParts } from './parts-shape.ts'

const DIMENSIONS = [
  'accuracy',
  'completeness',
  'conformity',
  'consistency',
  'coverage',
  'timeliness',
  'uniqueness',
]

const METRICS = ['nullValues', 'missingValues', 'invalidValues', 'duplicateValues', 'rowCount']

const range = list(number(), { itemsMin: 2, itemsMax: 2, unique: true })

const OPERATORS = {
  mustBe: any,
  mustNotBe: any,
  mustBeGreaterThan: number(),
  mustBeGreaterOrEqualTo: number(),
  mustBeLessThan: number(),
  mustBeLessOrEqualTo: number(),
  mustBeBetween: range,
  mustNotBeBetween: range,
}

const ONE_OPERATOR: Rule = {
  field: 'mustBe',
  holds: (value) =>
    Object.keys(OPERATORS).filter((name) => Object.hasOwn(value, name)).length === 1,
  message: 'The standard requires exactly one comparison here, such as mustBe or mustBeLessThan.',
}

type Type = 'library' | 'sql' | 'custom'

// The specific fields of a type of check. Before v3.1.0 SQL checks had no operators.
function added(type: Type, isFirst: boolean): { [name: string]: Shape } {
  const implementation = oneOf(text(), object({ fields: {} }))
  if (type === 'custom') return { engine: text(), implementation }
  if (type === 'sql') return { query: text(), ...(isFirst ? {} : OPERATORS) }
  if (isFirst) return { rule: text(), ...OPERATORS }
  const metric = text({ allowed: METRICS })
  return { metric, rule: text(), arguments: object({ fields: {} }), ...OPERATORS }
}

function required(type: Type, isFirst: boolean): string[] {
  if (type === 'custom') return ['engine', 'implementation']
  if (type === 'sql') return ['query']
  return [isFirst ? 'rule' : 'metric']
}

function listTypes(value: ObjectValue, isFirst: boolean): string {
  const type = fieldOf(value, 'type')
  const isLibrary = isFirst
    ? type === 'library' || type === undefined
    : type === 'library' || textOf(fieldOf(value, 'metric')) !== undefined
  const other = type === 'sql' || type === 'custom' ? type : ''
  return `${isLibrary ? 'library ' : ''}${other}`.trim()
}

/** Returns the shape of the quality checks of a model or a field. */
export function odcsQuality({ id, closed, extras }: OdcsParts): Shape {
  const isFirst = !closed
  const base = {
    ...id,
    businessImpact: text(),
    description: text(),
    dimension: text({ allowed: DIMENSIONS }),
    method: text(),
    name: text(),
    schedule: text(),
    scheduler: text(),
    severity: text(),
    type: text({ allowed: ['text', 'library', 'sql', 'custom'] }),
    unit: text(),
    ...extras,
  }
  const createShape = (types: readonly Type[]): ObjectShape => {
    const isCompared = !isFirst && types.some((type) => type !== 'custom')
    return object({
      fields: Object.assign({}, base, ...types.map((type) => added(type, isFirst))),
      required: types.flatMap((type) => required(type, isFirst)),
      rules: isCompared ? [ONE_OPERATOR] : [],
      closed,
    })
  }
  const plain = createShape([])
  const shapes = new Map([
    ['library', createShape(['library'])],
    ['sql', createShape(['sql'])],
    ['custom', createShape(['custom'])],
    ['library sql', createShape(['library', 'sql'])],
    ['library custom', createShape(['library', 'custom'])],
  ])
  return set(choice((value) => shapes.get(listTypes(value, isFirst)) ?? plain))
}
