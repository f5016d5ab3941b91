import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseMutants, findMutants, type Mutant } from './mutant-finder.ts'

const find = (code: string, language: Mutant['language'] = 'SQL'): string[] =>
  findMutants('server/a.ts', code)
    .filter((mutant) => mutant.language === language)
    .map(({ text }) => text)

/** Returns the conditions of a statement. */
const findInSql = (statement: string): string[] => find(`sql\`${statement}\``)

test('finds the conditions of each clause, without its end', () => {
  const statement = `
    with removed as (
      delete from asset
      where organization_id = \${organizationId}
        and integration_id = \${integrationId}
        and deleted_at is not null
      returning external_id
    )
    select count(*) filter (where a > 1 and b) as count, case when a and b < 2 then 1 end
    from removed
    join team on team.id = removed.team_id
      and team.kind = 'a and b'
    left join other using (id)
    where left(name, 1) = 'x'
      and at is distinct from \${at}
    order by 1`
  assert.deepEqual(findInSql(statement), [
    'where organization_id = ${organizationId}',
    'and integration_id = ${integrationId}',
    'and deleted_at is not null',
    'where a > 1',
    'and b',
    'and b < 2',
    'on team.id = removed.team_id',
    "and team.kind = 'a and b'",
    "where left(name, 1) = 'x'",
    'and at is distinct from ${at}',
  ])
})

test('a condition contains its brackets, alternatives and lines', () => {
  const statement = `
    where (
        a = 1
        or b between 2 and 3
      )
      and c between 4 and 5
      and (x, y)
        > (\${x}, \${y})
      and case when d then e else f end = 6
      and exists (select from g where h)`
  assert.deepEqual(findInSql(statement), [
    'where ( a = 1 or b between 2 and 3 )',
    'and c between 4 and 5',
    'and (x, y) > (${x}, ${y})',
    'and case when d then e else f end = 6',
    'and exists (select from g where h)',
    'where h',
  ])
})

test('a fragment on a line of its own does not belong to the condition before it', () => {
  assert.deepEqual(findInSql('where ${a}\n  ${isAfter}\n limit 1'), ['where ${a}'])
})

test('no condition is true already, or a conflict', () => {
  assert.deepEqual(findInSql('from a join b on true on conflict (a) do nothing'), [])
})

test('only templates of SQL have conditions, also in other templates', () => {
  assert.deepEqual(find('const a = `where b and c`'), [])
  assert.deepEqual(find('`${sql<{ a: string }>`where b = ${sql`a and c`}`}`'), [
    'where b = ${sql`a and c`}',
    'and c',
  ])
})

test('replaces only the condition', () => {
  const code = 'sql`\n  where a = ${x}\n    and b = ${y}\n`'
  const changed = findMutants('server/a.ts', code).map(
    ({ start, end, replacement }) => code.slice(0, start) + replacement + code.slice(end),
  )
  assert.deepEqual(changed, [
    'sql`\n  where true\n    and b = ${y}\n`',
    'sql`\n  where a = ${x}\n    and true\n`',
  ])
})

test('finds the comparisons of TypeScript, not types, arrows or texts', () => {
  const code = `
    // a < b
    const f = (x: Map<string, number>): boolean => x.size >= 1 && x === y
    const g = 'a < b'`
  assert.deepEqual(
    find(code, 'TypeScript').map((text) => text.slice(text.lastIndexOf('('))),
    ['(>= becomes >)', '(&& becomes ||)', '(=== becomes !==)'],
  )
})

test('a sample depends only on its seed, and half of it is SQL', () => {
  const mutants = Array.from({ length: 40 }, (_, start): Mutant => {
    const language = start < 10 ? 'SQL' : 'TypeScript'
    const range = { start, end: start, replacement: '', text: '' }
    return { path: 'server/a.ts', line: 1, language, ...range }
  })
  const sample = chooseMutants(mutants, 10, 1)
  assert.equal(sample.filter(({ language }) => language === 'SQL').length, 5)
  assert.deepEqual(chooseMutants(mutants, 10, 1), sample)
  assert.notDeepEqual(chooseMutants(mutants, 10, 2), sample)
})
