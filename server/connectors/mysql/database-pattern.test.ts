import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toGrantee } from './account.ts'
import { chooseDatabaseRow, unescapePattern } from './database-pattern.ts'

const CHOICES: readonly (readonly [readonly string[], string, number | undefined])[] = [
  [['sales'], 'sales', 0],
  [['sales'], 'Sales', undefined],
  [['sal%', 'sales'], 'sales', 1],
  [['sal%', 's%'], 'sales', 0],
  [['s_les'], 'sales', 0],
  [['sa\\_es'], 'sales', undefined],
  [['sa\\_es'], 'sa_es', 0],
  [['%'], '', 0],
  [['_'], '', undefined],
  [['%%%%%%%%%%%%%%%%%%%%%%%%%%%%a'], 'b'.repeat(64), undefined],
  [['größe%'], 'größe_2', 0],
  [['_'], '𝔸', 0],
  [[], 'sales', undefined],
]

for (const [patterns, database, expected] of CHOICES) {
  test(`chooseDatabaseRow › ${patterns.join(' or ')} for ${database} is ${expected}`, () => {
    assert.equal(chooseDatabaseRow(patterns, database), expected)
  })
}

test('unescapePattern › only a pattern without wildcards names a database', () => {
  assert.equal(unescapePattern('a\\_b'), 'a_b')
  assert.equal(unescapePattern('a_b'), undefined)
})

test('toGrantee › two accounts never have one name', () => {
  const accounts = [
    ['jo', '%'],
    ['jo', 'localhost'],
    [`'jo'@'localhost'`, '%'],
    ['', '%'],
    ['', 'localhost'],
    [`jo'@'localhost`, 'x'],
    ['jo@localhost', '%'],
  ] as const
  const names = accounts.map(([user, host]) => toGrantee(user, host, new Set()).name)
  assert.equal(new Set(names).size, accounts.length, names.join(' '))
})
