import { newTable } from '../name/table.ts'
import { ENGINE_RULES } from './engine-rules.ts'
import { FILE_RULES } from './file-rules.ts'
import { SQL_RULES } from './sql-rules.ts'
import type { PlatformRules } from './target.ts'
import { WAREHOUSE_RULES } from './warehouse-rules.ts'

/** The rules of every type of server that has any. A type without rules shows its facts. */
export const PLATFORM_RULES = newTable<PlatformRules>({
  ...SQL_RULES,
  ...WAREHOUSE_RULES,
  ...ENGINE_RULES,
  ...FILE_RULES,
})
