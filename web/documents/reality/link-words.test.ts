import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeLinkPart, describeOrigin, describeRule, formatLinkValue } from './link-words.ts'

test('names of tables are shown as people write them, other values as they are', () => {
  assert.equal(formatLinkValue('["db", "public", "a.b"]'), 'db.public.a.b')
  assert.equal(formatLinkValue('db.example:5432'), 'db.example:5432')
  assert.equal(formatLinkValue('[not json'), '[not json')
})

test('rules and parts of another version are shown by their own names', () => {
  assert.equal(describeRule('never_seen'), 'Never seen')
  assert.equal(describeLinkPart('constructor'), 'Constructor')
  assert.equal(describeOrigin('toString'), '')
})
