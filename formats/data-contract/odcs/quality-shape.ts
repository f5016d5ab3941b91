// The quality rules of an ODCS 3 document: texts, rules of a library, SQL, rules for a tool.

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
  message: 'Expected exactly one comparison here, such as mustBe or mustBeLessThan.',
}

type Type = 'library' | 'sql' | 'custom'

// The fields of a check beyond those of all checks. Before v3.1.0, SQL had nothing to compare with.
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

function typesOf(value: ObjectValue, isFirst: boolean): string {
  const type = fieldOf(value, 'type')
  const isLibrary = isFirst
    ? type === 'library' || type === undefined
    : type === 'library' || textOf(fieldOf(value, 'metric')) !== undefined
  const other = type === 'sql' || type === 'custom' ? type : ''
  return `${isLibrary ? 'library ' : ''}${other}`.trim()
}

/** Gives the shape of the quality checks of a model or a field. */
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
  const shapeOf = (types: readonly Type[]): ObjectShape => {
    const isCompared = !isFirst && types.some((type) => type !== 'custom')
    return object({
      fields: Object.assign({}, base, ...types.map((type) => added(type, isFirst))),
      required: types.flatMap((type) => required(type, isFirst)),
      rules: isCompared ? [ONE_OPERATOR] : [],
      closed,
    })
  }
  const plain = shapeOf([])
  const shapes = new Map([
    ['library', shapeOf(['library'])],
    ['sql', shapeOf(['sql'])],
    ['custom', shapeOf(['custom'])],
    ['library sql', shapeOf(['library', 'sql'])],
    ['library custom', shapeOf(['library', 'custom'])],
  ])
  return set(choice((value) => shapes.get(typesOf(value, isFirst)) ?? plain))
}
