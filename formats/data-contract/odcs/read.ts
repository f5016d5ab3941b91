// Reads ODCS documents, the Open Data Contract Standard of bitol.io, versions 2.2 and 3.

import { checkId, nonBlankText, listObjects, listTexts } from '../../data-product/fields.ts'
import { readContext, readReplacedBy } from '../../data-product/guidance.ts'
import type { ReadOptions } from '../../shape/inspect.ts'
import type { Notes } from '../../text/problem.ts'
import type { Platform } from '../../schema/types/native-type.ts'
import { getField, type ObjectValue, put, asText } from '../../text/value.ts'
import { type Value, valueAt } from '../../text/value.ts'
import { customText } from '../custom-properties.ts'
import { findPlatform, readContractOwner, readServer } from '../contract-fields.ts'
import type { ContractFacts, Server, ServiceLevel } from '../data-contract.ts'
import { isOdcs2 } from '../detect.ts'
import { odcsOwnerPath } from '../owner-path.ts'

/**
 * Reads an ODCS document except its models; reports problems that its shape does not cover. Values of a wrong type
 * are ignored.
 */
export function readOdcs(value: ObjectValue, options: ReadOptions, notes: Notes): ContractFacts {
  const { id } = options
  const idPlaces = isOdcs2(value) ? [['id'], ['uuid']] : [['id']]
  const idPlace = idPlaces.find((place) => asText(valueAt(value, place)) !== undefined) ?? ['id']
  checkId(asText(valueAt(value, idPlace)), idPlace, id, notes)
  const contract: ContractFacts = {
    format: 'odcs',
    formatVersion: asText(getField(value, 'apiVersion')),
    id,
    name: readName(value) ?? id,
    tags: listTexts(getField(value, 'tags')),
    servers: readServers(value),
    serviceLevels: readServiceLevels(value),
    quality: [],
  }
  put(contract, 'ownerTeamId', readContractOwner(value, odcsOwnerPath(value), notes, options))
  put(contract, 'version', nonBlankText(getField(value, 'version')))
  put(contract, 'status', nonBlankText(getField(value, 'status')))
  const domain =
    nonBlankText(getField(value, 'domain')) ?? nonBlankText(getField(value, 'datasetDomain'))
  put(contract, 'domain', domain)
  put(contract, 'description', nonBlankText(valueAt(value, ['description', 'purpose'])))
  put(contract, 'context', readContext(getField(value, 'context')))
  put(contract, 'replacedBy', readReplacedBy(getField(value, 'customProperties')))
  const customLevels = readCustomLevels(value)
  if (customLevels.length > 0) contract.customLevels = customLevels
  return contract
}

/** Returns the platform of a document's data; undefined if its servers have different ones. */
export function odcsPlatform(value: ObjectValue): Platform | undefined {
  return findPlatform(readServers(value)).platform
}

// Version 2.2 has no name, but names for the product and for its data.
function readName(value: ObjectValue): string | undefined {
  const name = nonBlankText(getField(value, 'name'))
  if (name !== undefined || !isOdcs2(value)) return name
  return (
    nonBlankText(getField(value, 'quantumName')) ?? nonBlankText(getField(value, 'datasetName'))
  )
}

function readServers(value: ObjectValue): Server[] {
  const servers = listObjects(getField(value, 'servers')).map(({ item, at }) =>
    customTyped(
      readServer(
        nonBlankText(getField(item, 'server')) ?? `servers[${at}]`,
        item,
        `/servers/${at}`,
      ),
    ),
  )
  // Version 2.2 has one location, in several fields of the document.
  const type = nonBlankText(getField(value, 'sourcePlatform'))
  if (servers.length > 0 || !isOdcs2(value) || type === undefined) return servers
  const names = ['sourceSystem', 'server', 'project', 'database', 'driver', 'driverVersion']
  const properties = Object.fromEntries(
    names.flatMap((name): [string, Value][] => {
      const member = getField(value, name)
      return member === undefined ? [] : [[name, member]]
    }),
  )
  const name = nonBlankText(getField(value, 'server')) ?? type
  return [{ name, type: type.toLowerCase(), properties, origin: '/sourcePlatform' }]
}

// A type that is not in the standard is a custom property.
function customTyped(server: Server): Server {
  const type = customText(getField(server.properties, 'customProperties'), 'customType')
  return server.type === 'custom' && type !== undefined ? { ...server, type } : server
}

function readServiceLevels(value: ObjectValue): ServiceLevel[] {
  const fallback =
    nonBlankText(getField(value, 'slaDefaultElement')) ??
    nonBlankText(getField(value, 'slaDefaultColumn'))
  return listObjects(getField(value, 'slaProperties')).map(({ item, at }) => {
    const level: ServiceLevel = {
      property: nonBlankText(getField(item, 'property')) ?? `slaProperties[${at}]`,
      value: getField(item, 'value') ?? null,
      origin: `/slaProperties/${at}`,
    }
    put(level, 'unit', nonBlankText(getField(item, 'unit')))
    const element =
      nonBlankText(getField(item, 'element')) ?? nonBlankText(getField(item, 'column'))
    put(level, 'element', element ?? fallback)
    put(level, 'schedule', nonBlankText(getField(item, 'schedule')))
    return level
  })
}

// The custom property `freshness` of the contract, and of each model.
function readCustomLevels(value: ObjectValue): ServiceLevel[] {
  const models = listObjects(getField(value, 'schema')).map(({ item, at }) => ({
    properties: getField(item, 'customProperties'),
    place: `/schema/${at}/customProperties`,
    element: nonBlankText(getField(item, 'name')),
  }))
  const contract = {
    properties: getField(value, 'customProperties'),
    place: '/customProperties',
    element: undefined,
  }
  return [contract, ...models].flatMap(({ properties, place, element }) =>
    listObjects(properties).flatMap(({ item, at }) => {
      if (asText(getField(item, 'property')) !== 'freshness') return []
      const level: ServiceLevel = {
        property: 'freshness',
        value: getField(item, 'value') ?? null,
        origin: `${place}/${at}`,
      }
      put(level, 'element', element)
      return [level]
    }),
  )
}
