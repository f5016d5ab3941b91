/** The events of access agreements in the feed. */

import { eventsSoFar } from './feed.ts'
import type { World } from './world.ts'

/** An agreement as clients see it. */
export interface SeenAgreement {
  id?: string
  info: {
    status: string
    active: boolean
    purpose: string
    startDate?: string
    endDate?: string
    nextReassessmentDate?: string
  }
  provider: { teamId: string; dataContractId?: string; dataContractVersion?: string }
  consumer: { dataProductId?: string; teamId?: string; userId?: string }
  roles?: string[]
  provisioning?: { status: string }
}

/** An event of an agreement, with its documents. */
export interface AccessEvent {
  type: string
  subject: string
  time: string
  principal: string
  data: {
    version: number
    status?: string
    platform?: string
    before?: SeenAgreement | null
    after?: SeenAgreement | null
  }
}

/** Lists the events of an agreement in the order of the feed. */
export async function listAccessEvents(world: World, path: string): Promise<AccessEvent[]> {
  const id = path.split('/').at(-1)
  return (await listAllEvents(world)).filter(({ subject }) => subject === id)
}

/** Lists the names of the events of an agreement, `Created`, in the order of the feed. */
export async function listAccessEventNames(world: World, path: string): Promise<string[]> {
  return (await listAccessEvents(world, path)).map(toName)
}

/** Returns the name of an event without the parts that all have: `Created`. */
export function toName({ type }: Pick<AccessEvent, 'type'>): string {
  return type.replace(/^.*\.Access/, '').replace(/Event$/, '')
}

/** Lists all events of an organization so far, with documents. */
export async function listAllEvents(world: World): Promise<AccessEvent[]> {
  return (await eventsSoFar(world, { include: 'document' })) as AccessEvent[]
}
