import { sql, type RawBuilder } from 'kysely'
import * as place from '../../../formats/reality/place.ts'

// Clients describe topics with any source, and tables of Databricks with the name of its catalog as source.
const CLIENT_ROWS = [
  ['kafka', '', 'kafka_', ''],
  ['databricks', 'unity', '', ''],
]

/**
 * The sources whose listings leave out what the account may not see: only a table that they have shown before, and that they then
 * proved to be gone, is missing there.
 */
export const HIDING_SOURCES = ['databricks', 'glue', 'iceberg', 'snowflake']

const ROWS = [
  ...[...place.PLATFORM_ASSETS].flatMap(([platform, assets]) =>
    assets.map(({ source, only = '', never = '' }) => [platform, source, only, never]),
  ),
  ...CLIENT_ROWS,
]

/** SQL fragment: a table `known (platform, source, only_type, never_type)`; types are beginnings, empty = any, like an empty source. */
export const PLATFORM_ASSETS: RawBuilder<unknown> = sql`(values ${sql.join(
  ROWS.map((row) => sql`(${sql.join(row.map((text) => sql.lit(text)))})`),
)}) as known (platform, source, only_type, never_type)`

/** SQL fragment: a list of platforms whose assets are only candidates. */
export const CANDIDATE_PLATFORMS: RawBuilder<unknown> = sql`array[${sql.join(
  place.LOCATION_PLATFORMS.map((platform) => sql.lit(platform)),
)}]`

/** SQL fragment: a list of platforms that are in `PLATFORM_ASSETS`; the others have the assets whose source is their name. */
export const KNOWN_PLATFORMS: RawBuilder<unknown> = sql`array[${sql.join(
  [...place.PLATFORM_ASSETS.keys(), 'kafka'].map((platform) => sql.lit(platform)),
)}]`
