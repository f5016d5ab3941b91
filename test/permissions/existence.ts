/** Resources of a team, and every route of each: what a caller may not read exists for no other verb either. */

import { RECORDS } from '../../formats/record/kinds.ts'
import { PLAIN_RECORDS } from '../../formats/record/plain-kinds.ts'
import { addAgreement } from '../agreements.ts'
import { readJson } from '../answers.ts'
import { addFinding, addPromise } from '../drift.ts'
import { addAccessFinding } from '../grant-world.ts'
import { addIntegration } from '../integrations.ts'
import { addPlainRecord, toPlainPath } from '../plain-records.ts'
import { hasOwner } from '../records.ts'
import { addWebhook } from '../webhooks.ts'
import { uniqueId, type World } from '../world.ts'
import { assignableTag, existingOne, existingIncident, existingResult } from './requests.ts'

/** A kind of resource that a team owns. */
export interface OwnedResource {
  /** The beginning of the routes on one resource. */
  routes: string
  /** The route that shows it, if it is not `routes`. */
  shown?: string
  /** Creates a resource of a team; null = of the organization. Returns the parameters of its paths. */
  create: (world: World, owner: string | null) => Promise<Record<string, string>>
  /** Whether a resource need not have a team. */
  mayBeUnowned?: true
}

const ofRoom =
  (room: string): OwnedResource['create'] =>
  async (world, owner) => {
    const { path } = await existingOne(room, owner ?? '')(world)
    return { id: path.slice(`/api/${room}/`.length), portId: 'out', tagId: 'none', branch: 'b' }
  }

const asset: OwnedResource['create'] = async (world, owner) => {
  const [, id = '', tagId = ''] =
    /^\/api\/assets\/(.*)\/assigned-tags\/(.*)$/.exec(
      (await assignableTag(owner ?? '')(world)).path,
    ) ?? []
  return { id, tagId }
}

const integration: OwnedResource['create'] = async (world, owner) => {
  const externalId = await addIntegration(world, owner)
  const started = world.as('O', 'POST', `/api/integrations/${externalId}/run`)
  const { ingestionRunId } = await readJson<{ ingestionRunId: string }>(started, 202)
  return { externalId, ingestionRunId }
}

const webhook: OwnedResource['create'] = async (world, owner) => {
  const { id } = await addWebhook(world, { teamId: owner, url: 'https://192.0.2.1/hook' })
  const sent = world.as('O', 'POST', `/api/webhooks/${id}/test`)
  const { deliveryId } = await readJson<{ deliveryId: string }>(sent, 202)
  return { id, deliveryId }
}

const agreement: OwnedResource['create'] = async (world, owner) => {
  const path = await addAgreement(world, { owner: owner ?? 'b' })
  await world.as('O', 'POST', `${path}/provisioning/provisioning-started`, { body: {} })
  return { id: path.slice('/api/access/'.length) }
}

const channel: OwnedResource['create'] = async (world, owner) => {
  const [kind] = PLAIN_RECORDS.filter(({ holder }) => holder.by === 'team')
  if (kind === undefined) throw new Error('no kind of plain record belongs to a team')
  const team = owner ?? 'b'
  const path = toPlainPath(kind, await addPlainRecord(world, kind, { id: uniqueId(), team }), team)
  return { id: team, channelId: path.slice(path.lastIndexOf('/') + 1) }
}

/** Every kind of resource that a team owns. */
export const OWNED_RESOURCES: readonly OwnedResource[] = [
  { routes: '/api/dataproducts/{id}', create: ofRoom('dataproducts') },
  { routes: '/api/datacontracts/{id}', create: ofRoom('datacontracts'), mayBeUnowned: true },
  { routes: '/api/assets/{id}', create: asset, mayBeUnowned: true },
  { routes: '/ui/assets/{id}', create: asset, mayBeUnowned: true },
  ...RECORDS.filter(hasOwner).map(({ collection }) => ({
    routes: `${collection}/{id}`,
    create: ofRoom(collection.slice('/api/'.length)),
  })),
  ...PLAIN_RECORDS.filter(({ holder, id }) => holder.by !== 'team' && id === 'of the client').map(
    (kind): OwnedResource => ({
      routes: `/api/${kind.collection}/{id}`,
      create: async (world, owner) => {
        const path = toPlainPath(
          kind,
          await addPlainRecord(world, kind, { id: uniqueId(), team: owner ?? 'b' }),
          '',
        )
        return { id: path.slice(path.lastIndexOf('/') + 1) }
      },
    }),
  ),
  {
    routes: '/api/teams/{id}/notification-channels/{channelId}',
    create: channel,
  },
  {
    routes: '/ui/teams/{id}/',
    shown: '/api/teams/{id}/notification-channels/{channelId}',
    create: channel,
  },
  {
    routes: '/api/teams/{id}',
    create: async (_, owner) => ({ id: owner ?? 'b', channelId: 'none' }),
  },
  { routes: '/api/integrations/{externalId}', create: integration, mayBeUnowned: true },
  { routes: '/api/integrations/ingest/{externalId}', create: integration, mayBeUnowned: true },
  { routes: '/ui/integrations/{externalId}', create: integration, mayBeUnowned: true },
  { routes: '/api/webhooks/{id}', create: webhook, mayBeUnowned: true },
  { routes: '/api/access/{id}', create: agreement },
  { routes: '/api/datausageagreements/{id}', create: agreement },
  { routes: '/ui/access/{id}', shown: '/api/access/{id}', create: agreement },
  {
    routes: '/api/test-results/{id}',
    create: async (world, owner) => {
      const { path } = await existingResult(owner ?? '')(world)
      return { id: path.slice(path.lastIndexOf('/') + 1) }
    },
    mayBeUnowned: true,
  },
  {
    routes: '/api/incidents/{id}',
    create: async (world, owner) => {
      const { path } = await existingIncident(owner ?? '')(world)
      return { id: path.slice(path.lastIndexOf('/') + 1) }
    },
    mayBeUnowned: true,
  },
  {
    routes: '/api/datacontracts/{id}/links/{server}/{model}',
    shown: '/api/datacontracts/{id}',
    create: async (world, owner) => {
      const { path } = await existingOne('datacontracts', owner ?? '')(world)
      const id = path.slice(path.lastIndexOf('/') + 1)
      await addPromise(world, id)
      return { id, server: 'production', model: 'orders' }
    },
    mayBeUnowned: true,
  },
  {
    routes: '/api/access-findings/{id}',
    create: async (world, owner) => ({ id: await addAccessFinding(world, owner ?? '') }),
  },
  {
    routes: '/api/drift/{id}',
    create: async (world, owner) => {
      const { path } = await existingOne('datacontracts', owner ?? '')(world)
      return { id: await addFinding(world, path.slice(path.lastIndexOf('/') + 1)) }
    },
    mayBeUnowned: true,
  },
]

/** Fills the parameters of a path; a parameter that a resource lacks is an error. */
export function fillPath(path: string, parameters: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name]
    if (value === undefined) throw new Error(`${path} needs ${name}`)
    return value
  })
}
