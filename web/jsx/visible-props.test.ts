import assert from 'node:assert/strict'
import test from 'node:test'
import { withVisibleTexts } from './visible-props.ts'

test('withVisibleTexts › changes what is shown, and no values', () => {
  const props = { children: ['\u202Ea', 1], title: '\u0007', value: '\u202Eb', href: '/\u202E' }
  const visible = { children: ['\uFFFDa', 1], title: '␇', value: '\u202Eb', href: '/\u202E' }
  assert.deepEqual(withVisibleTexts(props), visible)
  assert.deepEqual(withVisibleTexts({ children: '\u2066c' }), { children: '\uFFFDc' })
})

test('withVisibleTexts › returns the props themselves when nothing is hidden', () => {
  const props = { children: ['a', null], title: 'b' }
  assert.equal(withVisibleTexts(props), props)
})
