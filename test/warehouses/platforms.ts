import { bigQueryPlatform } from './bigquery/platform.ts'
import { gluePlatform } from './glue/platform.ts'
import { icebergPlatform } from './iceberg/platform.ts'
import type { Platform } from './platform.ts'
import { snowflakePlatform } from './snowflake/platform.ts'
import { databricksPlatform } from './unity/platform.ts'

/** The platforms for which every shared case runs. */
export const PLATFORMS: readonly Platform[] = [
  icebergPlatform,
  databricksPlatform,
  gluePlatform,
  bigQueryPlatform,
  snowflakePlatform,
]
