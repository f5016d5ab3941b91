import assert from 'node:assert/strict'
import test from 'node:test'
import { readFlavour } from './flavour.ts'

test('products with PostgreSQL’s protocol are detected by their version', () => {
  const cases: [string, string[], string, boolean][] = [
    ['PostgreSQL 18.4 on x86_64-pc-linux-gnu, compiled by gcc', [], 'PostgreSQL', true],
    [
      'PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC gcc (GCC) 3.4.2, Redshift 1.0.77',
      [],
      'Amazon Redshift',
      false,
    ],
    ['CockroachDB CCL v24.1.0 (x86_64-pc-linux-gnu, built 2024)', [], 'CockroachDB', false],
    ['PostgreSQL 11.2-YB-2.20.1.0-b0 on x86_64-pc-linux-gnu', [], 'YugabyteDB', false],
    ['PostgreSQL 16.2', ['plpgsql', 'timescaledb'], 'PostgreSQL with TimescaleDB', true],
  ]
  for (const [version, extensions, name, isSupported] of cases) {
    const flavour = readFlavour(version, extensions)
    assert.deepEqual([flavour.name, flavour.isSupported], [name, isSupported])
  }
})
