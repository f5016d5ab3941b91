/** The guides of sources name the same grants as the checks of their connectors. */

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { JOB_ROLE, METADATA_ROLE } from '../server/connectors/bigquery/bigquery-error.ts'
import { glueConfiguration, writePolicyStatement } from '../server/connectors/glue/configuration.ts'
import { listGrants } from '../server/connectors/snowflake/grants.ts'

const ROOT = join(import.meta.dirname, '..')
// The guides of each folder of connectors: flavours have guides of their own.
const GUIDES: Readonly<Record<string, readonly string[]>> = {
  bigquery: ['bigquery'],
  databricks: ['databricks'],
  glue: ['aws-glue'],
  mssql: ['sql-server', 'fabric'],
  mysql: ['mysql'],
  postgres: ['cockroachdb', 'redshift', 'timescaledb'],
  snowflake: ['snowflake'],
}
const PRIVILEGES = [
  // SQL
  /\bgrant ([a-z][a-z, ]*?) (?:on|to)\b/gi,
  // Google Cloud
  /\b(roles\/[a-z]+\.[a-z]+)\b/gi,
  // AWS
  /\b((?:glue|iam|kms|lakeformation|s3|sts):[A-Z][A-Za-z]+)\b/g,
]
// PostgreSQL's statements are written in lower case.
const isPrivilege = (name: string, folder: string): boolean =>
  /[./:]/.test(name) || name === name.toUpperCase() || folder === 'postgres'

function readGuide(name: string): string {
  return readFileSync(join(ROOT, 'docs/guides/sources', `${name}.md`), 'utf8')
}

/** Lists the privileges that a connector names in its messages. */
function listPrivileges(folder: string): string[] {
  const files = globSync(`server/connectors/${folder}/*.ts`, { cwd: ROOT })
  const texts = files
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  const names = texts
    .flatMap((text) => PRIVILEGES.flatMap((privilege) => [...text.matchAll(privilege)]))
    .map(([, name = '']) => name)
    .filter((name) => isPrivilege(name, folder))
  return [...new Set(names)]
}

/** Lists the privileges of a connector that a text does not name as a word of its own. */
function listMissing(folder: string, text: string): string[] {
  return listPrivileges(folder).filter(
    (privilege) => !new RegExp(`(?<!\\w)${RegExp.escape(privilege)}(?!\\w)`, 'i').test(text),
  )
}

describe('guides of sources', () => {
  for (const [folder, guides] of Object.entries(GUIDES)) {
    test(`${guides.join(', ')} › name every privilege that the connector asks for`, () => {
      assert.deepEqual(listMissing(folder, guides.map(readGuide).join('\n')), [])
    })

    test(`${guides.join(', ')} › the connector asks for privileges, which another text lacks`, () => {
      const privileges = listPrivileges(folder)
      assert.notDeepEqual(privileges, [])
      assert.deepEqual(listMissing(folder, 'GRANT OWNERSHIP'), privileges)
    })
  }

  test('snowflake › has the statements of the check, also for event tables', () => {
    const guide = readGuide('snowflake')
    const grants = listGrants('SHOP', 'PORTBOOK')
    assert.ok(grants.some((grant) => grant.includes('EVENT TABLES')))
    for (const grant of grants) assert.ok(guide.includes(`${grant.replaceAll('"', '')};`), grant)
  })

  test('aws-glue › has the policy of the check', () => {
    const guide = readGuide('aws-glue')
    const policy = JSON.parse(/```json\n(.*?)```/s.exec(guide)?.[1] ?? '') as {
      Statement: object[]
    }
    const configuration = glueConfiguration.parse({
      region: 'eu-central-1',
      catalogId: '123456789012',
      accessKeyId: 'AKIATEST',
    })
    assert.deepEqual(policy.Statement, [JSON.parse(writePolicyStatement(configuration))])
  })

  test('bigquery › has the roles of the check', () => {
    const guide = readGuide('bigquery')
    for (const role of [METADATA_ROLE, JOB_ROLE]) assert.ok(guide.includes(`--role=${role}`), role)
  })
})
