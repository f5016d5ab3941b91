import { z } from '@hono/zod-openapi'
import { isServerOfSource, listSources } from '../../../formats/data-contract/server-address.ts'
import { listContractServers } from '../../catalog/data-contracts/read-service.ts'
import { readFields } from '../../reality/links/address.ts'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { listVisibleOfSources } from './service.ts'

const serverSources = z
  .object({
    servers: z.array(
      z.object({
        name: z.string(),
        integrations: z
          .array(z.object({ externalId: z.string(), name: z.string(), source: z.string() }))
          .openapi({ description: 'Those that read the same address' }),
      }),
    ),
  })
  .openapi('ServerSources')

/** `GET /ui/datacontracts/{id}/server-sources`: the integrations that read the servers of a contract. */
export const getServerSources: Endpoint<'id'> = {
  operation: 'getServerSources',
  summary: 'List the integrations that read the servers of a data contract',
  description:
    'Servers and integrations are the same place if their addresses are equal. An address with a variable, `${HOST}`, equals none.',
  lane: 'scan',
  permission: 'a session',
  answers: { 200: { description: 'The servers with such integrations', schema: serverSources } },
  async handle({ services, caller, params: { id } }) {
    const servers = (await listContractServers(services, caller.organizationId, id)).map(
      ({ name, type, properties }) => ({
        name,
        properties,
        origin: '',
        ...(type !== null && { type }),
      }),
    )
    const sources = [...new Set(servers.flatMap(listSources))]
    const integrations = await listVisibleOfSources(services.db, caller, sources)
    const answer = servers.map((server) => ({
      name: server.name,
      integrations: integrations.filter(({ source, configuration: stored }) => {
        return isServerOfSource(server, { source, configuration: readFields(stored) })
      }),
    }))
    const found = answer.filter(({ integrations: own }) => own.length > 0)
    return jsonAnswer(200, serverSources, { servers: found })
  },
}
