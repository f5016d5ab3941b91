import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findVariables } from '../../formats/text/variables.ts'
import { describeVariable } from './describe-variable.ts'

const describe = (text: string): string[] => findVariables(text).map(describeVariable)

test('a variable is described by its name and its default', () => {
  assert.deepEqual(describe('${DB_PORT:-5432}'), ['Variable DB_PORT, default 5432'])
  assert.deepEqual(describe('s3://${BUCKET}/${PREFIX:-}'), [
    'Variable BUCKET',
    'Variable PREFIX, default empty',
  ])
  assert.deepEqual(describe('$HOME and {x}'), [])
})
