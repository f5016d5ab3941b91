/** Generates SQL scripts: mostly legal, with unusual statements, names and types. */

import * as fc from 'fast-check'
import { joinTexts } from './join-texts.ts'

/** Names, in quotes of each kind. */
export const sqlName = fc.constantFrom(
  'a',
  'b',
  't',
  '"select"',
  '`t`',
  '[t x]',
  's.t',
  '"a""b"',
  'é',
)
/** Types of columns. */
export const sqlType = fc.constantFrom(
  'int',
  'numeric(10, 2)',
  'varchar(max)',
  'timestamp(3) with time zone',
  'double precision',
  'struct<a: int, b: array<string>>',
  'text[]',
  "enum('a', 'b')",
  'character varying (10) collate "C"',
  'unknown_type(1, 2, 3)',
)
const sqlConstraint = fc.constantFrom(
  '',
  ' not null',
  ' primary key',
  ' unique default now()',
  " default 'it''s' comment 'x'",
  ' generated always as identity (start with 1)',
  ' check (a > 0 and b in (1, 2))',
  ' references s.t (a) on delete cascade',
)
const sqlColumn = fc
  .tuple(sqlName, sqlType, sqlConstraint)
  .map((parts) => `${parts[0]} ${parts[1]}${parts[2]}`)
const sqlStatement = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.constantFrom('table', 'or replace table', 'external table if not exists', 'temp table'),
        sqlName,
        joinTexts(sqlColumn, ',\n', 5, 1),
        fc.constantFrom(
          '',
          ') partition by range (a',
          ', primary key (a, b)',
          ', constraint c unique (a)',
        ),
      )
      .map(([kind, called, columns, end]) => `create ${kind} ${called} (${columns}${end});`),
  },
  fc
    .tuple(
      sqlName,
      sqlColumn,
      fc.constantFrom('add column', 'drop column', 'alter column', 'rename to'),
    )
    .map(([called, column, change]) => `alter table ${called} ${change} ${column};`),
  fc.tuple(sqlName, sqlName).map(([one, other]) => `comment on column ${one}.${other} is 'x';`),
  sqlName.map(
    (called) => `create view ${called} (a, b) as select 1 as a, (select max(b) from t) as b;`,
  ),
  fc.constantFrom(
    "create type mood as enum ('sad', 'ok');",
    "alter type mood add value 'x';",
    'create table t (like a including all, b mood[]);',
    'create table t () inherits (a);',
    'alter table t add column b int first, drop column if exists a cascade, rename to b;',
    'alter table t modify a varchar(3) not null, change a b int, drop primary key;',
    'alter table @schema.t add ${column} int;',
    "exec sp_rename 't.a', 'b', 'COLUMN'\ngo\n",
    'create unique index i on t (a) where b > 0; drop index i;',
    'create procedure p as begin drop table t; end',
    '{% if a %} create or replace view v as select * from t; {% endif %}',
    'create domain d as text check (value <> $$x$$);',
    'drop table if exists t cascade;',
    '-- a comment\n',
    '/* open',
    "insert into t values ('",
    'go\n',
  ),
)

/** Generates SQL scripts: tables, changes of tables, views, comments, types, and broken pieces. */
export const sqlTexts: fc.Arbitrary<string> = joinTexts(sqlStatement, '\n', 5, 1)
