import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newTable, startSnowflake } from '../../../test/warehouses/snowflake/source.ts'

test('snowflake › reports a change of only the definition by the times of DDL and creation', async (t) => {
  const source = await startSnowflake(t)
  const [created, later] = ['1611871000.000000000 960', '1611872000.000000000 960']
  const newDated = (last_altered: string, last_ddl: string): ReturnType<typeof newTable> =>
    newTable({ facts: { created, last_altered, last_ddl } })
  source.model.databases = {
    SHOP: {
      schemas: {
        SALES: {
          tables: {
            ALTERED: newDated(later, later),
            CREATED: newDated(created, created),
            LOADED: newDated(later, created),
          },
        },
      },
    },
  }
  const result = await source.read()
  const getMeaning = (name: string): unknown =>
    result.table('SHOP', 'SALES', name).statistic?.changedMeans
  assert.equal(getMeaning('ALTERED'), 'definition')
  // It may have been created with rows.
  assert.equal(getMeaning('CREATED'), 'any')
  assert.equal(getMeaning('LOADED'), 'any')
})
