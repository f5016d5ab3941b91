import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { listPortExamples } from './service.ts'

const portExamples = z
  .array(
    z.object({
      id: z.string(),
      outputPortId: z.string().nullable(),
      dataContractId: z.string().nullable(),
      bytes: z.int(),
    }),
  )
  .openapi('PortExamples')

const examplesQuery = z.object({ dataProductId: z.string('is required') })

/** `GET /ui/example-data`: lists the example data of a data product without the data. */
export const getPortExamples: Endpoint<never, z.infer<typeof examplesQuery>> = {
  operation: 'getPortExamples',
  summary: 'List the example data of a data product without the data',
  permission: 'a session',
  query: examplesQuery,
  answers: { 200: { description: 'The example data of each port', schema: portExamples } },
  async handle({ services, caller, query }) {
    const examples = await listPortExamples(services, caller, query.dataProductId)
    return jsonAnswer(200, portExamples, examples)
  },
}
