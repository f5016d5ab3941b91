// Shared by the readers of ODCS and DCS: servers and owners.

import { getServerPlatform } from '../schema/types/platform.ts'
import type { Platform } from '../schema/types/native-type.ts'
import type { Server } from './data-contract.ts'
import { nonBlankText } from '../data-product/fields.ts'
import type { ReadOptions } from '../shape/inspect.ts'
import type { Notes } from '../text/problem.ts'
import { getField, type ObjectValue, type Path, put, valueAt } from '../text/value.ts'
import { hasVariable } from '../text/variables.ts'
import { customText } from './custom-properties.ts'

/** The warning for a data contract without an owner. */
export const NO_OWNER =
  'No team owns this data contract, so only organization owners can edit it. Set the id of the owning team here, or send it as ?owner=.'

/** Returns whether the path of an owner is that of a domain, which names the owner only if nothing else does. */
export function isDomainPath([name, ...more]: Path): boolean {
  return more.length === 0 && (name === 'domain' || name === 'datasetDomain')
}

/**
 * Returns the team that owns a data contract: the one that the document names, or else the one in the options. A
 * missing owner is a warning, unless it was accepted before.
 */
export function readContractOwner(
  value: ObjectValue,
  place: Path,
  notes: Notes,
  { owner, ownerOverDomain, isAccepted = false }: ReadOptions,
): string | undefined {
  const preferred = isDomainPath(place) ? ownerOverDomain : undefined
  const written = nonBlankText(valueAt(value, place))
  // The value of a variable is unknown.
  const known = hasVariable(written) ? undefined : written
  const stated = preferred ?? known ?? owner ?? ownerOverDomain
  if (stated === undefined && !isAccepted) notes.warning(place, NO_OWNER)
  return stated
}

/** Reads the properties of a server that have the same name in both formats. */
export function readServer(name: string, raw: ObjectValue, origin: string): Server {
  const server: Server = { name, properties: raw, origin }
  put(server, 'type', nonBlankText(getField(raw, 'type')))
  put(server, 'environment', nonBlankText(getField(raw, 'environment')))
  put(server, 'description', nonBlankText(getField(raw, 'description')))
  return server
}

/**
 * Returns the type of a server. A custom server may have the name of its product in its custom property `customType`, which
 * is then its type.
 */
export function getServerType({
  type,
  properties,
}: Pick<Server, 'type' | 'properties'>): string | undefined {
  const own = nonBlankText(type)?.trim()
  if (own?.toLowerCase() !== 'custom') return own
  const named =
    customText(getField(properties, 'customProperties'), 'customType') ??
    nonBlankText(getField(properties, 'customType'))
  return named?.trim() ?? own
}

/**
 * The languages of specifications whose models are tables: their types are those of a database, and their namespaces are
 * schemas. Those of other languages and of ODCS and DCS are namespaces of messages.
 */
export const TABLE_LANGUAGES: ReadonlySet<string | undefined> = new Set([
  'bigquery',
  'dbt',
  'sql-ddl',
])

/** Returns the first server with a supported type, and its platform. */
export function findPlatform(servers: readonly Server[]): {
  serverType: string | undefined
  platform: Platform | undefined
} {
  for (const server of servers) {
    const type = getServerType(server)
    const platform = getServerPlatform(type)
    if (platform !== undefined) return { serverType: type, platform }
  }
  return { serverType: undefined, platform: undefined }
}
