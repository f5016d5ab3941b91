import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { onStore } from '../../../test/stores.ts'
import { EVIDENCE, FRESHNESS_STATES, getFreshnessState, UNKNOWN_REASONS } from './freshness.ts'
import { selectFreshnessState } from './record.ts'

const NOW = '2026-06-10T12:00:00.000000Z'

onStore((store) => {
  test('selectFreshnessState › equals getFreshnessState for every combination of columns', async () => {
    const times = [null, '2026-06-10T11:59:59.999999Z', NOW, '2026-06-10T12:00:00.000001Z']
    const rows = [null, ...UNKNOWN_REASONS].flatMap((unknownBecause) =>
      [null, ...EVIDENCE].flatMap((evidence) =>
        times.flatMap((lateAt) =>
          [true, false].map((isConfirmed) => ({ unknownBecause, evidence, lateAt, isConfirmed })),
        ),
      ),
    )
    const { rows: states } = await sql<{ state: string }>`
      select ${selectFreshnessState('one', sql`${NOW}::timestamptz`)} as state
      from (
        select ordinal, fields ->> 'unknownBecause' as unknown_because, fields ->> 'evidence' as evidence,
          (fields ->> 'lateAt')::timestamptz as late_at, (fields ->> 'isConfirmed')::boolean as is_confirmed
        from json_array_elements(${JSON.stringify(rows)}::json) with ordinality as listed (fields, ordinal)
      ) as one
      order by ordinal
    `.execute(store().db)
    const expected = rows.map((row) => getFreshnessState(row, NOW).state)
    assert.deepEqual(
      states.map(({ state }) => state),
      expected,
    )
    assert.deepEqual([...new Set(expected)].toSorted(), FRESHNESS_STATES.toSorted())
  })
})
