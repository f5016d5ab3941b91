import { toPlainText } from '../../../formats/text/plain-text.ts'
import type { DataContract } from '../../../formats/data-contract/data-contract.ts'
import { listDefinitionUses } from '../../../formats/data-contract/definition-uses.ts'
import { getEffectiveStatus, isEndedStatus } from '../../../formats/data-product/standing.ts'
import type { DataProduct } from '../../../formats/data-product/data-product.ts'
import type { RecordName } from '../../../formats/record/kinds.ts'
import type { RecordFields } from '../../../formats/record/read.ts'
import type { Value } from '../../../formats/text/value.ts'
import { KINDS, RANKED_KINDS, type DocumentKind } from '../../platform/kinds.ts'
import { toCustomPairs } from './custom-field.ts'
import {
  addClassification,
  addContext,
  addModelNames,
  CLASSIFICATIONS_MAX,
  COLUMNS_MAX,
  listModelColumns,
  SynonymLines,
  toLine,
  type IndexedColumns,
} from './part-terms.ts'
import { chooseTestedServers, listIndexedPorts } from './tested-parts.ts'
import { TermSet } from './terms.ts'
import { toComparisonKey } from '../../../formats/text/words.ts'

/**
 * The search entry of a product, contract, team, asset or record: its terms, its facets, and the texts of a result.
 */
export interface SearchEntry {
  kind: DocumentKind
  id: string
  name: string
  nameKey: string
  idKey: string
  /** The rank among equal matches; 0 is first. */
  standing: number
  status: string | null
  domain: string | null
  tags: readonly string[]
  source: string | null
  type: string | null
  /** Cut. */
  description: string | null
  /** The paths of columns: `orders.customer_id`. */
  columns: readonly string[]
  /** The names of its ports. */
  ports: readonly string[]
  /** Other names of the document and its parts, each with a tab and the path of the part. */
  synonyms: readonly string[]
  /** The distinct classifications of its fields, in the order of the fields. */
  classifications: readonly string[]
  /** Its custom fields, each as `name=value`. */
  custom: readonly string[]
  /** The output ports of a data product. */
  outputPorts: ReturnType<typeof listIndexedPorts>
  /** The servers of a data contract whose tests count; null = not a data contract. */
  testedServers: ReturnType<typeof chooseTestedServers> | null
  /** The terms that find it; see `TermSet`. */
  lexemes: readonly string[]
  vocabulary: readonly string[]
}

/** The maximum length of a result's description. */
export const DESCRIPTION_CHARACTERS_MAX = 4000

const TAGS_MAX = 100
const DEFINITIONS_MAX = 2000
const FACET_CHARACTERS_MAX = 200

/** The source of an entry of any kind. */
interface Described {
  kind: DocumentKind
  id: string
  name: string
  description?: string | undefined
  status?: string | undefined
  deprecated?: boolean | undefined
  domain?: string | undefined
  tags?: readonly string[]
  source?: string | undefined
  type?: string | undefined
}

/** Builds the entry of a data product. */
export function productEntry(product: DataProduct): SearchEntry {
  const { outputPorts, inputPorts, format } = product
  const terms = new TermSet('data-product')
  const described = { ...product, kind: 'data-product', type: format } as const
  terms.addName(product.id, product.name)
  const ports = [...outputPorts, ...inputPorts]
  for (const { contractId } of outputPorts) {
    if (contractId !== undefined) terms.addContract(contractId)
  }
  for (const { sourceSystemId } of inputPorts) {
    if (sourceSystemId !== undefined) terms.addSourceSystem(sourceSystemId)
  }
  for (const { name, id, contractId, type } of ports) {
    terms.addFact(name)
    if (id !== name) terms.addFact(id)
    if (contractId !== undefined) terms.addFact(contractId)
    if (type !== undefined) terms.addFact(type)
  }
  for (const { location, description } of ports) {
    terms.addText(description)
    terms.addText(location)
  }
  const synonyms = new SynonymLines(terms)
  synonyms.add(product.synonyms)
  addContext(terms, product.context)
  for (const { name, synonyms: others, context } of outputPorts) {
    synonyms.add(others, name)
    addContext(terms, context)
  }
  for (const { value } of product.custom) if (typeof value === 'string') terms.addText(value)
  const custom = toCustomPairs(product.custom)
  return createEntry(described, terms, {
    ports: ports.map(({ name }) => name),
    synonyms: synonyms.lines,
    custom,
    outputPorts: listIndexedPorts(product),
  })
}

/** Builds the entry of a data contract. `value` is its document. */
export function contractEntry(contract: DataContract, value: Value): SearchEntry {
  const { models, servers, format } = contract
  const terms = new TermSet('data-contract')
  const described = { ...contract, kind: 'data-contract', type: format } as const
  terms.addName(contract.id, contract.name)
  const definitions = new Set(listDefinitionUses(value).map(({ definitionId }) => definitionId))
  for (const id of [...definitions].slice(0, DEFINITIONS_MAX)) terms.addDefinition(id)
  for (const model of models) addModelNames(terms, model)
  const synonyms = new SynonymLines(terms)
  for (const { name, synonyms: others } of models) synonyms.add(others, name)
  const indexed = listModelColumns(models, terms, synonyms)
  addContext(terms, contract.context)
  for (const { name, type, description } of servers) {
    terms.addFact(name)
    if (type !== undefined) terms.addFact(type)
    terms.addText(description)
  }
  return createEntry(described, terms, {
    ...indexed,
    synonyms: synonyms.lines,
    testedServers: chooseTestedServers(contract, value),
  })
}

/** Builds the entry of a team. */
export function teamEntry(team: {
  id: string
  name: string
  type: string
  description?: string | undefined
  tags?: readonly string[]
}): SearchEntry {
  const terms = new TermSet('team')
  terms.addName(team.id, team.name)
  return createEntry({ ...team, kind: 'team' }, terms, {})
}

/** Builds the entry of a record. */
export function recordEntry(kind: RecordName, record: RecordFields): SearchEntry {
  const terms = new TermSet(kind)
  terms.addName(record.id, record.name)
  for (const { name, url } of record.links) {
    terms.addFact(name)
    terms.addText(url)
  }
  return createEntry({ ...record, kind }, terms, {})
}

/** A column of an asset with its nested columns. */
export interface SearchedColumn {
  name?: string | undefined
  description?: string | undefined
  classification?: string | undefined
  properties?: readonly SearchedColumn[] | undefined
  items?: SearchedColumn | undefined
}

/** The source of an asset's entry. */
interface SearchedAsset {
  id: string
  name: string
  type: string
  qualifiedName?: string | undefined
  source?: string | undefined
  status?: string | undefined
  description?: string | undefined
  tags?: readonly string[] | undefined
  columns: readonly SearchedColumn[]
  /** Its id was generated and is not searched. */
  isIngested: boolean
}

/** Builds the entry of an asset from its document. */
export function assetEntry(asset: SearchedAsset): SearchEntry {
  const { id, name, qualifiedName, columns: given, tags = [], isIngested } = asset
  const terms = new TermSet('asset')
  if (isIngested) terms.addGeneratedId(toComparisonKey(id))
  terms.addName(isIngested ? '' : id, name)
  if (qualifiedName !== undefined) terms.addFact(qualifiedName)
  const indexed: IndexedColumns = { columns: [], classifications: new Set() }
  addColumns(terms, given, name, indexed)
  return createEntry({ ...asset, kind: 'asset', tags }, terms, indexed)
}

/** The additions of people to an asset, which is found by them as well as by its document. */
export interface Addition {
  description: string | null
  tags: readonly string[] | null
}

/** Returns the terms of the additions to an asset. */
export function additionLexemes(addition: Addition): string[] {
  return additionTerms(addition).lexemes()
}

/** Merges the additions of people into an asset's entry; they take precedence over the document. */
export function withAddition(entry: SearchEntry, addition: Addition): SearchEntry {
  const { description, tags } = addition
  const added = additionTerms(addition)
  return {
    ...entry,
    description: description === null ? entry.description : toExcerpt(description),
    tags: tags === null ? entry.tags : toTags(tags),
    lexemes: [...new Set([...entry.lexemes, ...added.lexemes()])],
    vocabulary: [...new Set([...entry.vocabulary, ...added.vocabulary()])],
  }
}

function additionTerms({ description, tags }: Addition): TermSet {
  const terms = new TermSet('asset')
  for (const tag of tags ?? []) terms.addFact(tag)
  terms.addText(description ?? undefined)
  return terms
}

function createEntry(
  { kind, id, name, description, domain, tags = [], source, type, ...standing }: Described,
  terms: TermSet,
  {
    columns = [],
    ports = [],
    synonyms = [],
    classifications = [],
    custom = [],
    outputPorts = [],
    testedServers = null,
  }: {
    columns?: readonly string[]
    ports?: readonly string[]
    synonyms?: readonly string[]
    classifications?: Iterable<string>
    custom?: readonly string[]
    outputPorts?: SearchEntry['outputPorts']
    testedServers?: SearchEntry['testedServers']
  },
): SearchEntry {
  const status = getEffectiveStatus(standing)
  for (const tag of tags.slice(0, TAGS_MAX)) terms.addFact(tag)
  if (domain !== undefined) terms.addFact(domain)
  if (source !== undefined) terms.addFact(source)
  terms.addText(description)
  return {
    kind,
    id,
    name,
    nameKey: toComparisonKey(name),
    idKey: toComparisonKey(id),
    standing: (isEndedStatus(status) ? RANKED_KINDS.length : 0) + KINDS[kind].rank,
    status: toFacet(status),
    domain: toFacet(domain),
    tags: toTags(tags),
    source: toFacet(source),
    type: toFacet(type),
    description: description === undefined ? null : toExcerpt(description),
    columns: columns.map(toLine),
    ports: [...new Set(ports.map(toLine))],
    synonyms,
    classifications: [
      ...new Set([...classifications].flatMap((one) => toFacet(toLine(one)) ?? [])),
    ].slice(0, CLASSIFICATIONS_MAX),
    custom,
    outputPorts,
    testedServers,
    lexemes: terms.lexemes(),
    vocabulary: terms.vocabulary(),
  }
}

function addColumns(
  terms: TermSet,
  columns: readonly SearchedColumn[],
  above: string,
  indexed: IndexedColumns,
): void {
  for (const { name, description, classification, properties, items } of columns) {
    if (indexed.columns.length >= COLUMNS_MAX) return
    const path = name === undefined ? above : `${above}.${name}`
    if (name !== undefined) {
      indexed.columns.push(path)
      terms.addFact(name)
    }
    addClassification(terms, classification, indexed)
    terms.addText(description)
    addColumns(terms, properties ?? items?.properties ?? [], path, indexed)
  }
}

// Results show a few lines of it, without the syntax of Markdown.
function toExcerpt(markdown: string): string {
  return toPlainText(markdown).slice(0, DESCRIPTION_CHARACTERS_MAX).toWellFormed()
}

function toFacet(value: string | undefined): string | null {
  return value === undefined || value === ''
    ? null
    : value.slice(0, FACET_CHARACTERS_MAX).toWellFormed()
}

function toTags(tags: readonly string[]): string[] {
  return [...new Set(tags.flatMap((tag) => toFacet(toLine(tag)) ?? []))].slice(0, TAGS_MAX)
}
