import { z } from '@hono/zod-openapi'
import { findIdProblem } from '../../../formats/name/document-id.ts'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import {
  createSizeParameter,
  PAGE_ELEMENTS_MAX,
  pageParameter,
} from '../../requests/http/paging.ts'
import { createPeriodParameters } from '../../requests/http/period.ts'
import { BATCH_EVENTS_MAX, batchResult } from './batch.ts'
import { EVENT_BYTES_MAX, EVENT_TYPES, type EventProduct } from './lineage-event.ts'
import { lineageEvent } from './event-schema.ts'
import { deleteEvents, listEvents, recordBatch, recordEvent } from './service.ts'

const productId = z
  .string()
  .refine((id) => findIdProblem(id) === undefined, 'must be the id of a data product')
  .optional()

const recordQuery = z.object({
  dataProductId: productId.openapi({
    description:
      'The data product of the event; it need not exist yet. It replaces the one in `run.facets.entropy_data`',
  }),
  outputPortName: z.string().optional().openapi({ description: 'The output port of the product' }),
  outputPortId: z
    .string()
    .optional()
    .openapi({ description: 'The same; the name has priority if both are given' }),
})

/** `POST /api/v1/lineage`: stores an event of OpenLineage. */
export const postLineageEvent: Endpoint<never, z.infer<typeof recordQuery>> = {
  operation: 'postLineageEvent',
  summary: 'Store an OpenLineage event',
  description:
    'Takes run, job and dataset events of every version of OpenLineage. An event is stored as it was sent and kept for 90 days. One that was sent twice is stored twice.',
  permission: { needs: ['DATAPRODUCT_EDIT'], on: 'the team of the data product, if it exists' },
  query: recordQuery,
  body: {
    content: 'document',
    mediaTypes: ['application/json'],
    bytesMax: EVENT_BYTES_MAX,
    acceptsGzip: true,
    schema: lineageEvent,
    description: 'The event.',
  },
  answers: { 201: { description: 'The event is stored' } },
  async handle({ services, caller, query, body }) {
    await recordEvent(services, caller, body.text, toEventProduct(query))
    // An empty text is sent with its length; a missing body would be sent in chunks.
    return { status: 201, body: '' }
  },
}

/** `POST /api/v1/lineage/batch`: stores a list of events of OpenLineage. */
export const postLineageBatch: Endpoint<never, z.infer<typeof recordQuery>> = {
  operation: 'postLineageBatch',
  summary: 'Store a batch of OpenLineage events',
  description: `A JSON array of at most ${BATCH_EVENTS_MAX} events. Each is stored or rejected on its own; the answer lists those that were rejected.`,
  permission: { needs: ['DATAPRODUCT_EDIT'], on: 'the teams of the data products that exist' },
  query: recordQuery,
  body: {
    content: 'document',
    mediaTypes: ['application/json'],
    bytesMax: EVENT_BYTES_MAX,
    acceptsGzip: true,
    schema: z.array(lineageEvent),
    description: 'The events.',
  },
  answers: { 200: { description: 'Which events were stored', schema: batchResult } },
  async handle({ services, caller, query, body }) {
    const product = toEventProduct(query)
    return jsonAnswer(200, batchResult, await recordBatch(services, caller, body.text, product))
  },
}

function toEventProduct(query: z.infer<typeof recordQuery>): EventProduct {
  const { dataProductId, outputPortName, outputPortId } = query
  return { productId: dataProductId, outputPort: outputPortName || outputPortId || undefined }
}

const listQuery = z.object({
  jobNamespace: z.string().optional(),
  jobName: z.string().optional(),
  runId: z.string().optional(),
  eventType: z.enum(EVENT_TYPES, `must be one of ${EVENT_TYPES.join(', ')}`).optional(),
  dataProductId: z.string().optional(),
  ...createPeriodParameters('Only events with an `eventTime`, or without one an arrival,'),
  p: pageParameter,
  size: createSizeParameter(PAGE_ELEMENTS_MAX),
})

/** `GET /api/v1/lineage`: events as they were sent. */
export const listLineageEvents: Endpoint<never, z.infer<typeof listQuery>> = {
  operation: 'listLineageEvents',
  summary: 'List OpenLineage events, newest first',
  permission: 'any key',
  query: listQuery,
  answers: {
    200: {
      description: 'At most `size` events as they were sent',
      schema: z.array(lineageEvent),
      headers: { link: 'The next page, when there is one' },
    },
  },
  async handle({ services, caller, query, path, search }) {
    const { p: page, size: elementsMax, dataProductId, ...filter } = query
    const { organizationId } = caller
    const all = { ...filter, productId: dataProductId }
    return await listEvents(services, organizationId, all, { path, search, page, elementsMax })
  },
}

const filled = z.string().min(1, 'must not be empty').optional()

const deleteQuery = z
  .object({
    runId: filled.openapi({ description: 'Deletes the events of this run' }),
    jobNamespace: filled.openapi({ description: 'With jobName: deletes the events of this job' }),
    jobName: filled,
  })
  .superRefine(({ jobNamespace, jobName }, context) => {
    if ((jobNamespace === undefined) === (jobName === undefined)) return
    const missing = jobName === undefined ? 'jobName' : 'jobNamespace'
    const message = 'is missing: jobNamespace and jobName name a job together'
    context.addIssue({ code: 'custom', path: [missing], message })
  })

const deletion = z.object({ deletedCount: z.int().min(0) }).openapi('Deletion')

/** `DELETE /api/v1/lineage`: deletes the events of a run, of a job, or all. */
export const deleteLineageEvents: Endpoint<never, z.infer<typeof deleteQuery>> = {
  operation: 'deleteLineageEvents',
  summary: 'Delete OpenLineage events',
  description: 'Without a run and a job, it deletes all events of the organization.',
  lane: 'bulk',
  permission: { needs: ['DATAPRODUCT_DELETE'], on: 'the organization' },
  query: deleteQuery,
  isFiltered: true,
  answers: { 200: { description: 'The number of deleted events', schema: deletion } },
  async handle({ services, caller, query, requestId }) {
    const deletedCount = await deleteEvents(services, caller, query, requestId)
    return jsonAnswer(200, deletion, { deletedCount })
  },
}
