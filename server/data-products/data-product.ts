import { createHash } from 'node:crypto'
import type { DataProduct, OutputPort } from '../../formats/data-product/data-product.ts'
import { jsonOf, type SourceText } from '../../formats/text.ts'
import type { Value } from '../../formats/value.ts'
import type { NewEvent } from '../events/event.ts'

/**
 * What the catalog keeps of a data product besides the document itself: what lists filter by, which
 * contracts its ports name, and what a change of it has to tell. Everything here follows from the
 * document, so it can always be made again.
 */

/** A product as it was read from its document. */
export interface ReadProduct {
  product: DataProduct
  value: Value
  canonical: string
}

/** What is written of a product. */
export interface ProductRow {
  externalId: string
  document: string
  documentJson: string | null
  mediaType: string
  format: string
  digest: string
  level: string
  ownerTeamId: string
  facts: ProductFacts
  inputContracts: readonly string[]
  outputContracts: readonly string[]
}

/** What lists filter and sort by. */
export interface ProductFacts {
  name: string
  description: string | null
  ownerId: string
  status: string | null
  archetype: string | null
  maturity: string | null
  domain: string | null
  tags: readonly string[]
  /** The words of id, name and description, parted and folded. */
  words: readonly string[]
}

const WORDS_MAX = 2000
const WORD_CHARACTERS_MAX = 100

/** The digest of a product: equal for documents of equal meaning. */
export function digestOf({ canonical }: ReadProduct): string {
  return createHash('sha256').update(canonical).digest('hex')
}

/** What is stored of a product whose owner was found. */
export function rowOf(
  source: SourceText,
  read: ReadProduct,
  known: { digest: string; level: string; ownerTeamId: string },
): ProductRow {
  const { product } = read
  return {
    ...known,
    externalId: product.id,
    document: source.text,
    documentJson: source.mediaType === 'application/json' ? null : jsonOf(source),
    mediaType: source.mediaType,
    format: product.format,
    facts: factsOf(product),
    inputContracts: contractsOf(product.inputPorts),
    outputContracts: contractsOf(product.outputPorts),
  }
}

/** The contracts that some ports name, each once. */
export function contractsOf(ports: readonly { contractId?: string }[]): string[] {
  return [...new Set(ports.map((port) => port.contractId).filter((id) => id !== undefined))]
}

/**
 * Parts a text into words and folds them: letters and digits of any script, without accents, in
 * lower case. Done here and not by the store, whose parser follows its locale.
 */
export function wordsOf(text: string): string[] {
  const folded = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const words = new Set<string>()
  for (const [word] of folded.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (words.size >= WORDS_MAX) break
    words.add(word.slice(0, WORD_CHARACTERS_MAX).toWellFormed())
  }
  return [...words]
}

/** The events of a new product: its own, and one for each output port. */
export function creationEvents({ outputPorts }: DataProduct): NewEvent[] {
  return [{ name: 'DataProductCreatedEvent' }, ...portEvents([], outputPorts)]
}

/** The events of a changed product: its own, and one for each output port that changed. */
export function updateEvents(before: DataProduct, after: DataProduct): NewEvent[] {
  return [{ name: 'DataProductUpdatedEvent' }, ...portEvents(before.outputPorts, after.outputPorts)]
}

/** The events of a deleted product: one for each output port, and its own. */
export function deletionEvents({ outputPorts }: DataProduct): NewEvent[] {
  return [...portEvents(outputPorts, []), { name: 'DataProductDeletedEvent' }]
}

/** The output ports that a change touched or removed, as they were before it. */
export function touchedPorts(before: DataProduct, after: DataProduct): OutputPort[] {
  const now = new Map(after.outputPorts.map((port) => [port.key, port.canonical]))
  return before.outputPorts.filter((port) => now.get(port.key) !== port.canonical)
}

function portEvents(before: readonly OutputPort[], after: readonly OutputPort[]): NewEvent[] {
  const then = new Map(before.map((port) => [port.key, port]))
  const now = new Map(after.map((port) => [port.key, port]))
  const events: NewEvent[] = []
  for (const [key, { id, canonical }] of now) {
    const former = then.get(key)
    if (former === undefined) events.push({ name: 'OutputPortCreatedEvent', outputPortId: id })
    else if (former.canonical !== canonical) {
      events.push({ name: 'OutputPortUpdatedEvent', outputPortId: id })
    }
  }
  for (const [key, { id }] of then) {
    if (!now.has(key)) events.push({ name: 'OutputPortDeletedEvent', outputPortId: id })
  }
  return events
}

function factsOf(product: DataProduct): ProductFacts {
  const { id, name, description } = product
  return {
    name,
    description: description ?? null,
    ownerId: product.ownerTeamId,
    status: product.status ?? null,
    archetype: product.archetype ?? null,
    maturity: product.maturity ?? null,
    domain: product.domain ?? null,
    tags: product.tags,
    words: wordsOf(`${id} ${name} ${description ?? ''}`),
  }
}
