// The parts of a table: columns and constraints.

import type { SqlCondition } from './check.ts'
import type { ColumnType } from './script-types.ts'

/** A column. Constraints refer to it, so it can be renamed without looking for them. */
export interface SqlColumn {
  name: string
  type: ColumnType | undefined
  isRequired: boolean
  isDropped: boolean
  description?: string
  /** Clauses that the model cannot express, in canonical form. */
  unanalyzed: string[]
}

/** A promise about the values of one or more columns. */
export type SqlConstraint = {
  name: string | undefined
  isDropped?: boolean
  /** Its clauses that a model cannot express, in canonical form: `nulls not distinct`, `on delete cascade`. */
  clauses: string[]
} & (
  | { kind: 'primaryKey' | 'unique'; names: readonly string[]; columns?: SqlColumn[] }
  | {
      kind: 'foreignKey'
      names: readonly string[]
      columns?: SqlColumn[]
      table: readonly string[]
      references: readonly string[]
    }
  | {
      kind: 'check'
      condition: SqlCondition
      owner: SqlColumn | undefined
      columns?: SqlColumn[]
      /** The names of the columns in the condition. */
      written?: string[]
    }
  | { kind: 'rule'; text: string; names: readonly string[]; columns?: SqlColumn[] }
)
