/** Columns that one answer of a platform refers to and another one describes. */

import type { ForeignKey, SourceAsset, SourceColumn } from './connector.ts'

/** Finds the columns of a table by the names in another answer. */
export class ColumnNames {
  readonly #names: ReadonlySet<string>
  readonly #folded: ReadonlyMap<string, string>

  /** `ignoresCase` = the platform does, so that its answers may differ in case. */
  constructor(columns: readonly Pick<SourceColumn, 'name'>[], ignoresCase: boolean) {
    this.#names = new Set(columns.map(({ name }) => name))
    const folded = ignoresCase
      ? columns.toReversed().map(({ name }) => [foldName(name), name] as const)
      : []
    this.#folded = new Map(folded)
  }

  /** Returns the spelling of the column; undefined if the table lacks it. */
  find(name: string): string | undefined {
    return this.#names.has(name) ? name : this.#folded.get(foldName(name))
  }

  /** Spells names as their columns do; names without a column stay unchanged. */
  spell(names: readonly string[]): string[] {
    return names.map((name) => this.find(name) ?? name)
  }
}

/** Returns the key under which names that differ only in case are equal. */
export function foldName(name: string): string {
  return name.toLowerCase()
}

/** Spells the columns of keys and partitions as the columns themselves, for a platform that ignores case. */
export function spellReferences(asset: SourceAsset): SourceAsset {
  const { primaryKey, uniqueKeys, foreignKeys, partitionColumns } = asset
  const names = new ColumnNames(asset.columns ?? [], true)
  const spellKey = (key: ForeignKey): ForeignKey => ({ ...key, columns: names.spell(key.columns) })
  return {
    ...asset,
    ...(primaryKey === undefined ? {} : { primaryKey: names.spell(primaryKey) }),
    ...(uniqueKeys === undefined ? {} : { uniqueKeys: uniqueKeys.map((key) => names.spell(key)) }),
    ...(foreignKeys === undefined ? {} : { foreignKeys: foreignKeys.map(spellKey) }),
    ...(partitionColumns === undefined ? {} : { partitionColumns: names.spell(partitionColumns) }),
  }
}

/**
 * Finds a column that a key of a table has and the table has not: its keys and its columns are of different
 * times.
 */
export function findUnknownColumn(asset: SourceAsset): string | undefined {
  const { primaryKey = [], uniqueKeys = [], foreignKeys = [], columns = [] } = asset
  const names = new ColumnNames(columns, false)
  const keys = [primaryKey, ...uniqueKeys, ...foreignKeys.map((key) => key.columns)]
  return keys.flat().find((name) => names.find(name) === undefined)
}
