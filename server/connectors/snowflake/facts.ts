import type { SourceAsset, SourceColumn } from '../connector.ts'
import { newKeyReader, type TableKeys } from './keys.ts'
import type { SnowflakeClient } from './statement-client.ts'
import { getTags, readTags, type DatabaseTags } from './tags.ts'

/** Reads the keys and tags of one database, as far as the configuration includes them. */
export interface FactReader {
  /** Adds tags to a database or schema. Errors: those of SnowflakeClient. */
  describeContainer(asset: SourceAsset): Promise<SourceAsset>
  /** Returns the function that adds keys and tags to the tables of a schema. Errors: those of SnowflakeClient. */
  openSchema(schema: string): Promise<(table: SourceAsset) => SourceAsset>
}

const NO_TAGS: DatabaseTags = new Map()

/** Creates the reader for one database; its statements run when they are first needed. */
export function newFactReader(client: SnowflakeClient, database: string): FactReader {
  const { includeKeys, includeTags } = client.configuration
  const keyReader = includeKeys ? newKeyReader(client, database) : undefined
  let tags: Promise<DatabaseTags> | undefined
  const getAllTags = async () =>
    includeTags ? await (tags ??= readTags(client, database)) : NO_TAGS
  return {
    describeContainer: async (asset) =>
      withTags(asset, getTags(await getAllTags(), asset.path.slice(1))),
    async openSchema(schema) {
      const keys = await keyReader?.getKeys(schema)
      const all = await getAllTags()
      return (table) => {
        const name = table.path.at(-1) ?? ''
        const tagged = withTags(table, getTags(all, [schema, name]))
        const columns = (table.columns ?? []).map((column): SourceColumn => {
          const own = getTags(all, [schema, name, column.name])
          return own.length === 0 ? column : { ...column, tags: own }
        })
        return withKeys({ ...tagged, columns }, keys?.get(name))
      }
    },
  }
}

function withTags(asset: SourceAsset, tags: readonly string[]): SourceAsset {
  return tags.length === 0 ? asset : { ...asset, tags }
}

function withKeys(asset: SourceAsset, keys: TableKeys | undefined): SourceAsset {
  if (keys === undefined) return asset
  const { primaryKey, foreignKeys, uniqueKeys } = keys
  const uniqueColumns = new Set(uniqueKeys.filter(({ length }) => length === 1).flat())
  const compositeKeys = uniqueKeys.filter(({ length }) => length > 1)
  return {
    ...asset,
    columns: (asset.columns ?? []).map((column) =>
      uniqueColumns.has(column.name) ? { ...column, unique: true } : column,
    ),
    ...(primaryKey.length === 0 ? {} : { primaryKey }),
    ...(foreignKeys.length === 0 ? {} : { foreignKeys }),
    ...(compositeKeys.length === 0 ? {} : { uniqueKeys: compositeKeys }),
  }
}
