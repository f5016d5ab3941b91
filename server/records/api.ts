import type { z } from '@hono/zod-openapi'
import type { DeclaredKind } from '../../formats/record/kinds.ts'
import type { DocumentLookup } from '../documents/document-type.ts'
import { getQuery, listQuery } from '../documents/query.ts'
import { getDocument } from '../documents/read-service.ts'
import { writeAlternative } from './alternative.ts'

type RecordLookup = DocumentLookup<z.infer<typeof getQuery>>

/** The filters of a list of records, which have neither a domain nor a status. */
export const listRecords = {
  query: listQuery.omit({ domainId: true, status: true }),
  getOwnFilters: () => ({}),
}

/** Creates the lookup of records of a kind. They are returned as they were sent, or in the alternative form of the kind. */
export function createRecordLookup({ kind, alternative }: DeclaredKind): RecordLookup {
  return {
    query: getQuery,
    async find({ db }, organizationId, id, { asOf }) {
      const stored = await getDocument(db, kind, organizationId, id, asOf)
      return { stored, sentIn: stored.format }
    },
    ...(alternative !== undefined && { alternative: createAlternative(alternative) }),
  }
}

function createAlternative({
  mediaType,
  form,
}: NonNullable<DeclaredKind['alternative']>): NonNullable<RecordLookup['alternative']> {
  return {
    mediaType,
    async write({ offload }, organizationId, stored, id) {
      const text = { document: stored.document, mediaType: stored.mediaType }
      const input = { ...text, id, form }
      const options = JSON.stringify([id, form])
      return (await offload.runOnce(organizationId, writeAlternative, input, text, options)).text
    },
  }
}
