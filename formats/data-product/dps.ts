// Reads DPS documents, the Data Product Specification 0.0.1. Its support ends on 2026-12-31.

import type { ReadOptions } from '../shape/inspect.ts'
import type { Notes } from '../text/problem.ts'
import { getField, isObject, put, asText, valueAt } from '../text/value.ts'
import type { ObjectValue } from '../text/value.ts'
import type { DataProduct, InputPort, OutputPort } from './data-product.ts'
import { agreedText, checkId, nonBlankText, noteRepeatedKeys, listObjects } from './fields.ts'
import { readProductOwner, listTexts } from './fields.ts'

/**
 * Reads a DPS document in either notation (`id`, `info.title` or `info.id`, `info.name`; the owner in `info.owner`,
 * in very old documents in `teamId`); reports problems that its shape does not cover. Values of a wrong type are
 * ignored.
 */
export function readDps(value: ObjectValue, options: ReadOptions, notes: Notes): DataProduct {
  const { id } = options
  const info = getField(value, 'info')
  const idPlaces = [['id'], ['info', 'id']]
  const titlePlaces = [
    ['info', 'title'],
    ['info', 'name'],
  ]
  const ownerPlaces = [['info', 'owner'], ['teamId']]
  const own = agreedText(value, idPlaces, notes)
  checkId(own, asText(getField(value, 'id')) === own ? ['id'] : ['info', 'id'], id, notes)
  const product: DataProduct = {
    format: 'dps',
    formatVersion: asText(getField(value, 'dataProductSpecification')),
    id,
    name: agreedText(value, titlePlaces, notes, 'give the data product a title') ?? '',
    tags: listTexts(getField(value, 'tags')),
    links: readLinks(value),
    custom: readCustom(value),
    inputPorts: listObjects(getField(value, 'inputPorts')).map(inputPort),
    outputPorts: listObjects(getField(value, 'outputPorts')).map(outputPort),
  }
  put(product, 'ownerTeamId', readProductOwner(value, ownerPlaces, notes, options))
  put(product, 'description', nonBlankText(getField(info, 'description')))
  put(product, 'status', nonBlankText(getField(info, 'status')))
  put(product, 'archetype', nonBlankText(getField(info, 'archetype')))
  put(product, 'maturity', nonBlankText(getField(info, 'maturity')))
  put(product, 'domain', nonBlankText(getField(info, 'domain')))
  noteRepeatedKeys(product.inputPorts, 'inputPorts', value, notes)
  noteRepeatedKeys(product.outputPorts, 'outputPorts', value, notes)
  return product
}

function inputPort({ item, at }: { item: ObjectValue; at: number }): InputPort {
  const port: InputPort = { ...readIdentity(item, `inputPorts[${at}]`) }
  put(port, 'description', nonBlankText(getField(item, 'description')))
  put(port, 'type', nonBlankText(getField(item, 'type')))
  put(port, 'contractId', getContractId(item))
  put(port, 'sourceSystemId', nonBlankText(getField(item, 'sourceSystemId')))
  put(port, 'location', nonBlankText(getField(item, 'location')))
  return port
}

function outputPort({ item, at }: { item: ObjectValue; at: number }): OutputPort {
  const server = getField(item, 'server')
  const containsPii = getField(item, 'containsPii')
  const autoApprove = getField(item, 'autoApprove')
  const port: OutputPort = {
    ...readIdentity(item, `outputPorts[${at}]`),
  }
  put(port, 'description', nonBlankText(getField(item, 'description')))
  put(port, 'type', nonBlankText(getField(item, 'type')))
  put(port, 'status', nonBlankText(getField(item, 'status')))
  put(port, 'contractId', getContractId(item))
  put(port, 'location', nonBlankText(getField(item, 'location')))
  put(port, 'server', isObject(server) ? server : undefined)
  put(port, 'containsPii', typeof containsPii === 'boolean' ? containsPii : undefined)
  put(port, 'autoApprove', typeof autoApprove === 'boolean' ? autoApprove : undefined)
  return port
}

function readIdentity(
  port: ObjectValue,
  otherwise: string,
): Pick<InputPort, 'key' | 'id' | 'name' | 'tags'> {
  const name = nonBlankText(getField(port, 'name'))
  const id = nonBlankText(getField(port, 'id')) ?? name ?? otherwise
  return { key: id, id, name: name ?? id, tags: listTexts(getField(port, 'tags')) }
}

function getContractId(port: ObjectValue): string | undefined {
  return (
    nonBlankText(getField(port, 'dataContractId')) ??
    nonBlankText(getField(port, 'contractId')) ??
    nonBlankText(valueAt(port, ['custom', 'contractId']))
  )
}

function readLinks(value: ObjectValue): DataProduct['links'] {
  const links = getField(value, 'links')
  if (!isObject(links)) return []
  return Object.entries(links).flatMap(([type, url]) =>
    typeof url === 'string' ? [{ type, url }] : [],
  )
}

function readCustom(product: ObjectValue): DataProduct['custom'] {
  const custom = getField(product, 'custom')
  if (!isObject(custom)) return []
  return Object.entries(custom).map(([property, value]) => ({ property, value }))
}
