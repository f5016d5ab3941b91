import { z } from '@hono/zod-openapi'
import { EVENT_TYPES } from './lineage-event.ts'

// The members of https://openlineage.io/spec/2-0-2/OpenLineage.json, for the OpenAPI document. Events are read by
// `lineage-event.ts`, which is more tolerant.

const facets = z.looseObject({}).nullish()

const dataset = z.looseObject({ namespace: z.string(), name: z.string(), facets })

const FACET = { _producer: z.string().optional(), _schemaURL: z.string().optional() }

const DATASET_FACETS = {
  entropy_data: z
    .looseObject({ ...FACET, assetId: z.string().optional() })
    .optional()
    .openapi({ description: 'The asset of the catalog that the dataset is' }),
}

const input = dataset.extend({
  facets: z.looseObject(DATASET_FACETS).nullish(),
  inputFacets: facets,
})
const output = dataset.extend({
  facets: z.looseObject(DATASET_FACETS).nullish(),
  outputFacets: facets,
})

const RUN_FACETS = {
  entropy_data: z
    .looseObject({
      ...FACET,
      dataProductId: z.string().optional(),
      outputPortName: z.string().optional(),
      outputPortId: z.string().optional(),
    })
    .optional()
    .openapi({ description: 'The data product and the output port of the run' }),
}

/** A run, job or dataset event of OpenLineage, as the OpenAPI document describes it. */
export const lineageEvent = z
  .looseObject({
    eventType: z.enum(EVENT_TYPES).optional().openapi({ description: 'Of a run event' }),
    eventTime: z.string().optional().openapi({ format: 'date-time' }),
    producer: z.string().optional(),
    schemaURL: z.string().optional(),
    run: z
      .looseObject({ runId: z.string(), facets: z.looseObject(RUN_FACETS).nullish() })
      .optional()
      .openapi({ description: 'Of a run event' }),
    job: z
      .looseObject({ namespace: z.string(), name: z.string(), facets })
      .optional()
      .openapi({ description: 'Of a run or job event' }),
    dataset: dataset.optional().openapi({ description: 'Of a dataset event' }),
    inputs: z.array(input).nullish(),
    outputs: z.array(output).nullish(),
  })
  .openapi('LineageEvent', { description: 'An event as it was sent, with all its facets' })
