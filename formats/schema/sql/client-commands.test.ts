import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutClientCommands } from './client-commands.ts'

for (const [name, text, rest] of [
  ['a connection', '\\c shop\ncreate table t (a int);\n', 'create table t (a int);\n'],
  ['an indented command', 'create table t (a int);\n  \\set x 1\n', 'create table t (a int);\n  '],
  ['the last line', 'create table t (a int);\n\\q', 'create table t (a int);\n'],
  ['rows', 'copy t (a) from stdin;\n1\n2\\\\\n\\.\ncreate table u ();\n', 'create table u ();\n'],
  ['a command between statements', 'select 1;\n\\c x\nselect 2;', 'select 1;\nselect 2;'],
] as const) {
  test(`removes ${name}`, () => {
    assert.equal(withoutClientCommands(text), rest)
  })
}

for (const text of [
  `insert into t values (E'\\n\\c x');`,
  `create function f() returns text as $$\n\\c x\n$$ language sql;`,
  `/*\n\\c x\n*/ select 1;`,
  `-- \\c x\nselect 1;`,
  `select '\n\\c x';`,
  'create table t (a int);',
]) {
  test(`keeps ${JSON.stringify(text)}`, () => {
    assert.equal(withoutClientCommands(text), text)
  })
}
