import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { type FieldTree, groupedMessages } from '../../../test/protobuf-groups.ts'
import { readIn } from '../../../test/specification.ts'
import { diffSpecifications } from '../../../test/specification-versions.ts'
import { highestLevel } from '../../diff/level.ts'
import type { Field } from '../model.ts'
import { readProtobuf } from './read.ts'

const write = (members: string) => `syntax = "proto2";\nmessage M { ${members} }\n`

const writeInner = (type: string) => `{ optional ${type} a = 1; }`

function toTree(fields: readonly Field[]): FieldTree {
  return Object.fromEntries(fields.map((field) => [field.name, toInner(field)]))
}

function toInner(field: Field): FieldTree | null {
  const value = field.items ?? field
  return value.logicalType === 'object' ? toTree(value.fields ?? []) : null
}

describe('Protobuf › groups', () => {
  test('are read wherever the compiler allows them', () => {
    fc.assert(
      fc.property(groupedMessages, ({ text, fields }) => {
        const { models, warnings } = readIn(text, readProtobuf)
        assert.deepEqual(warnings, [])
        const [model] = models.filter(({ name }) => name === 'M')
        assert.deepEqual(toTree(model?.fields ?? []), fields)
      }),
      { seed: 1, numRuns: 150 },
    )
  })

  test('are compared, also in oneofs and with options', () => {
    const places: ((body: string) => string)[] = [
      (body) => write(`optional group G = 1 [deprecated = true] ${body}`),
      (body) => write(`oneof o { group G = 1 ${body} string s = 2; }`),
      (body) => write(`optional group H = 1 { oneof o { group G = 2 ${body} } extensions 5; }`),
      (body) =>
        write(
          `extensions 5; extend M { optional group G = 5 { oneof o { group H = 1 ${body} } } }`,
        ),
    ]
    for (const place of places) {
      const [older, newer] = [place(writeInner('int32')), place(writeInner('string'))]
      assert.equal(highestLevel(diffSpecifications('protobuf', older, newer)), 'breaking', older)
    }
  })

  test('are breaking to exchange for messages', () => {
    const older = write('oneof o { group G = 1 { optional int32 a = 1; } }')
    const newer = write('oneof o { G g = 1; } message G { optional int32 a = 1; }')
    assert.equal(highestLevel(diffSpecifications('protobuf', older, newer)), 'breaking')
    assert.equal(highestLevel(diffSpecifications('protobuf', newer, older)), 'breaking')
  })

  test('keep the lines of problems behind them', () => {
    const text = write('oneof o {\n group G = 1 {\n optional int32 a = 1; }\n }\n ?')
    const { models, warnings } = readIn(text, readProtobuf)
    assert.deepEqual(models, [])
    assert.match(
      warnings.join('\n'),
      /^2:\d+ s This cannot be read as Protobuf: illegal token '\?'/,
    )
  })

  test('"group" may also name fields and types', () => {
    const text = write('optional int32 group = 1; repeated string message = 2;')
    assert.deepEqual(toTree(readIn(text, readProtobuf).models[0]?.fields ?? []), {
      group: null,
      message: null,
    })
  })

  test('are found in large files', () => {
    const text = write(
      Array.from(
        { length: 1000 },
        (_, at) => `message N${at} { oneof o { group G = 1 { } } }`,
      ).join('\n'),
    )
    const { models } = readIn(text, readProtobuf)
    assert.deepEqual(
      models.at(-1)?.fields.map(({ name }) => name),
      ['g'],
    )
  })
})
