// Contracts that are designed to slow down a comparison. The time must be about linear in the length of the
// documents.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDataContract } from '../data-contract/read.ts'
import { readText } from '../text/text.ts'
import { jsonText } from '../text/value.ts'
import { diffDataContracts, type ReadContract } from './contract.ts'

// Far more than any comparison takes, and far less than comparing every pair of parts would take.
const SOON_MS = 2000

function contract(more: object): ReadContract {
  const base = { apiVersion: 'v3.1.0', kind: 'DataContract', id: 'x', version: '1' }
  const document = { ...base, status: 'active', team: { name: 't' }, ...more }
  const source = readText(jsonText(document), 'application/json')
  assert.ok(source.ok, JSON.stringify(source))
  const reading = readDataContract(source, { id: 'x', strict: false })
  assert.ok(reading.ok)
  // Parses the models, so that the measurement excludes it.
  void reading.contract.models
  return reading
}

function times<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at))
}

const fields = (count: number, make: (at: number) => object) => ({
  schema: [{ name: 'm', properties: times(count, (at) => ({ name: `f${at}`, ...make(at) })) }],
})

const within = (start: string, inner: string) => `${start.repeat(30)}${inner}${'>'.repeat(30)}`

// `side` is 0 in the older version and 1 in the newer one.
const TRICKS: { name: string; make: (side: number) => object; changes: number }[] = [
  {
    name: 'one array type of 30 levels at 500 fields',
    make: (side) =>
      fields(500, () => ({ physicalType: within('array<', ['int', 'bigint'][side] ?? '') })),
    changes: 500,
  },
  {
    name: '500 array types of 30 levels, all different',
    make: (side) =>
      fields(500, (at) => ({ physicalType: within('array<', `varchar(${at * 2 + side + 1})`) })),
    changes: 500,
  },
  {
    name: '500 structures of 30 levels, all different',
    make: (side) =>
      fields(500, (at) => ({ physicalType: within('struct<a:', `varchar(${at * 2 + side + 1})`) })),
    changes: 500,
  },
  {
    name: 'a structure of 2,000 fields inside 30 levels',
    make: (side) => {
      const inner = times(2000, (at) => `f${at}:varchar(${at + side + 1})`).join(',')
      return fields(1, () => ({ physicalType: within('array<', `struct<${inner}>`) }))
    },
    changes: 2000,
  },
  {
    name: '12,000 servers that were renamed',
    make: (side) => ({
      servers: times(12_000, (at) => ({ server: `${side}-${at}`, type: 'kafka', host: `h${at}` })),
    }),
    changes: 12_000,
  },
  {
    name: '12,000 quality rules that all differ',
    make: (side) => ({
      schema: [
        { name: 'm', quality: times(12_000, (at) => ({ type: 'sql', query: `${side} ${at}` })) },
      ],
    }),
    changes: 24_000,
  },
  {
    name: '12,000 quality rules with the same measure',
    make: (side) => ({
      schema: [
        {
          name: 'm',
          quality: times(12_000, (at) => ({ type: 'sql', query: 'q', mustBe: at * 2 + side })),
        },
      ],
    }),
    changes: 12_000,
  },
  {
    name: '15,000 fields that were renamed',
    make: (side) => ({
      schema: [
        {
          name: 'm',
          properties: times(15_000, (at) => ({ name: `${side}-${at}`, description: `${at}` })),
        },
      ],
    }),
    changes: 15_000,
  },
  {
    name: '15,000 fields with the same name',
    make: (side) =>
      fields(15_000, (at) => ({ name: 'f', logicalType: at % 2 === side ? 'string' : 'date' })),
    changes: 15_000,
  },
]

for (const { name, make, changes } of TRICKS) {
  test(`diffDataContracts › is fast for ${name}`, () => {
    const [before, after] = [contract(make(0)), contract(make(1))]
    const startedAtMs = performance.now()
    const found = diffDataContracts(before, after)
    const tookMs = performance.now() - startedAtMs
    assert.equal(found.length, changes)
    assert.ok(tookMs < SOON_MS, `${Math.round(tookMs)} ms`)
  })
}

// Measures the time to compare 400 types with the given number of levels, in milliseconds.
function cost(levels: number): number {
  const [before, after] = [0, 1].map((side) =>
    contract(
      fields(400, (at) => {
        const inner = `varchar(${at * 2 + side + 1})`
        return { physicalType: `${'array<'.repeat(levels)}${inner}${'>'.repeat(levels)}` }
      }),
    ),
  )
  assert.ok(before && after)
  const runs = times(5, () => {
    const startedAtMs = performance.now()
    diffDataContracts(before, after)
    return performance.now() - startedAtMs
  })
  return Math.min(...runs)
}

// The text of a type grows with its levels, and each level has its own text, so the time may grow quadratically.
test('diffDataContracts › takes at most 64 times as long for eight times as many levels of a type', () => {
  cost(3)
  const [few, many] = [cost(3), cost(24)]
  assert.ok(many < few * 64, `${few} ms, ${many} ms`)
})

type Schema = { [name: string]: unknown }

const jsonSchemas: { name: string; make: (side: number) => Schema }[] = [
  {
    name: 'a union that contains itself twice at every level',
    make: (side) => ({
      $ref: '#/$defs/d0',
      $defs: Object.fromEntries(
        times(60, (at) => {
          const next = { $ref: `#/$defs/d${(at + 1) % 60}` }
          const branches = [{ items: next }, { not: next }, { maxLength: at + side }]
          return [`d${at}`, { anyOf: branches }]
        }),
      ),
    }),
  },
  {
    name: 'a recursive schema',
    make: (side) => ({ allOf: [{ $ref: '#' }, { not: { $ref: '#' } }, { maxProperties: side }] }),
  },
  {
    name: '2,000 branches that all differ',
    make: (side) => ({
      properties: { f: { anyOf: times(2000, (at) => ({ type: 'string', minLength: at + side })) } },
    }),
  },
  {
    name: '1,000 fields with unions that all differ',
    make: (side) => ({
      properties: Object.fromEntries(
        times(1000, (at) => [
          `f${at}`,
          { oneOf: times(8, (branch) => ({ type: 'object', required: [`r${branch * side}`] })) },
        ]),
      ),
    }),
  },
  {
    name: '20,000 values of several types',
    make: (side) => ({
      properties: { f: { enum: times(20_000, (at) => (at % 2 ? `${at}` : at + side)) } },
    }),
  },
  {
    name: 'nested conditions',
    make: (side) => {
      let inner: Schema = { minLength: side }
      for (let at = 0; at < 25; at += 1) {
        inner = JSON.parse(`{"if": {"const": ${at}}, "then": ${JSON.stringify(inner)}}`)
      }
      return { properties: { f: inner } }
    },
  },
  {
    name: '1,500 parts that each restrict different names',
    make: (side) => ({
      allOf: times(1500, (at) => ({
        properties: { [`a${at}`]: { multipleOf: at + side + 1 } },
        required: [`a${at}`, `b${at}`],
        additionalProperties: { maxLength: at },
      })),
    }),
  },
]

for (const { name, make } of jsonSchemas) {
  test(`diffDataContracts › is fast for ${name}`, () => {
    const usage = process.cpuUsage()
    const [before, after] = [0, 1].map((side) => {
      const specification = { title: 'T', type: 'object', ...make(side) }
      const text = JSON.stringify({
        dataContractSpecification: '0.9.3',
        id: 'x',
        info: { title: 'X', version: '1', owner: 't' },
        schema: { type: 'json-schema', specification },
      })
      const source = readText(text, 'application/json')
      assert.ok(source.ok)
      const reading = readDataContract(source, { id: 'x', strict: false })
      assert.ok(reading.ok)
      return reading
    })
    assert.ok(before && after)
    assert.ok(diffDataContracts(before, after).length > 0)
    const tookMs = process.cpuUsage(usage).user / 1000
    assert.ok(tookMs < SOON_MS, `${Math.round(tookMs)} ms`)
  })
}
