import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from './endpoint.ts'
import { route } from './route.ts'
import { formBody } from './form.ts'
import { findStrippingPath } from './strictness.ts'

const dropping = z.object({ a: z.string() })
const strict = z.strictObject({ a: z.string() })
const nested: z.ZodType = z.strictObject({ inner: z.lazy(() => nested).optional() })

const FOUND: Readonly<Record<string, readonly [z.ZodType, string | undefined]>> = {
  'an object': [dropping, '$'],
  'a member': [z.strictObject({ terms: dropping.optional() }), '$.terms'],
  'a list': [z.strictObject({ ports: z.array(dropping.nullable()) }), '$.ports[]'],
  'an alternative': [z.strictObject({ one: z.union([z.strictObject({}), dropping]) }), '$.one'],
  'a map': [z.record(z.string(), dropping), '${}'],
  'a default': [z.strictObject({ terms: dropping.default({ a: '' }) }), '$.terms'],
  'a transformed one': [dropping.refine(() => true).transform(({ a }) => a), '$'],
  'the second part of a pipe': [z.looseObject({}).pipe(dropping), '$'],
  'what a preparation returns': [z.preprocess((value) => value, dropping), '$'],
  'an intersection': [z.looseObject({}).and(dropping), '$'],
  'a tuple': [z.tuple([z.string()], dropping), '$[]'],
  'further members': [z.object({}).catchall(dropping), '${}'],
  'a lazy one': [z.lazy(() => dropping), '$'],
  'a read-only one': [dropping.readonly(), '$'],
  'an input for a default': [dropping.prefault({ a: '' }), '$'],
  'one that is required again': [dropping.optional().nonoptional(), '$'],
  'none: a schema inside of itself': [nested, undefined],
  'none: a pipe of strict ones': [strict.pipe(strict), undefined],
  'none: strict and open': [z.strictObject({ open: z.looseObject({}) }), undefined],
  'none: no object': [z.string(), undefined],
}

for (const [where, [schema, path]] of Object.entries(FOUND)) {
  test(`finds an object that drops members in ${where}`, () => {
    assert.equal(findStrippingPath(schema), path)
  })
}

test('route › a command whose schema drops members cannot be registered', () => {
  const endpoint: Endpoint = {
    operation: 'doIt',
    summary: 'Do it',
    permission: 'any key',
    body: formBody(z.strictObject({ ports: z.array(dropping) }), 'The form'),
    answers: { 200: { description: 'Done' } },
    handle: async () => jsonAnswer(200, z.string(), 'done'),
  }
  assert.throws(() => route('POST', '/api/it', endpoint), /drops members at \$\.ports\[\]/)
})

test('findStrippingPath › rejects kinds of schemas that it cannot look into', () => {
  assert.throws(() => findStrippingPath(z.strictObject({ a: z.set(dropping) })), /the kind "set"/)
})
