/** The documents of the example mesh, interpreted, and the names that they define. */

import { readDataContract } from '../formats/data-contract/read.ts'
import type { DataContract } from '../formats/data-contract/data-contract.ts'
import { readDataProduct } from '../formats/data-product/read.ts'
import type { DataProduct } from '../formats/data-product/data-product.ts'
import { asText, getField, isObject, type Value } from '../formats/text/value.ts'
import { readMesh, type DatedDocument } from '../server/demo/mesh.ts'

/** A data contract or data product of the mesh. */
export interface MeshDocument<Interpreted> extends DatedDocument {
  value: Value
  content: Interpreted
  /** The addresses and names in messages. */
  warnings: readonly string[]
}

/** The mesh: documents, earlier versions included, and the ids of each folder. */
export interface MeshFacts {
  contracts: readonly MeshDocument<DataContract>[]
  products: readonly MeshDocument<DataProduct>[]
  /** All documents. */
  documents: readonly DatedDocument[]
  /** Returns whether a folder has a current document. */
  has(folder: string, id: string): boolean
  findContract(id: string): MeshDocument<DataContract> | undefined
  findProduct(id: string): MeshDocument<DataProduct> | undefined
  /** Roles of people in a team, inherited ones included: `Owner` by address. */
  listRoles(team: string): ReadonlyMap<string, ReadonlySet<string>>
}

/** Reads the example mesh. Errors: for a document that is invalid. */
export function readFacts(): MeshFacts {
  const documents = readMesh()
  const contracts = documents.flatMap((document) => readContract(document) ?? [])
  const products = documents.flatMap((document) => readProduct(document) ?? [])
  const ids = new Set(documents.map(({ folder, id }) => `${folder}/${id}`))
  const teams = new Map(
    documents
      .filter(({ folder }) => folder === 'teams')
      .map(({ id, source }) => [id, source.value] as const),
  )
  const listRoles = (team: string): Map<string, Set<string>> => {
    const roles = new Map<string, Set<string>>()
    let id: string | undefined = team
    while (id !== undefined) {
      const value: Value | undefined = teams.get(id)
      for (const member of toItems(getField(value, 'members'))) {
        const email = asText(getField(member, 'emailAddress')) ?? ''
        const held = roles.get(email) ?? new Set<string>()
        held.add(asText(getField(member, 'role')) ?? 'Member')
        roles.set(email, held)
      }
      id = asText(getField(value, 'parent'))
    }
    return roles
  }
  return {
    contracts,
    products,
    documents,
    has: (folder, id) => ids.has(`${folder}/${id}`),
    findContract: (id) => contracts.find((one) => one.id === id && !one.isEarlier),
    findProduct: (id) => products.find((one) => one.id === id && !one.isEarlier),
    listRoles,
  }
}

/** Returns the items of a list; empty for other values. */
export function toItems(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? value : []
}

/** A text in a document with the names of the members that lead to it. */
export interface LocatedText {
  path: readonly string[]
  text: string
}

/** Lists all texts of a value. */
export function* listTexts(value: Value, path: readonly string[] = []): Generator<LocatedText> {
  if (typeof value === 'string') yield { path, text: value }
  if (Array.isArray(value)) for (const item of value) yield* listTexts(item, path)
  if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) yield* listTexts(member, [...path, name])
  }
}

function readContract(document: DatedDocument): MeshDocument<DataContract> | undefined {
  if (document.folder !== 'data-contracts') return undefined
  const result = readDataContract(document.source, { id: document.id, strict: false })
  if (!result.ok) throw new Error(`${document.id}: ${JSON.stringify(result.problems)}`)
  const warnings = result.warnings.map(({ field, message }) => `${field} ${message}`)
  return { ...document, value: result.value, content: result.contract, warnings }
}

function readProduct(document: DatedDocument): MeshDocument<DataProduct> | undefined {
  if (document.folder !== 'data-products') return undefined
  const result = readDataProduct(document.source, { id: document.id, strict: false })
  if (!result.ok) throw new Error(`${document.id}: ${JSON.stringify(result.problems)}`)
  const warnings = result.warnings.map(({ field, message }) => `${field} ${message}`)
  return { ...document, value: result.value, content: result.product, warnings }
}
