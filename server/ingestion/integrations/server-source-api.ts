import { z } from '@hono/zod-openapi'
import { isServerOfSource, listSources } from '../../../formats/data-contract/server-address.ts'
import type { ObjectValue, Value } from '../../../formats/text/value.ts'
import { listContractServers } from '../../catalog/data-contracts/read-service.ts'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { configurationParts } from './integration.ts'
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
        const { configuration } = configurationParts(stored)
        return isServerOfSource(server, { source, configuration: toValues(configuration) })
      }),
    }))
    const found = answer.filter(({ integrations: own }) => own.length > 0)
    return jsonAnswer(200, serverSources, { servers: found })
  },
}

// The fields of an address are texts, numbers and lists of texts.
function toValues(configuration: Readonly<Record<string, unknown>>): ObjectValue {
  return Object.fromEntries(
    Object.entries(configuration).flatMap(([name, value]): [string, Value][] => {
      if (typeof value === 'string' || typeof value === 'number') return [[name, value]]
      if (!Array.isArray(value)) return []
      return [[name, value.filter((item) => typeof item === 'string')]]
    }),
  )
}
