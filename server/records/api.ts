import type { z } from '@hono/zod-openapi'
import type { RecordName } from '../../formats/record/kinds.ts'
import type { FoundDocument } from '../documents/document.ts'
import { getQuery, listQuery } from '../documents/query.ts'
import { getDocument } from '../documents/read-service.ts'
import type { Services } from '../http/endpoint.ts'

/** The filters of a list of records, which have neither a domain nor a status. */
export const listRecords = {
  query: listQuery.omit({ domainId: true, status: true }),
  getOwnFilters: () => ({}),
}

/** Creates the lookup of records of a kind. They are returned as they were sent. */
export function createRecordLookup(kind: RecordName) {
  return {
    query: getQuery,
    async find(
      { db }: Services,
      organizationId: string,
      id: string,
      { asOf }: z.infer<typeof getQuery>,
    ): Promise<FoundDocument> {
      const stored = await getDocument(db, kind, organizationId, id, asOf)
      return { stored, sentIn: stored.format }
    },
  }
}
