import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import protobuf from 'protobufjs'
import { modelsArbitrary } from '../../../test/model-arbitrary.ts'
import { PROTOBUF_ORIGINAL, writeLast } from '../../../test/protobuf-versions.ts'
import { readIn } from '../../../test/specification.ts'
import type { Field, Model } from '../model.ts'
import { plainField, plainModel } from '../plain.ts'
import { NumberAssigner } from './numbers.ts'
import { readProtobuf } from './read.ts'
import { writeProtobuf } from './write.ts'

const text = (name: string): Field => ({ ...plainField(name, 'string', ''), required: true })

const line = (fields: Field[]): Field => ({ ...plainField('line', 'object', ''), fields })

const status = (...words: string[]): Field => ({ ...text('status'), enum: words })

const traits = (number: number) => ({ traits: { 'protobuf.number': number } })

const newModel = (fields: Field[]): Model => ({ ...plainModel('orders', ''), fields })

/** Writes `name = number` for each field of the first message. */
function numbersIn(proto: string): string {
  const [message] = protobuf.parse(proto, { keepCase: true }).root.nestedArray
  assert.ok(message instanceof protobuf.Type)
  const fields = message.fieldsArray.map(({ name, id }) => `${name} = ${id}`)
  return [...fields, ...(message.reserved ?? []).map((one) => `reserved ${one.toString()}`)].join(
    ', ',
  )
}

test('numbers of Protobuf › a field that is inserted gets the next number', () => {
  const versions = [
    [newModel([text('a'), text('c')])],
    [newModel([text('a'), text('b'), text('c')])],
  ]
  assert.equal(numbersIn(writeLast(versions.slice(0, 1))), 'a = 1, c = 2')
  assert.equal(numbersIn(writeLast(versions)), 'a = 1, b = 3, c = 2')
})

test('numbers of Protobuf › a removed field stays reserved and gets its number back', () => {
  const [both, one] = [newModel([text('a'), text('b')]), newModel([text('b'), text('c')])]
  assert.equal(numbersIn(writeLast([[both], [one]])), 'b = 2, c = 3, reserved 1,1, reserved a')
  const versions = [[both], [one], [newModel([text('a'), text('b'), text('c')])]]
  assert.equal(numbersIn(writeLast(versions)), 'a = 1, b = 2, c = 3')
})

test('numbers of Protobuf › nested fields, lists in lists and enum values keep their numbers', () => {
  const before = newModel([line([text('sku')]), status('NEW', 'PAID')])
  const after = newModel([status('HELD', 'PAID'), line([text('ean'), text('sku')])])
  const proto = writeLast([[before], [after]])
  assert.match(proto, /NEW = 0 \[deprecated = true\];\n\s+HELD = 2;\n\s+PAID = 1;/)
  assert.match(proto, /string ean = 2;\n\s+string sku = 1;/)
  assert.match(proto, /Line line = 1;/)
})

test('numbers of Protobuf › skips the numbers of the implementation, and those at the end', () => {
  const model = newModel([{ ...text('a'), ...traits(18_999) }, text('b')])
  assert.equal(numbersIn(writeLast([[model]])), 'a = 18999, b = 20000')
  const last = newModel([{ ...text('a'), ...traits(536_870_911) }, text('b'), text('c')])
  assert.equal(numbersIn(writeLast([[last]])), 'a = 536870911, b = 1, c = 2')
})

test('numbers of Protobuf › no two fields of any versions share a number', () => {
  fc.assert(
    fc.property(fc.array(modelsArbitrary(), { minLength: 1, maxLength: 3 }), (versions) => {
      const assigner = new NumberAssigner()
      for (const models of versions) {
        const before = assigner.numbering
        const known = new Map([...before].map(([path, numbers]) => [path, new Map(numbers)]))
        assigner.add(models)
        protobuf.parse(writeProtobuf(models, assigner.numbering).text)
        for (const [path, numbers] of assigner.numbering) {
          assert.equal(new Set(numbers.values()).size, numbers.size)
          for (const [name, number] of known.get(path) ?? []) {
            assert.equal(numbers.get(name), number)
          }
        }
      }
    }),
    { seed: 1, numRuns: 100 },
  )
})

test('numbers of Protobuf › values that differ only in case are texts, because the compiler rejects them', () => {
  const kind = { ...text('kind'), enum: ['get', 'GET'] }
  const { text: proto, losses } = writeProtobuf([newModel([kind])])
  assert.match(proto, /string kind = 1;/)
  assert.deepEqual(losses, [
    { path: 'orders.kind', message: 'Protobuf cannot express the list of values.' },
  ])
  const prefixed = { ...text('kind'), enum: ['KIND_NEW', 'new'] }
  assert.match(writeProtobuf([newModel([prefixed])]).text, /string kind = 1;/)
})

test('numbers of Protobuf › types of Google are absolute in a package below google', () => {
  const model = { ...newModel([plainField('at', 'timestamp', '')]), namespace: 'com.google.cloud' }
  assert.match(writeProtobuf([model]).text, / {2}\.google\.protobuf\.Timestamp at = 1;/)
})

const VALUE = {
  delta: '-7',
  code: 4_000_000_000,
  steps: ['-1', '2'],
  lines: { 3: { sku: 'x', count: '12' } },
  flags: { true: -4 },
  line: { sku: 'y', count: '1' },
  status: 7,
  late: 5,
  paid: false,
}

test('numbers of Protobuf › data that was written with the original is read with the export of its models', () => {
  const { models, warnings } = readIn(PROTOBUF_ORIGINAL, readProtobuf)
  assert.deepEqual(warnings, [])
  const { text: exported, losses } = writeProtobuf(models)
  assert.deepEqual(losses, [])
  const [one, other] = [PROTOBUF_ORIGINAL, exported].map((proto) =>
    protobuf.parse(proto, { keepCase: true }).root.lookupType('shop.Order'),
  )
  assert.ok(one !== undefined && other !== undefined)
  const bytes = one.encode(one.fromObject(VALUE)).finish()
  const options = { longs: String }
  assert.deepEqual(
    other.toObject(other.decode(bytes), options),
    one.toObject(one.decode(bytes), options),
  )
  const back = other.encode(other.fromObject(VALUE)).finish()
  assert.deepEqual(
    one.toObject(one.decode(back), options),
    one.toObject(one.decode(bytes), options),
  )
  assert.match(exported, /oneof target \{/)
  assert.match(exported, /json_name = "c"/)
})
