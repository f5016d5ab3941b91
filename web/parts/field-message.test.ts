import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeInvalid, type ControlState } from './field-message.ts'

const control: ControlState = {
  label: 'Name',
  value: '',
  type: 'text',
  required: false,
  minLength: -1,
  isMalformed: false,
}
const describe = (change: Partial<ControlState>) => describeInvalid({ ...control, ...change })

test('a required field names itself when it is empty or blank', () => {
  assert.equal(describe({ required: true }), 'Name is required.')
  assert.equal(describe({ required: true, value: '  ' }), 'Name is required.')
  assert.equal(describe({}), undefined)
})

test('an e-mail address needs an @ with text on both sides', () => {
  for (const value of ['juno', 'juno@', '@harbour.example', 'juno linden@harbour.example']) {
    assert.match(describe({ type: 'email', value }) ?? '', /name@example\.com/, value)
  }
  for (const value of ['juno@harbour.example', ' juno@localhost ', 'jürgen@häfen.example']) {
    assert.equal(describe({ type: 'email', value }), undefined, value)
  }
})

test('a text that is too short states both lengths', () => {
  assert.equal(
    describe({ value: 'short', minLength: 12 }),
    'Use at least 12 characters; this has 5.',
  )
  assert.equal(describe({ value: '👩‍🚀👩‍🚀', minLength: 6 }), undefined)
})

test('a date that is not complete is reported, although its value is empty', () => {
  assert.match(describe({ type: 'date', isMalformed: true }) ?? '', /valid date/)
})
