import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { createTableSql } from './service.ts'
import { tableSql } from './table-sql.ts'

const sqlQuery = z.object({ server: z.string(), model: z.string() })

/** `GET /api/datacontracts/{id}/drift/sql`: the SQL that makes a table keep its contract. */
export const getTableSql: Endpoint<'id', z.infer<typeof sqlQuery>> = {
  operation: 'getDataContractTableSql',
  summary: 'Write the SQL that makes a table keep a data contract',
  description:
    'The statements resolve the breaking differences that are not accepted, in the dialect of the table. They drop nothing, and Portbook never executes them.',
  permission: 'any key',
  query: sqlQuery,
  answers: {
    200: { description: 'The statements, and what they leave out', schema: tableSql },
    422: describeError(
      'The platform of the table has no SQL, or reading the documents takes too much time or memory',
    ),
  },
  async handle({ services, caller: { organizationId }, params: { id }, query }) {
    const written = await createTableSql(services, { organizationId, contractId: id, ...query })
    return jsonAnswer(200, tableSql, written)
  },
}
