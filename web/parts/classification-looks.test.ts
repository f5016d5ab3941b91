import assert from 'node:assert/strict'
import test from 'node:test'
import { isProtected } from './classification-looks.ts'

const tier = (name: string, color: string | undefined) => ({
  id: name.toLowerCase(),
  name,
  color,
  level: undefined,
  description: undefined,
  scheme: 'Sensitivity',
})

test('isProtected › the usual words without a scheme', () => {
  const names = ['confidential', 'Personal data', 'PII', 'restricted', 'public', 'Internal', 'open']
  assert.deepEqual(
    names.filter((name) => isProtected([], name)),
    ['confidential', 'Personal data', 'PII', 'restricted'],
  )
})

test('isProtected › the colour of the tier of a scheme decides', () => {
  const tiers = [tier('Amber', 'amber'), tier('Confidential', 'green'), tier('Grey', 'grey')]
  assert.equal(isProtected(tiers, 'AMBER'), true)
  assert.equal(isProtected(tiers, 'confidential'), false)
  assert.equal(isProtected(tiers, 'Grey'), false)
})
