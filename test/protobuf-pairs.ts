// Random pairs of .proto texts, the older one first, that the compiler accepts.

import * as fc from 'fast-check'

const NUMBERS = 'int32 sint32 uint32 fixed32 sfixed32 int64 uint64 sint64 fixed64 float double'
const TYPES = [...NUMBERS.split(' '), 'bool', 'string', 'bytes', 'N', 'E', 'O']
const LABELS = ['', '', 'optional ', 'repeated ', 'map']

interface FieldShape {
  number: number
  name: string
  type: string
  label: string
  isInOneof: boolean
  jsonName: string
  isPresent: boolean
}

interface FileShape {
  syntax: string
  fields: FieldShape[]
  words: string[]
  reserved: number[]
  isNested: boolean
}

const field: fc.Arbitrary<FieldShape> = fc.record({
  number: fc.integer({ min: 1, max: 6 }),
  name: fc.constantFrom('a', 'b', 'long_name', 'c', 'd', 'e'),
  type: fc.constantFrom(...TYPES),
  label: fc.constantFrom(...LABELS),
  isInOneof: fc.boolean(),
  jsonName: fc.constantFrom('', '', '', 'other'),
  isPresent: fc.boolean(),
})

const file: fc.Arbitrary<FileShape> = fc.record({
  syntax: fc.constantFrom('proto2', 'proto3', '2023'),
  fields: fc.uniqueArray(field, { minLength: 1, maxLength: 4, comparator: areAlike }),
  words: fc.uniqueArray(fc.constantFrom('X', 'Y', 'Z'), { minLength: 1 }),
  reserved: fc.uniqueArray(fc.integer({ min: 7, max: 9 }), { maxLength: 2 }),
  isNested: fc.boolean(),
})

function areAlike(one: FieldShape, other: FieldShape): boolean {
  return one.number === other.number || one.name === other.name
}

/** Generates pairs of texts in which one property of a field or of the file differs, or several. */
export const protobufPairs: fc.Arbitrary<[before: string, after: string]> = fc
  .record({
    before: file,
    other: file,
    change: field,
    at: fc.nat(),
    kinds: fc.subarray(['syntax', 'words', 'reserved', 'isNested', 'field', 'fields', 'removed'], {
      minLength: 1,
      maxLength: 2,
    }),
    parts: fc.subarray(['number', 'name', 'type', 'label', 'isInOneof', 'jsonName', 'isPresent'], {
      minLength: 1,
      maxLength: 2,
    }),
  })
  .map(({ before, other, change, at, kinds, parts }) => {
    let after = before
    for (const kind of kinds) {
      if (kind === 'field')
        after = { ...after, fields: changeField(after.fields, change, at, parts) }
      else if (kind === 'removed') after = { ...after, fields: after.fields.slice(1) }
      else after = { ...after, ...pick(other, [kind]) }
    }
    return [write(before), write(after)]
  })

function changeField(
  fields: readonly FieldShape[],
  change: FieldShape,
  at: number,
  parts: readonly string[],
): FieldShape[] {
  const chosen = at % Math.max(1, fields.length)
  const changed = fields.map((one, index) =>
    index === chosen ? { ...one, ...pick(change, parts) } : one,
  )
  return changed.filter((one, index) => !changed.slice(0, index).some((two) => areAlike(one, two)))
}

function pick<Shape extends object>(shape: Shape, names: readonly string[]): Partial<Shape> {
  return Object.fromEntries(
    Object.entries(shape).filter(([name]) => names.includes(name)),
  ) as Partial<Shape>
}

function write({ syntax, fields, words, reserved, isNested }: FileShape): string {
  const isEdition = syntax === '2023'
  const header = isEdition ? `edition = "${syntax}";` : `syntax = "${syntax}";`
  const alone = fields.filter((one) => !isInOneof(one)).map((one) => writeField(one, syntax))
  const inside = fields.filter(isInOneof).map((one) => writeField(one, syntax))
  const oneof = inside.length === 0 ? '' : `oneof choice { ${inside.join(' ')} }`
  const numbers = reserved.length === 0 ? '' : `reserved ${reserved.join(', ')};`
  const values = words.map((word, at) => `${word} = ${at};`).join(' ')
  const inner = `message N { ${isEdition || syntax === 'proto3' ? '' : 'optional '}string x = 1; }`
  const types = `${inner} enum E { ${values} }`
  const message = `message M { ${numbers} ${alone.join(' ')} ${oneof} ${isNested ? types : ''} }`
  const open = `message O { }`
  return `${header}\npackage p;\n${message}\n${isNested ? '' : types}\n${open}\n`
}

function isInOneof({ isInOneof: isInside, label }: FieldShape): boolean {
  return isInside && label === ''
}

function writeField(shape: FieldShape, syntax: string): string {
  const { number, name, type, label, jsonName, isPresent } = shape
  const options = jsonName === '' ? [] : [`json_name = "${jsonName}${number}"`]
  const isSingle = label !== 'repeated ' && label !== 'map' && !isInOneof(shape)
  const isMessage = type === 'N' || type === 'O'
  if (syntax === '2023' && isSingle && !isPresent && !isMessage) {
    options.push('features.field_presence = IMPLICIT')
  }
  const list = options.length === 0 ? '' : ` [${options.join(', ')}]`
  const end = `${name} = ${number}${list};`
  if (label === 'map') return `map<string, ${type}> ${end}`
  if (isInOneof(shape) || label === 'repeated ') return `${label}${type} ${end}`
  const word = syntax === '2023' || (syntax === 'proto3' && !isPresent) ? '' : 'optional '
  return `${word}${type} ${end}`
}
