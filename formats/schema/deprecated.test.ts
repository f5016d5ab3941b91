// Schema languages that can announce the end of a model or a field.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readIn } from '../../test/specification.ts'
import { readJsonSchema } from './json-schema/read.ts'
import type { Model } from './model.ts'
import { readProtobuf } from './protobuf/read.ts'

function listDeprecated(models: readonly Model[]): string[] {
  return models.flatMap((model) => [
    ...(model.deprecated === true ? [model.name] : []),
    ...model.fields.filter(({ deprecated }) => deprecated === true).map(({ name }) => name),
  ])
}

test('JSON Schema › deprecated schemas are deprecated models and fields', () => {
  const { models } = readIn(
    {
      title: 'orders',
      type: 'object',
      deprecated: true,
      properties: {
        a: { type: 'string', deprecated: true },
        b: { type: 'string', deprecated: false },
        c: { type: 'string', deprecated: 'true' },
        d: { $ref: '#/$defs/old' },
        e: { type: 'array', items: { type: 'string', deprecated: true } },
      },
      $defs: { old: { type: 'integer', deprecated: true } },
    },
    readJsonSchema,
  )
  assert.deepEqual(listDeprecated(models), ['orders', 'a', 'd'])
})

test('Protobuf › deprecated messages and fields are deprecated models and fields', () => {
  const { models } = readIn(
    `syntax = "proto3";
     message Order {
       option deprecated = true;
       string a = 1 [deprecated = true];
       repeated string b = 2 [deprecated = true, packed = false];
       map<string, string> c = 3 [deprecated = true];
       string d = 4 [deprecated = false];
       string e = 5;
     }`,
    readProtobuf,
  )
  assert.deepEqual(listDeprecated(models), ['Order', 'a', 'b', 'c'])
})
