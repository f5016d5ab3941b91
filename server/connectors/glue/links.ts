import { SourceFailure } from '../connector.ts'
import { glueTable, tableAnswer, type GlueTable } from './answers.ts'
import { toRequestFailure } from './aws-error.ts'
import { callGlue, SERVICE, type GlueCatalog } from './catalog.ts'

/**
 * Loads the table to which a link refers. Errors: those of AwsClient, and SourceFailure permission,
 * protocol, which concern only this link.
 */
export async function loadTarget(
  catalog: GlueCatalog,
  {
    CatalogId: catalogId,
    DatabaseName: database,
    Name: name,
    Region: region,
  }: NonNullable<GlueTable['TargetTable']>,
): Promise<GlueTable> {
  const what = `the table ${database}.${name}, to which it links`
  if (region && region !== catalog.configuration.region) {
    throw new SourceFailure('permission', `It links to a table in another region (${region})`)
  }
  const input = {
    ...(catalogId ? { CatalogId: catalogId } : {}),
    DatabaseName: database,
    Name: name,
  }
  const result = await callGlue(catalog, 'GetTable', input, tableAnswer)
  if ('error' in result) throw toRequestFailure(SERVICE, result.error, what)
  const read = glueTable.safeParse(result.value.Table)
  if (read.success && read.data.TargetTable == null) return read.data
  throw new SourceFailure('protocol', `${SERVICE} did not return ${what}`, { cause: read.error })
}
