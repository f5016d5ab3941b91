import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toTypeText } from './type-text.ts'

test('toTypeText › returns the text of a type as in CREATE TABLE', () => {
  const cases = [
    ['nvarchar', 80, 0, 0, 'nvarchar(40)'],
    ['nvarchar', -1, 0, 0, 'nvarchar(max)'],
    ['nchar', 2, 0, 0, 'nchar(1)'],
    ['varchar', 8000, 0, 0, 'varchar(8000)'],
    ['varbinary', -1, 0, 0, 'varbinary(max)'],
    ['decimal', 9, 18, 0, 'decimal(18,0)'],
    ['numeric', 17, 38, 10, 'numeric(38,10)'],
    ['datetime2', 8, 27, 7, 'datetime2(7)'],
    ['datetimeoffset', 10, 34, 0, 'datetimeoffset(0)'],
    ['time', 5, 16, 3, 'time(3)'],
    ['datetime', 8, 23, 3, 'datetime'],
    ['int', 4, 10, 0, 'int'],
    ['float', 8, 53, 0, 'float'],
    ['money', 8, 19, 4, 'money'],
    ['xml', -1, 0, 0, 'xml'],
    ['timestamp', 8, 0, 0, 'rowversion'],
    ['vector', 6152, 0, 0, 'vector(1536)'],
    ['geography', -1, 0, 0, 'geography'],
  ] as const
  for (const [name, maxLength, precision, scale, text] of cases) {
    assert.equal(toTypeText({ name, maxLength, precision, scale }), text)
  }
})
