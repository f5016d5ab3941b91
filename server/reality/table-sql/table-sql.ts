import { z } from '@hono/zod-openapi'

/** The statements that make a table keep a contract, and what they leave out. */
export const tableSql = z
  .object({
    dialect: z.string().openapi({ description: 'The product, for people: `PostgreSQL`' }),
    sql: z.string().openapi({ description: 'Empty if no statement changes the table' }),
    notes: z.array(z.object({ field: z.string(), message: z.string() })).openapi({
      description: 'What the statements need or leave out; `field` is empty for the table',
    }),
  })
  .openapi('TableSql')

/** The statements that make a table keep a contract, and what they leave out. */
export type TableSql = z.infer<typeof tableSql>

/** A promise with its table and the breaking differences between them. */
export interface DifferingTable {
  /** The platform of the server, as the promise has it. */
  platform: string | null
  /** The names of the table as a JSON list: of the asset, or else where the server points; null = neither is given. */
  path: string | null
  /** The document of the linked asset as JSON; null = no asset is linked. */
  asset: string | null
  findings: { field: string; aspect: string }[]
}
