/**
 * The permissions of Lake Formation, and its settings:
 * https://docs.aws.amazon.com/lake-formation/latest/APIReference/API_ListPermissions.html.
 */

import { z } from 'zod'
import { omitEmpty } from '../asset-parts.ts'
import { SourceFailure } from '../connector.ts'
import { readPages } from '../http/pages.ts'
import { toRequestFailure } from './aws-error.ts'
import { LAKE_FORMATION, type GlueCatalog } from './catalog.ts'
import { getEndpoint } from './configuration.ts'

const PAGE_SIZE = 1000
const SMALLER_PAGE_SIZE = 100
const ENTRIES_MAX = 10_000
/** The maximum number of permissions on one table. */
const PERMISSIONS_MAX = 100_000

const text = z.string().nullish()
const names = z.array(z.string()).max(ENTRIES_MAX).nullish()

const principal = z.object({ DataLakePrincipalIdentifier: z.string() })

const permission = z.object({
  Principal: principal,
  Resource: z.object({
    Table: z.object({ Name: text, TableWildcard: z.object({}).nullish() }).nullish(),
    TableWithColumns: z
      .object({
        Name: text,
        ColumnNames: names,
        ColumnWildcard: z.object({ ExcludedColumnNames: names }).nullish(),
      })
      .nullish(),
    DataCellsFilter: z.object({ Name: text }).nullish(),
    LFTagPolicy: z.object({ ResourceType: text }).nullish(),
  }),
  Permissions: names,
  PermissionsWithGrantOption: names,
  Condition: z.unknown().optional(),
})

const permissionsAnswer = z.object({
  PrincipalResourcePermissions: z.array(permission).max(ENTRIES_MAX).nullish(),
  NextToken: text,
})

const settingsAnswer = z.object({
  DataLakeSettings: z.object({
    DataLakeAdmins: z.array(principal).max(ENTRIES_MAX).nullish(),
    ReadOnlyAdmins: z.array(principal).max(ENTRIES_MAX).nullish(),
  }),
})

/** A permission of a principal on a table, as Lake Formation has it. */
export type LakePermission = z.infer<typeof permission>

/** The administrators of a data lake, by their identifiers. */
interface LakeAdministrators {
  administrators: string[]
  /** Those who may only see everything. */
  readers: string[]
}

/** Lists the permissions on a table; without a name, those on all tables of a database. Errors: SourceFailure. */
export async function listPermissions(
  catalog: GlueCatalog,
  database: string,
  table: string | undefined,
): Promise<LakePermission[]> {
  const { catalogId } = catalog.configuration
  const which = table === undefined ? { TableWildcard: {} } : { Name: table }
  const input = { Resource: { Table: { CatalogId: catalogId, DatabaseName: database, ...which } } }
  const what = `the permissions on ${[database, table ?? '*'].join('.')}`
  const pages = readPages({
    name: `The listing of ${what} in ${LAKE_FORMATION}`,
    size: PAGE_SIZE,
    smallerSize: SMALLER_PAGE_SIZE,
    async request(token, size) {
      // Filters of rows and cells are permissions of their own.
      const related = table === undefined ? {} : { IncludeRelated: 'TRUE' }
      const page = { ...input, ...related, MaxResults: size, ...omitEmpty({ NextToken: token }) }
      return await call(catalog, 'ListPermissions', page, { shape: permissionsAnswer, what })
    },
    getToken: (page) => page.NextToken,
  })
  const permissions: LakePermission[] = []
  for await (const { PrincipalResourcePermissions: some } of pages) {
    permissions.push(...(some ?? []))
    if (permissions.length > PERMISSIONS_MAX) {
      throw new SourceFailure('too_large', `${LAKE_FORMATION} has too many of ${what}`)
    }
  }
  return permissions
}

/** Reads the administrators of the data lake. Errors: SourceFailure. */
export async function readAdministrators(catalog: GlueCatalog): Promise<LakeAdministrators> {
  const expected = { shape: settingsAnswer, what: 'the settings of the data lake' }
  const { DataLakeSettings: settings } = await call(catalog, 'GetDataLakeSettings', {}, expected)
  return {
    administrators: listNames(settings.DataLakeAdmins),
    readers: listNames(settings.ReadOnlyAdmins),
  }
}

function listNames(some: z.infer<typeof principal>[] | null | undefined): string[] {
  return (some ?? []).map(({ DataLakePrincipalIdentifier: name }) => name)
}

async function call<Shape extends z.ZodType>(
  { lakeFormation, configuration }: GlueCatalog,
  operation: 'ListPermissions' | 'GetDataLakeSettings',
  input: object,
  { shape, what }: { shape: Shape; what: string },
): Promise<z.infer<Shape>> {
  const result = await lakeFormation.call(
    {
      url: getEndpoint(configuration, 'lakeformation', operation),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ CatalogId: configuration.catalogId, ...input }),
      operation,
    },
    shape,
  )
  if ('error' in result) throw toRequestFailure(LAKE_FORMATION, result.error, what)
  return result.value
}
