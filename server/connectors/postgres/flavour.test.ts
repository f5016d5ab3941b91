import assert from 'node:assert/strict'
import test from 'node:test'
import { postgres } from './connector.ts'
import { readFlavour } from './flavour.ts'

test('products with PostgreSQL’s protocol are detected by their version', () => {
  const redshift =
    'PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC gcc (GCC) 3.4.2, Redshift 1.0.77'
  const cases: [string, string, string | undefined, boolean][] = [
    ['PostgreSQL 18.4 on x86_64-pc-linux-gnu, compiled by gcc', 'PostgreSQL', undefined, true],
    [redshift, 'Amazon Redshift', 'redshift', true],
    ['CockroachDB CCL v24.1.0 (x86_64-pc-linux-gnu)', 'CockroachDB', 'cockroachdb', true],
    ['PostgreSQL 15.2-YB-2025.1.0.0-b0 on x86_64', 'YugabyteDB', 'yugabytedb', true],
    ['PostgreSQL 9.4 (Greenplum Database 6.2)', 'Greenplum', undefined, false],
  ]
  for (const [version, name, platform, isSupported] of cases) {
    const flavour = readFlavour(version)
    assert.deepEqual(
      [flavour.name, flavour.platform, flavour.isSupported],
      [name, platform, isSupported],
    )
  }
})

test('tests and grants are offered for every product that has statements for them', () => {
  const { measures, grants } = postgres.description
  for (const version of ['Redshift 1.0.77', 'CockroachDB CCL v24.1.0', 'PostgreSQL 15.2-YB-2025']) {
    const { name, platform = '', dialect } = readFlavour(version)
    const isMeasured = dialect === undefined
    const hasGrants = dialect === undefined || dialect.readGrants !== undefined
    assert.equal(measures?.exceptions?.get(platform), isMeasured ? undefined : name)
    assert.equal(grants?.exceptions?.get(platform), hasGrants ? undefined : name)
  }
})
