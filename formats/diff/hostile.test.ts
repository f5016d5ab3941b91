// Contracts that are designed to slow down a comparison. The time must be about linear in the length of the
// documents.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diffDataContracts } from './contract.ts'
import { ODCS, DCS, readContract } from '../../test/contract-versions.ts'
import { assertSoon } from '../../test/specification.ts'

/** Reads a contract with its models, so that only the comparison is measured. */
function contract(more: object) {
  const contract = readContract(JSON.parse(JSON.stringify({ ...ODCS, ...more })))
  assert.ok(contract.contract.models.length >= 0)
  return contract
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
    name: '6,000 servers that were renamed',
    make: (side) => ({
      servers: times(6_000, (at) => ({ server: `${side}-${at}`, type: 'kafka', host: `h${at}` })),
    }),
    changes: 6_000,
  },
  {
    name: '6,000 quality rules that all differ',
    make: (side) => ({
      schema: [
        { name: 'm', quality: times(6_000, (at) => ({ type: 'sql', query: `${side} ${at}` })) },
      ],
    }),
    changes: 12_000,
  },
  {
    name: '6,000 quality rules with the same measure',
    make: (side) => ({
      schema: [
        {
          name: 'm',
          quality: times(6_000, (at) => ({ type: 'sql', query: 'q', mustBe: at * 2 + side })),
        },
      ],
    }),
    changes: 6_000,
  },
  {
    name: '8,000 fields that were renamed',
    make: (side) => ({
      schema: [
        {
          name: 'm',
          properties: times(8_000, (at) => ({ name: `${side}-${at}`, description: `${at}` })),
        },
      ],
    }),
    changes: 8_000,
  },
  {
    name: '8,000 fields with the same name',
    make: (side) =>
      fields(8_000, (at) => ({ name: 'f', logicalType: at % 2 === side ? 'string' : 'date' })),
    changes: 8_000,
  },
]

for (const { name, make, changes } of TRICKS) {
  test(`diffDataContracts › is fast for ${name}`, () => {
    const [before, after] = [contract(make(0)), contract(make(1))]
    assertSoon(() => assert.equal(diffDataContracts(before, after).length, changes))
  })
}

/** Measures the processor time to compare 400 types with the given number of levels, in milliseconds. */
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
  const runs = times(3, () => {
    const usage = process.cpuUsage()
    diffDataContracts(before, after)
    return process.cpuUsage(usage).user / 1000
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
    name: '500 fields with unions that all differ',
    make: (side) => ({
      properties: Object.fromEntries(
        times(500, (at) => [
          `f${at}`,
          { oneOf: times(8, (branch) => ({ type: 'object', required: [`r${branch * side}`] })) },
        ]),
      ),
    }),
  },
  {
    name: '10,000 values of several types',
    make: (side) => ({
      properties: { f: { enum: times(10_000, (at) => (at % 2 ? `${at}` : at + side)) } },
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
    assertSoon(() => {
      const [before, after] = [0, 1].map((side) =>
        readContract({
          ...DCS,
          dataContractSpecification: '0.9.3',
          schema: {
            type: 'json-schema',
            specification: JSON.parse(
              JSON.stringify({ title: 'T', type: 'object', ...make(side) }),
            ),
          },
        }),
      )
      assert.ok(before && after)
      assert.ok(diffDataContracts(before, after).length > 0)
    })
  })
}
