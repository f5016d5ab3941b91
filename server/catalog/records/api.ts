import { z } from '@hono/zod-openapi'
import type { DeclaredKind } from '../../../formats/record/kinds.ts'
import type { AlternativeForm } from '../../documents/alternative-form.ts'
import type { DocumentLookup } from '../../documents/document-type.ts'
import { getQuery, listQuery, SORTS, type ListQuery } from '../../documents/query.ts'
import { getDocument } from '../../documents/read-service.ts'
import { writeAlternative } from './task.ts'

type RecordLookup = DocumentLookup<z.infer<typeof getQuery>>

// Lists that clients read as a whole have so few elements that pages are only a guard.
const WHOLE_ELEMENTS_MAX = 10_000

/** Creates the parameters of the list of a kind: no filters that it does not have, and its usual order. */
export function createRecordList({ list, paths }: DeclaredKind): ListParameters {
  const filters = listQuery.omit({ domainId: true, domain: true, sort: true }).extend({
    sort:
      list === undefined
        ? listQuery.shape.sort
        : z
            .enum([...SORTS, list.order], `must be one of ${[...SORTS, list.order].join(', ')}`)
            .default(list.order),
  })
  const owned = paths.owner === undefined ? filters.omit({ owner: true, teamId: true }) : filters
  const withStatus = paths.status === undefined ? owned.omit({ status: true }) : owned
  return {
    query: paths.tags === undefined ? withStatus.omit({ tag: true }) : withStatus,
    getOwnFilters: () => ({}),
    ...(list?.isWhole === true && { elementsMax: WHOLE_ELEMENTS_MAX }),
  }
}

/** The parameters of a list of records. */
interface ListParameters {
  query: z.ZodType<ListQuery>
  getOwnFilters: () => Record<string, string | undefined>
  elementsMax?: number
}

/** Creates the lookup of records of a kind. They are returned as they were sent, or in the alternative form of the kind. */
export function createRecordLookup({ kind, alternative }: DeclaredKind): RecordLookup {
  return {
    query: getQuery,
    async find({ db }, organizationId, id, { asOf }) {
      const stored = await getDocument(db, kind, organizationId, id, asOf)
      return { stored, sentIn: stored.format }
    },
    ...(alternative !== undefined && { alternatives: [createAlternative(alternative)] }),
  }
}

function createAlternative({
  mediaType,
  form,
}: NonNullable<DeclaredKind['alternative']>): AlternativeForm {
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
