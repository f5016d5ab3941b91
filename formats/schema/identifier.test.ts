import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isIdentifier, Scope } from './identifier.ts'

test('an identifier › consists of letters, digits and "_", and does not break libraries', () => {
  for (const name of ['a', '_', 'a_1', 'constructor']) assert.ok(isIdentifier(name), name)
  for (const name of ['', '1', 'a b', 'é', 'a-b', '__proto__', 'a\n'])
    assert.ok(!isIdentifier(name), name)
})

test('a scope › changes names as little as possible, and keeps them distinct', () => {
  const scope = new Scope(['taken'])
  const given = ['Order Total', 'Order-Total', 'a', '1st', '', 'taken', '__proto__', '数']
  assert.deepEqual(
    given.map((name) => scope.identifier(name)),
    ['Order_Total', 'Order_Total_2', 'a', '_1st', '_', 'taken_2', '__proto___', '__2'],
  )
})

test('a scope › takes several names together or none', () => {
  const scope = new Scope(['a'])
  assert.equal(scope.takeAll(['b', 'a']), false)
  assert.equal(scope.takeAll(['b', 'b']), false)
  assert.equal(scope.takeAll(['b', 'c']), true)
  assert.equal(scope.unique('b'), 'b_2')
})
