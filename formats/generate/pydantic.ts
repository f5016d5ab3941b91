import type { Field, LogicalType, Model } from '../schema/model.ts'
import { ExactNumber, jsonText, type Value } from '../text/value.ts'
import { listParts, nameAttributes, nameClasses, type ClassNames } from './python-names.ts'

// The classes of Pydantic 2. A field's pattern is not written: Pydantic rejects the dialects of other languages when
// the module is loaded.

/** Writes each model, and each object in it, as a class of Pydantic. */
export function writePydantic(models: readonly Model[], name: string): string {
  const names = nameClasses(models)
  const classes = models.flatMap((model) => [
    ...model.fields.flatMap((field) => writeNested(field, names)),
    writeClass(model.fields, names.of.get(model) ?? '', names, model.description),
  ])
  const imports = listImports(classes.join('\n')).map((line) => `${line}\n`)
  const bodies = classes.map((body) => `\n\n${body}\n`)
  return [literal(name), '\n\n', ...imports, ...bodies].join('')
}

const USED_IMPORTS: readonly (readonly [RegExp, string])[] = [
  [/\bdt\./, 'import datetime as dt'],
  [/\bDecimal\b/, 'from decimal import Decimal'],
  [/\bAny\b/, 'from typing import Any'],
  [/\bLiteral\[/, 'from typing import Literal'],
  [/\bUUID\b/, 'from uuid import UUID'],
  [/\bBaseModel\b/, 'from pydantic import BaseModel'],
  [/\bConfigDict\(/, 'from pydantic import ConfigDict'],
  [/\bField\(/, 'from pydantic import Field'],
]

// A word in a description only imports too much.
function listImports(text: string): string[] {
  return USED_IMPORTS.filter(([use]) => use.test(text)).map(([, line]) => line)
}

// Python reads a module from top to bottom, so objects come before the class that holds them.
function writeNested(field: Field, names: ClassNames): string[] {
  const inner = [...listParts(field), ...(field.fields ?? [])]
  const nested = inner.flatMap((one) => writeNested(one, names))
  const name = names.of.get(field)
  if (name === undefined || field.fields === undefined) return nested
  return [...nested, writeClass(field.fields, name, names, field.description)]
}

function writeClass(
  fields: readonly Field[],
  name: string,
  names: ClassNames,
  description: string | undefined,
): string {
  const attributes = nameAttributes(fields, names)
  const isAliased = fields.some((field, at) => field.name !== attributes[at])
  const lines = [`class ${name}(BaseModel):`]
  if (description !== undefined) lines.push(`    ${literal(description)}`, '')
  if (isAliased) lines.push('    model_config = ConfigDict(populate_by_name=True)', '')
  for (const [at, field] of fields.entries()) {
    lines.push(`    ${writeAttribute(field, attributes[at] ?? '', names)}`)
  }
  if (fields.length === 0) lines.push('    pass')
  return lines.join('\n')
}

function writeAttribute(field: Field, attribute: string, names: ClassNames): string {
  const { name, required, description } = field
  const type = toType(field, names)
  const options = required ? [] : ['default=None']
  if (attribute !== name) options.push(`alias=${literal(name)}`)
  if (description !== undefined) options.push(`description=${literal(description)}`)
  if (field.deprecated === true) options.push('deprecated=True')
  options.push(...listConstraints(field, type))
  const annotation = required || type === 'Any' ? type : `${type} | None`
  if (options.length === 0) return `${attribute}: ${annotation}`
  if (!required && options.length === 1) return `${attribute}: ${annotation} = None`
  return `${attribute}: ${annotation} = Field(${options.join(', ')})`
}

const TYPES: Readonly<Record<LogicalType, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  date: 'dt.date',
  time: 'dt.time',
  timestamp: 'dt.datetime',
  object: 'dict[str, Any]',
  array: 'list[Any]',
  map: 'dict[str, Any]',
  binary: 'bytes',
  vector: 'list[float]',
  unknown: 'Any',
}

function toType(field: Field, names: ClassNames): string {
  const { logicalType, items, keys, values, branches = [], precision, format } = field
  const allowed = toLiteral(field)
  if (allowed !== undefined) return allowed
  if (branches.length > 0) {
    return [...new Set(branches.map((branch) => toType(branch, names)))].join(' | ')
  }
  const className = names.of.get(field)
  if (className !== undefined) return className
  if (items !== undefined) return `list[${toType(items, names)}]`
  if (values !== undefined) return `dict[${toKeyType(keys)}, ${toType(values, names)}]`
  if (logicalType === 'number' && precision !== undefined) return 'Decimal'
  if (logicalType === 'string' && format === 'uuid') return 'UUID'
  return TYPES[logicalType]
}

function toKeyType(keys: Field | undefined): string {
  return keys?.logicalType === 'integer' ? 'int' : 'str'
}

// Python allows no other values in a literal type.
function toLiteral({ enum: values = [] }: Field): string | undefined {
  const texts = values.map((value) => {
    if (typeof value === 'string') return literal(value)
    if (typeof value === 'boolean') return value ? 'True' : 'False'
    return toInteger(value)
  })
  if (texts.length === 0 || texts.includes(undefined)) return undefined
  return `Literal[${texts.join(', ')}]`
}

function toInteger(value: Value): string | undefined {
  const text = toNumber(value)
  return text !== undefined && /^-?\d+$/.test(text) ? text : undefined
}

function toNumber(value: Value | undefined): string | undefined {
  return typeof value === 'number' || value instanceof ExactNumber ? jsonText(value) : undefined
}

function listConstraints(field: Field, type: string): string[] {
  const constraints: [string, string | undefined][] = []
  const { minLength, maxLength, minItems, maxItems, precision, scale } = field
  if (type === 'str' || type === 'bytes') {
    constraints.push(['min_length', text(minLength)], ['max_length', text(maxLength)])
  }
  if (type.startsWith('list[')) {
    constraints.push(['min_length', text(minItems)], ['max_length', text(maxItems)])
  }
  if (type === 'int' || type === 'float' || type === 'Decimal') {
    constraints.push(['ge', toNumber(field.minimum)], ['le', toNumber(field.maximum)])
    constraints.push(['gt', toNumber(field.exclusiveMinimum)])
    constraints.push(['lt', toNumber(field.exclusiveMaximum)])
  }
  if (type === 'Decimal') {
    constraints.push(['max_digits', text(precision)], ['decimal_places', text(scale)])
  }
  return constraints.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
}

function text(number: number | undefined): string | undefined {
  return number === undefined || number < 0 ? undefined : String(number)
}

// Every text of JSON is the same text in Python.
function literal(value: string): string {
  return JSON.stringify(value)
}
