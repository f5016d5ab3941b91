/** The tags of Lake Formation, which it returns for one database or table per request. */

import type { z } from 'zod'
import type { SourceAsset, SourceFailure } from '../connector.ts'
import { mapConcurrently } from '../http/parallel.ts'
import { tagsAnswer, type LakeFormationTags } from './answers.ts'
import type { AwsResult } from './aws-client.ts'
import { toRequestFailure, type AwsError } from './aws-error.ts'
import { LAKE_FORMATION, type GlueCatalog } from './catalog.ts'
import { getEndpoint } from './configuration.ts'

/** The maximum number of concurrent requests. */
const CONCURRENT_MAX = 5

/** Adds the tags of a database. Errors: those of AwsClient, and SourceFailure permission, protocol. */
export async function addDatabaseTags(
  catalog: GlueCatalog,
  asset: SourceAsset,
): Promise<SourceAsset> {
  if (!catalog.configuration.includeTags) return asset
  const [name = ''] = asset.path
  const resource = { Database: { CatalogId: catalog.configuration.catalogId, Name: name } }
  const result = await requestTags(catalog, resource)
  if ('error' in result) throw toTagFailure(result.error, name)
  return withTags(asset, result.value.LFTagOnDatabase)
}

/**
 * Adds the tags of tables and their columns. Undefined = the table was dropped during the listing.
 * Errors: those of AwsClient, and SourceFailure permission, protocol.
 */
export async function addTableTags(
  catalog: GlueCatalog,
  assets: readonly SourceAsset[],
): Promise<(SourceAsset | undefined)[]> {
  if (!catalog.configuration.includeTags) return [...assets]
  const results: (SourceAsset | undefined)[] = []
  for (let at = 0; at < assets.length; at += CONCURRENT_MAX) {
    const group = assets.slice(at, at + CONCURRENT_MAX)
    results.push(...(await mapConcurrently(group, (asset) => addTags(catalog, asset))))
  }
  return results
}

async function addTags(catalog: GlueCatalog, asset: SourceAsset): Promise<SourceAsset | undefined> {
  const [database = '', name = ''] = asset.path
  const { catalogId } = catalog.configuration
  const resource = { Table: { CatalogId: catalogId, DatabaseName: database, Name: name } }
  const result = await requestTags(catalog, resource)
  if ('error' in result) {
    if (result.error.code === 'EntityNotFoundException') return undefined
    throw toTagFailure(result.error, `${database}.${name}`)
  }
  const { LFTagsOnTable: tags, LFTagsOnColumns: columns } = result.value
  const tagsByColumn = new Map(columns?.map(({ Name, LFTags }) => [Name.toLowerCase(), LFTags]))
  return withTags(
    {
      ...asset,
      columns: (asset.columns ?? []).map((column) =>
        withTags(column, tagsByColumn.get(column.name.toLowerCase())),
      ),
    },
    tags,
  )
}

/** Requests the tags of the resource that are not inherited. Errors: those of AwsClient. */
export async function requestTags(
  { lakeFormation, configuration }: GlueCatalog,
  resource: object,
): Promise<AwsResult<z.infer<typeof tagsAnswer>>> {
  return await lakeFormation.call(
    {
      url: getEndpoint(configuration, 'lakeformation', 'GetResourceLFTags'),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        CatalogId: configuration.catalogId,
        Resource: resource,
        ShowAssignedLFTags: true,
      }),
      operation: 'GetResourceLFTags',
    },
    tagsAnswer,
  )
}

/** Creates the failure for rejected tags of a database or table. */
export function toTagFailure(error: AwsError, name: string): SourceFailure {
  return toRequestFailure(LAKE_FORMATION, error, `the tags of ${name}`)
}

function withTags<T extends { tags?: readonly string[] }>(tagged: T, tags: LakeFormationTags): T {
  const texts = (tags ?? []).flatMap(({ TagKey: key, TagValues: values }) =>
    values?.length ? values.map((value) => `${key}:${value}`) : [key],
  )
  return texts.length === 0 ? tagged : { ...tagged, tags: texts }
}
