// Reads DCS documents, the Data Contract Specification 0.9 to 1.2. Its support ends on 2026-12-31.

import { agreedText, checkId, nonBlankText, listTexts } from '../../data-product/fields.ts'
import type { ReadOptions } from '../../shape/inspect.ts'
import type { Notes } from '../../text/problem.ts'
import type { QualityCheck } from '../../schema/model.ts'
import { getField, isObject, type ObjectValue, pointerStep } from '../../text/value.ts'
import { put, asText, type Value } from '../../text/value.ts'
import { findPlatform, readContractOwner, readServer } from '../contract-fields.ts'
import type { ContractFacts, Server, ServiceLevel } from '../data-contract.ts'
import type { DcsPlatform } from './models.ts'
import { getSchemaType } from '../schema-type.ts'
import { DCS_OWNER_PATH } from '../owner-path.ts'

// The ODCS name of each service level, and the field with its value.
const LEVELS: readonly (readonly [name: string, property: string, values: readonly string[]])[] = [
  ['availability', 'generalAvailability', ['percentage']],
  ['retention', 'retention', ['period', 'unlimited']],
  ['latency', 'latency', ['threshold']],
  ['freshness', 'freshness', ['threshold']],
  ['frequency', 'frequency', ['interval', 'cron', 'type']],
  ['support', 'support', ['time', 'responseTime']],
  ['backup', 'backup', ['interval', 'cron', 'recoveryTime', 'recoveryPoint']],
]

/**
 * Reads a DCS document except its models; reports problems that its shape does not cover. Values of a wrong type are
 * ignored.
 */
export function readDcs(value: ObjectValue, options: ReadOptions, notes: Notes): ContractFacts {
  const { id } = options
  const info = getField(value, 'info')
  checkId(agreedText(value, [['id']], notes), ['id'], id, notes)
  const contract: ContractFacts = {
    format: 'dcs',
    formatVersion: asText(getField(value, 'dataContractSpecification')),
    id,
    name: agreedText(value, [['info', 'title']], notes, 'give the data contract a title') ?? '',
    tags: listTexts(getField(value, 'tags')),
    servers: readServers(value),
    serviceLevels: readServiceLevels(getField(value, 'servicelevels')),
    quality: readQuality(getField(value, 'quality')),
  }
  put(contract, 'ownerTeamId', readContractOwner(value, DCS_OWNER_PATH, notes, options))
  put(contract, 'version', nonBlankText(getField(info, 'version')))
  put(contract, 'status', nonBlankText(getField(info, 'status')))
  put(contract, 'description', nonBlankText(getField(info, 'description')))
  if (!hasModels(value)) put(contract, 'schemaType', getSchemaType(value))
  return contract
}

/** Returns whether a document has its own models. */
export function hasModels(value: ObjectValue): boolean {
  return isObject(getField(value, 'models'))
}

/** Returns the platform of a document's data. */
export function dcsPlatform(value: ObjectValue): DcsPlatform {
  return findPlatform(readServers(value))
}

function readServers(value: ObjectValue): Server[] {
  const servers = getField(value, 'servers')
  if (!isObject(servers)) return []
  return Object.entries(servers).flatMap(([name, server]) =>
    isObject(server) ? [readServer(name, server, `/servers/${pointerStep(name)}`)] : [],
  )
}

function readServiceLevels(levels: Value | undefined): ServiceLevel[] {
  return LEVELS.flatMap(([name, property, values]) => {
    const level = getField(levels, name)
    return values.flatMap((field, at) => {
      const value = getField(level, field)
      if (value === undefined) return []
      const read: ServiceLevel = {
        property: at === 0 ? property : `${property}.${field}`,
        value,
        origin: `/servicelevels/${name}/${field}`,
      }
      put(read, 'element', nonBlankText(getField(level, 'timestampField')))
      return [read]
    })
  })
}

function readQuality(quality: Value | undefined): QualityCheck[] {
  if (!isObject(quality)) return []
  const type = nonBlankText(getField(quality, 'type')) ?? 'custom'
  return [{ type, rule: getField(quality, 'specification') ?? null, origin: '/quality' }]
}
