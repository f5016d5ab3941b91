/**
 * The shapes of answers, as far as they are used. AWS Glue:
 * https://docs.aws.amazon.com/glue/latest/webapi/API_GetTables.html. Lake Formation:
 * https://docs.aws.amazon.com/lake-formation/latest/APIReference/API_GetResourceLFTags.html. AWS STS:
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html.
 */

import { z } from 'zod'
import { parseCount } from '../asset-parts.ts'

const name = z.string().min(1)
const text = z.string().nullish()
const parameters = z.record(z.string(), z.unknown()).nullish()

const database = z.object({
  Name: name,
  Description: text,
  LocationUri: text,
  /** Only links to a database of another catalog have a target. */
  TargetDatabase: z.object({}).nullish(),
})

/** One page of databases. */
export const databasesAnswer = z.object({ DatabaseList: z.array(database), NextToken: text })

/** One page of tables. Each is parsed by itself, so that one cannot hide the others. */
export const tablesAnswer = z.object({ TableList: z.array(z.unknown()), NextToken: text })

/** One table, parsed like those of a page. */
export const tableAnswer = z.object({ Table: z.unknown() })

/** The name of a table that cannot be parsed further. */
export const namedTable = z.object({ Name: name, TableType: text.catch(undefined) })

const column = z.object({ Name: z.string(), Type: text, Comment: text, Parameters: parameters })

/** The statement of a view in one dialect. */
const representation = z.object({ Dialect: text, ViewOriginalText: text, ViewExpandedText: text })

const target = z.object({ CatalogId: text, DatabaseName: name, Name: name, Region: text })

/** A table, a view, or a link to a table. */
export const glueTable = z.object({
  Name: name,
  Description: text,
  Owner: text,
  TableType: text,
  UpdateTime: z.unknown().optional(),
  StorageDescriptor: z.object({ Columns: z.array(column).nullish(), Location: text }).nullish(),
  PartitionKeys: z.array(column).nullish(),
  Parameters: parameters,
  ViewOriginalText: text,
  ViewExpandedText: text,
  /** Only views for several engines have it. */
  ViewDefinition: z.object({ Representations: z.array(representation).nullish() }).nullish(),
  TargetTable: target.nullish(),
})

const tags = z.array(z.object({ TagKey: name, TagValues: z.array(z.string()).nullish() })).nullish()

/** The tags of a database, or of a table with its columns. */
export const tagsAnswer = z.object({
  LFTagOnDatabase: tags,
  LFTagsOnTable: tags,
  LFTagsOnColumns: z.array(z.object({ Name: name, LFTags: tags })).nullish(),
})

// A header cannot contain other characters.
const headerText = z.string().regex(/^[\x21-\x7E]+$/)

/** The keys of a role. `Expiration` is in seconds since 1970. */
export const roleAnswer = z.object({
  AssumeRoleResponse: z.object({
    AssumeRoleResult: z.object({
      Credentials: z.object({
        AccessKeyId: headerText,
        SecretAccessKey: headerText,
        SessionToken: headerText,
        Expiration: z.number(),
      }),
    }),
  }),
})

/** The identity of a key. */
export const identityAnswer = z.object({
  GetCallerIdentityResponse: z.object({
    GetCallerIdentityResult: z.object({ Arn: z.string().startsWith('arn:').max(2048) }),
  }),
})

/** A rejected request. The protocols of AWS spell its parts differently. */
export const errorAnswer = z.object({
  __type: text,
  code: text,
  message: text,
  Message: text,
  Error: z.object({ Code: text, Message: text }).nullish(),
})

/** A table, parsed. */
export type GlueTable = z.infer<typeof glueTable>
/** A column, parsed. */
export type GlueColumn = z.infer<typeof column>
/** The tags of one database, table or column, parsed. */
export type LakeFormationTags = z.infer<typeof tags>

/** The parameters of a table or a column: texts that engines and crawlers add. */
export class Parameters {
  readonly #values: Readonly<Record<string, unknown>>

  constructor(values: GlueTable['Parameters']) {
    this.#values = values ?? {}
  }

  /** Returns a text; undefined = it is absent or empty. */
  get(name: string): string | undefined {
    const value = Object.hasOwn(this.#values, name) ? this.#values[name] : undefined
    return typeof value === 'string' && value !== '' ? value : undefined
  }

  /** Returns the first of these parameters that is a count; engines write -1 for unknown. */
  getCount(...names: readonly string[]): number | undefined {
    return names.map((name) => parseCount(this.get(name))).find((count) => count !== undefined)
  }
}
