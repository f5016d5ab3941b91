// What reading ODCS and reading DCS have in common: servers, and the advice that messages give.

import { platformOf } from '../schema/types/platform.ts'
import type { Platform } from '../schema/types/native-type.ts'
import type { Server } from './data-contract.ts'
import { filled } from '../data-product/fields.ts'
import { fieldOf, type ObjectValue, put } from '../value.ts'

/** What to do when a document names no owner. */
export const OWNER_ADVICE = 'give the id of the team that owns the data contract'

/** Reads what both formats call the same about a server. */
export function readServer(name: string, raw: ObjectValue, origin: string): Server {
  const server: Server = { name, properties: raw, origin }
  put(server, 'type', filled(fieldOf(raw, 'type')))
  put(server, 'environment', filled(fieldOf(raw, 'environment')))
  put(server, 'description', filled(fieldOf(raw, 'description')))
  return server
}

/** Gives the first server whose types are known, and its platform. */
export function platformAmong(servers: readonly Server[]): {
  serverType: string | undefined
  platform: Platform | undefined
} {
  for (const { type } of servers) {
    const platform = platformOf(type)
    if (platform !== undefined) return { serverType: type, platform }
  }
  return { serverType: undefined, platform: undefined }
}
