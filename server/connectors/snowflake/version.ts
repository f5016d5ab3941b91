import { hash } from 'node:crypto'
import type { SourceAsset } from '../connector.ts'
import type { ResultRow } from './result-row.ts'

/** A change this recent may be in only one of two answers, so that the next run reads the table again. */
const SETTLED_SECONDS = 600

/** Tables that Snowflake may change without a statement. */
const BACKGROUND_TYPES = ['is_dynamic', 'is_iceberg', 'is_hybrid']

/**
 * Returns the version of a table: the time of its last DDL, which every change of its columns sets, and a
 * digest of everything else. Undefined if Snowflake does not show the time, or the change is recent. `asset`
 * has no columns.
 */
export function getVersion(row: ResultRow, asset: SourceAsset): string | undefined {
  const isInBackground =
    asset.kind === 'external_table' || BACKGROUND_TYPES.some((type) => row.isTrue(type))
  const time = isInBackground ? row.get('last_altered') : row.get('last_ddl')
  // The time 0 is a placeholder.
  if (time === undefined || Number.parseFloat(time) <= 0) return undefined
  const ageSeconds = Number.parseFloat(row.get('read_at') ?? '') - Number.parseFloat(time)
  if (!(ageSeconds >= SETTLED_SECONDS)) return undefined
  const { statistic: _, ...contents } = asset
  return `${time} ${hash('sha256', JSON.stringify(contents))}`
}
