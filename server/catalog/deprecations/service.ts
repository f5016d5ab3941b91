import {
  parseReplacement,
  type ReplacementTarget,
} from '../../../formats/data-product/replacement.ts'
import { listPortNamesOfEach, runOnProducts, type PortName } from '../../ledger/ports/task.ts'
import { KINDS } from '../../platform/kinds.ts'
import type { ReadingServices } from '../../requests/http/endpoint.ts'
import type { Deprecations, DocumentRef, Replacement } from './deprecation.ts'
import * as store from './store.ts'
import { listPartsOfEach } from './task.ts'

/** A value of `replacedBy`, and the document that has it. */
interface ReplacementQuestion {
  value: string
  of: DocumentRef
  /** Whether a port has it. */
  isOfPort: boolean
}

/**
 * Lists the deprecated parts of documents, with the documents and ports that replace them. Documents that do not exist and
 * those without deprecated parts are left out. Errors: document_too_costly, overloaded.
 */
export async function listDeprecations(
  work: ReplacementServices,
  organizationId: string,
  names: readonly DocumentRef[],
): Promise<Deprecations> {
  const documents = await listRecorded(work, organizationId, names)
  const questions = documents.flatMap(({ kind, id, parts }) =>
    parts.flatMap(({ replacedBy: value, kind: partKind }): ReplacementQuestion[] => {
      const isOfPort = partKind.endsWith(' port')
      return value === undefined ? [] : [{ value, of: { kind, id }, isOfPort }]
    }),
  )
  const answers = await resolveReplacements(work, organizationId, questions)
  const next = answers.values()
  const contracts = await findPortContracts(work.db, organizationId, documents)
  return {
    documents: documents.map(({ kind, id, parts }) => ({
      kind,
      id,
      parts: parts.map(({ replacedBy, key, since = null, ...part }) => ({
        ...part,
        since,
        portId: toPortId(key),
        contractId: contracts.get(getPortName(id, toPortKey(key))) ?? null,
        replacement: replacedBy === undefined ? null : (next.next().value ?? null),
      })),
    })),
  }
}

// Versions of earlier releases do not record their deprecated parts: their documents are read.
async function listRecorded(
  { db, offload }: ReplacementServices,
  organizationId: string,
  names: readonly DocumentRef[],
): Promise<(DocumentRef & { parts: readonly store.StoredPart[] })[]> {
  const documents = await store.listDeprecatedParts(db, organizationId, names)
  const unrecorded = documents.flatMap(({ kind, id, document, mediaType }) =>
    document === null ? [] : [{ kind, id, document, mediaType }],
  )
  const read =
    unrecorded.length === 0
      ? []
      : await offload.run(organizationId, listPartsOfEach, unrecorded, unrecorded)
  const next = read.values()
  return documents
    .map(({ kind, id, parts }) => ({ kind, id, parts: parts ?? next.next().value ?? [] }))
    .filter(({ parts }) => parts.length > 0)
}

// Without an id, the name of a port is its id.
function toPortId(key: string): string | null {
  const [, id, name] = /^outputPorts\/(?:id\/(.+)|name\/(.*)@[^@]*)$/s.exec(key) ?? []
  return id ?? name ?? null
}

// The id of an output port, or its name with the version, which versions of a port do not share.
function toPortKey(key: string): string | undefined {
  return /^outputPorts\/(?:id|name)\/(.+)$/s.exec(key)?.[1]
}

function getPortName(productId: string, portKey: string | undefined): string {
  return JSON.stringify([productId, portKey])
}

/** Finds the data contracts of the deprecated output ports, by product and port. */
async function findPortContracts(
  db: ReplacementServices['db'],
  organizationId: string,
  documents: readonly (DocumentRef & { parts: readonly store.StoredPart[] })[],
): Promise<ReadonlyMap<string, string>> {
  const products = documents.filter(({ parts }) => parts.some(({ kind }) => kind === 'output port'))
  if (products.length === 0) return new Map()
  const ids = products.map(({ id }) => id)
  const rows = await store.listPortContracts(db, organizationId, ids)
  return new Map(
    rows.map(({ productId, name, contractId }) => [getPortName(productId, name), contractId]),
  )
}

/** The services that find what replaces something. */
export type ReplacementServices = Pick<ReadingServices, 'db' | 'offload'> & { baseUrl: string }

/**
 * Finds what values of `replacedBy` name in the organization; null if they name nothing in it. `draftPorts`: the output
 * ports of a product whose stored version may have others. Errors: document_too_costly, overloaded.
 */
export async function resolveReplacements(
  { db, offload, baseUrl }: ReplacementServices,
  organizationId: string,
  questions: readonly ReplacementQuestion[],
  draftPorts?: readonly PortName[],
): Promise<(Replacement | null)[]> {
  const targets = questions.map(({ value }) => parseReplacement(value, baseUrl))
  const ids = new Set(targets.flatMap((target) => target?.id ?? []))
  if (ids.size === 0) return questions.map(() => null)
  const documents = await store.listNamedDocuments(db, organizationId, [...ids])
  const productIds = listProductsWithPorts(questions, targets)
  const products = await store.loadProducts(db, organizationId, productIds)
  const ports = await runOnProducts(offload, organizationId, listPortNamesOfEach, products)
  const portsByProduct = new Map(products.map(({ id }, at) => [id, ports[at] ?? []]))
  const find = (kind: DocumentRef['kind'], id: string) =>
    documents.find((one) => one.kind === kind && one.id === id)
  return questions.map(({ of, isOfPort }, at) => {
    const target = targets[at]
    if (target === undefined) return null
    const isOfProduct = of.kind === 'data-product'
    if (target.port !== undefined) {
      const found = findPort(portsByProduct.get(target.id), target.port)
      return found === undefined ? null : toPortReplacement(baseUrl, target.id, found)
    }
    const own = isOfPort && target.kind === undefined && isOfProduct
    const sibling = own ? findPort(draftPorts ?? portsByProduct.get(of.id), target.id) : undefined
    if (sibling !== undefined) return toPortReplacement(baseUrl, of.id, sibling)
    const kinds: DocumentRef['kind'][] = isOfProduct
      ? ['data-product', 'data-contract']
      : ['data-contract', 'data-product']
    const accepted = target.kind === undefined ? kinds : [target.kind]
    const [named] = accepted.flatMap((kind) => find(kind, target.id) ?? [])
    return named === undefined ? null : toReplacement(baseUrl, named)
  })
}

function listProductsWithPorts(
  questions: readonly ReplacementQuestion[],
  targets: readonly (ReplacementTarget | undefined)[],
): string[] {
  return [
    ...new Set(
      questions.flatMap(({ of, isOfPort }, at) => {
        const target = targets[at]
        if (target?.port !== undefined) return [target.id]
        return isOfPort && of.kind === 'data-product' && target?.kind === undefined ? [of.id] : []
      }),
    ),
  ]
}

// The fragment of an address has the name of a port, and its version after a dash.
function findPort(ports: readonly PortName[] | undefined, named: string): PortName | undefined {
  return (
    ports?.find(({ id }) => id === named) ??
    ports?.find(({ key, name }) => key === named || name === named) ??
    ports?.find(({ key }) => key.replace('@', '-') === named)
  )
}

function toPortReplacement(
  baseUrl: string,
  productId: string,
  { id, name }: PortName,
): Replacement {
  const url = `${baseUrl}/${KINDS['data-product'].pages}/${encodeURIComponent(productId)}`
  return { kind: 'output-port', id: productId, portId: id, name, url }
}

function toReplacement(
  baseUrl: string,
  { kind, id, name }: DocumentRef & { name: string },
): Replacement {
  const url = `${baseUrl}/${KINDS[kind].pages}/${encodeURIComponent(id)}`
  return { kind, id, portId: null, name, url }
}
