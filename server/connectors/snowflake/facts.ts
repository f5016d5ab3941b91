import { omitEmpty, splitUniqueKeys } from '../asset-parts.ts'
import type { SourceAsset, SourceColumn } from '../connector.ts'
import { newKeyReader, type TableKeys, type TableNames } from './keys.ts'
import type { SnowflakeClient } from './statement-client.ts'
import { getTags, newTagReader, type DatabaseTags } from './tags.ts'

/** Reads the keys and tags of one database, as far as the configuration includes them. */
export interface FactReader {
  /** Adds tags to a database or schema. Errors: those of SnowflakeClient. */
  describeContainer(asset: SourceAsset): Promise<SourceAsset>
  /** Reads the facts of a schema; `listTables` is only called if it has many. Errors: those of SnowflakeClient, too_large. */
  openSchema(schema: string, listTables: TableNames): Promise<SnowflakeSchemaFacts>
}

/** The keys and tags of the tables of one schema. */
export interface SnowflakeSchemaFacts {
  /** Adds keys and tags to a table. */
  addTo(table: SourceAsset): SourceAsset
  /** Returns the reason why the keys of a table are unknown; undefined if they are known. */
  getFault(table: string): string | undefined
}

const NO_TAGS: DatabaseTags = new Map()

/** Creates the reader for one database; its statements run when they are first needed. */
export function newFactReader(client: SnowflakeClient, database: string): FactReader {
  const { includeKeys, includeTags } = client.configuration
  const keyReader = includeKeys ? newKeyReader(client, database) : undefined
  const tagReader = includeTags ? newTagReader(client, database) : undefined
  return {
    async describeContainer(asset) {
      const tags = (await tagReader?.getTags()) ?? NO_TAGS
      return { ...asset, ...omitEmpty({ tags: getTags(tags, asset.path.slice(1)) }) }
    },
    async openSchema(schema, listTables) {
      const keys = await keyReader?.getKeys(schema, listTables)
      const tags = (await tagReader?.getTags(schema)) ?? NO_TAGS
      return {
        addTo(table) {
          const name = table.path.at(-1) ?? ''
          const columns = (table.columns ?? []).map((column): SourceColumn => ({
            ...column,
            ...omitEmpty({ tags: getTags(tags, [schema, name, column.name]) }),
          }))
          const tagged = {
            ...table,
            ...omitEmpty({ tags: getTags(tags, [schema, name]) }),
            columns,
          }
          return withKeys(tagged, keys?.tables.get(name))
        },
        getFault: (table) => keys?.faults.get(table),
      }
    },
  }
}

function withKeys(asset: SourceAsset, keys: TableKeys | undefined): SourceAsset {
  if (keys === undefined) return asset
  const { primaryKey, foreignKeys } = keys
  const { uniqueColumns, uniqueKeys } = splitUniqueKeys(keys.uniqueKeys)
  return {
    ...asset,
    columns: (asset.columns ?? []).map((column) =>
      uniqueColumns.has(column.name) ? { ...column, unique: true } : column,
    ),
    ...omitEmpty({ primaryKey, foreignKeys, uniqueKeys }),
  }
}
