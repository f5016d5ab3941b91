// Reads DPS documents, the Data Product Specification 0.0.1. Its support ends on 2026-12-31.

import type { ReadOptions } from '../shape/inspect.ts'
import type { Notes } from '../text/problem.ts'
import { fieldOf, isObject, put, textOf, valueAt } from '../text/value.ts'
import type { ObjectValue } from '../text/value.ts'
import type { DataProduct, InputPort, OutputPort } from './data-product.ts'
import { agreedText, checkId, filled, noteRepeatedKeys, listObjects } from './fields.ts'
import { readProductOwner, listTexts } from './fields.ts'

/**
 * Reads a DPS document in either notation (`id`, `info.title` or `info.id`, `info.name`; the owner in `info.owner`,
 * in very old documents in `teamId`); reports problems that its shape does not cover. Values of a wrong type are
 * ignored.
 */
export function readDps(value: ObjectValue, options: ReadOptions, notes: Notes): DataProduct {
  const { id } = options
  const info = fieldOf(value, 'info')
  const idPlaces = [['id'], ['info', 'id']]
  const titlePlaces = [
    ['info', 'title'],
    ['info', 'name'],
  ]
  const ownerPlaces = [['info', 'owner'], ['teamId']]
  const own = agreedText(value, idPlaces, notes)
  checkId(own, textOf(fieldOf(value, 'id')) === own ? ['id'] : ['info', 'id'], id, notes)
  const product: DataProduct = {
    format: 'dps',
    formatVersion: textOf(fieldOf(value, 'dataProductSpecification')),
    id,
    name: agreedText(value, titlePlaces, notes, 'give the data product a title') ?? '',
    tags: listTexts(fieldOf(value, 'tags')),
    links: readLinks(value),
    custom: readCustom(value),
    inputPorts: listObjects(fieldOf(value, 'inputPorts')).map(inputPort),
    outputPorts: listObjects(fieldOf(value, 'outputPorts')).map(outputPort),
  }
  put(product, 'ownerTeamId', readProductOwner(value, ownerPlaces, notes, options))
  put(product, 'description', filled(fieldOf(info, 'description')))
  put(product, 'status', filled(fieldOf(info, 'status')))
  put(product, 'archetype', filled(fieldOf(info, 'archetype')))
  put(product, 'maturity', filled(fieldOf(info, 'maturity')))
  put(product, 'domain', filled(fieldOf(info, 'domain')))
  noteRepeatedKeys(product.inputPorts, 'inputPorts', value, notes)
  noteRepeatedKeys(product.outputPorts, 'outputPorts', value, notes)
  return product
}

function inputPort({ item, at }: { item: ObjectValue; at: number }): InputPort {
  const port: InputPort = { ...readIdentity(item, `inputPorts[${at}]`) }
  put(port, 'description', filled(fieldOf(item, 'description')))
  put(port, 'type', filled(fieldOf(item, 'type')))
  put(port, 'contractId', getContractId(item))
  put(port, 'sourceSystemId', filled(fieldOf(item, 'sourceSystemId')))
  put(port, 'location', filled(fieldOf(item, 'location')))
  return port
}

function outputPort({ item, at }: { item: ObjectValue; at: number }): OutputPort {
  const server = fieldOf(item, 'server')
  const containsPii = fieldOf(item, 'containsPii')
  const autoApprove = fieldOf(item, 'autoApprove')
  const port: OutputPort = {
    ...readIdentity(item, `outputPorts[${at}]`),
  }
  put(port, 'description', filled(fieldOf(item, 'description')))
  put(port, 'type', filled(fieldOf(item, 'type')))
  put(port, 'status', filled(fieldOf(item, 'status')))
  put(port, 'contractId', getContractId(item))
  put(port, 'location', filled(fieldOf(item, 'location')))
  put(port, 'server', isObject(server) ? server : undefined)
  put(port, 'containsPii', typeof containsPii === 'boolean' ? containsPii : undefined)
  put(port, 'autoApprove', typeof autoApprove === 'boolean' ? autoApprove : undefined)
  return port
}

function readIdentity(
  port: ObjectValue,
  otherwise: string,
): Pick<InputPort, 'key' | 'id' | 'name' | 'tags'> {
  const name = filled(fieldOf(port, 'name'))
  const id = filled(fieldOf(port, 'id')) ?? name ?? otherwise
  return { key: id, id, name: name ?? id, tags: listTexts(fieldOf(port, 'tags')) }
}

function getContractId(port: ObjectValue): string | undefined {
  return (
    filled(fieldOf(port, 'dataContractId')) ??
    filled(fieldOf(port, 'contractId')) ??
    filled(valueAt(port, ['custom', 'contractId']))
  )
}

function readLinks(value: ObjectValue): DataProduct['links'] {
  const links = fieldOf(value, 'links')
  if (!isObject(links)) return []
  return Object.entries(links).flatMap(([type, url]) =>
    typeof url === 'string' ? [{ type, url }] : [],
  )
}

function readCustom(product: ObjectValue): DataProduct['custom'] {
  const custom = fieldOf(product, 'custom')
  if (!isObject(custom)) return []
  return Object.entries(custom).map(([property, value]) => ({ property, value }))
}
