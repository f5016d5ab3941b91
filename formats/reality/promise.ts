// What a contract promises, as one promise for each of its models on each of its servers. The content of a promise is
// plain JSON that is stored and compared with the asset that it is linked with; it has only what a platform can report.

import { findPlatform, TABLE_LANGUAGES } from '../data-contract/contract-fields.ts'
import { customText } from '../data-contract/custom-properties.ts'
import type { DataContract, Server } from '../data-contract/data-contract.ts'
import { dcsLogicalType } from '../data-contract/dcs/field.ts'
import { isComputed } from '../data-contract/export-fields.ts'
import { toPath } from '../data-contract/model-parts.ts'
import { hashText } from '../schema/hash-text.ts'
import { type Field, LOGICAL_TYPES, type LogicalType, type Model } from '../schema/model.ts'
import type { NativeType, Platform } from '../schema/types/native-type.ts'
import { withInner } from '../schema/types/physical-field.ts'
import { readNativeType } from '../schema/types/read-type.ts'
import { getTypePlatform } from '../schema/types/type-platform.ts'
import { asText, getField, type Value, valueAt } from '../text/value.ts'
import { type FreshnessPromise, readFreshnessPromise } from './freshness.ts'
import { findPlace, type ServerPlace } from './place.ts'

/** The most promises of a contract; models on further servers make none. */
export const PROMISES_MAX = 1_000

/** The most fields of all promises of a contract, with nested ones; further promises have no place. */
export const PROMISED_FIELDS_MAX = 200_000

/** A changed rule of the comparison makes other digests, so that everything is compared again. */
const RULES_VERSION = 1

/** A model of a contract on one of its servers. */
export interface ContractPromise extends ServerPlace {
  /** The name of the server, unique in the contract. */
  server: string
  /** The name of the model, unique on the server. */
  model: string
  /** Whether the server is one of production, or the contract has none of production. */
  isProduction: boolean
  /** The part that is compared with the asset. */
  promise: PromisedModel
  /** Equal if place and promise are equal. */
  digest: string
  /** The promise about the age of its data; not part of the digest. */
  freshness?: FreshnessPromise
}

/** The promise of a model about its table. */
export interface PromisedModel {
  /** Only if the contract defines it. */
  kind?: 'table' | 'view' | 'topic' | 'file'
  /** The platform of the physical types, which decide on that platform only. */
  types?: Platform
  /** The contract's standard has no logical type for points in time, so its dates and texts may be those. */
  hasNoTimestamps?: true
  /** Additional columns break the promise. */
  isClosed?: true
  /** The names of the fields of the primary key, as in the contract. */
  key: string[]
  fields: PromisedField[]
}

/** The promise of a field about its column. */
export interface PromisedField {
  /** The name in the contract. */
  name: string
  /** The name of the column, if it differs. */
  column?: string
  /** The type in the language of `types`. */
  type?: string
  logicalType?: LogicalType
  /** The digits of a `type` that gives none. */
  precision?: number
  scale?: number
  required?: true
  unique?: true
  classification?: string
  fields?: PromisedField[]
  items?: PromisedField
  keys?: PromisedField
  values?: PromisedField
}

const PRODUCTION = new Set(['prod', 'prd', 'production', 'live'])

/**
 * Lists the promises of a contract, server by server in the order of the document. `value` is its document. At most 1,000
 * promises; the second of two servers or models with the same name makes none.
 */
export function listPromises({
  contract,
  value,
}: {
  contract: DataContract
  value: Value
}): ContractPromise[] {
  const { servers } = contract
  if (servers.every(({ type }) => type === undefined)) return []
  const reader = new PromiseReader(contract, value)
  const hasProduction = servers.some(isProductionServer)
  const promises: ContractPromise[] = []
  for (const server of uniqueNames(servers)) {
    for (const model of uniqueNames(contract.models)) {
      if (promises.length === PROMISES_MAX) return promises
      promises.push(reader.read(server, model, !hasProduction || isProductionServer(server)))
    }
  }
  return promises
}

/** Returns whether a server is one of production, by its environment. */
export function isProductionServer({ environment }: { environment?: string | undefined }): boolean {
  return environment !== undefined && PRODUCTION.has(environment.trim().toLowerCase())
}

function uniqueNames<T extends { name: string }>(list: readonly T[]): T[] {
  const names = new Set<string>()
  return list.filter(({ name }) => !names.has(name) && names.add(name))
}

class PromiseReader {
  readonly #contract: DataContract
  readonly #value: Value
  readonly #types: Platform | undefined
  readonly #hasNoTimestamps: boolean
  readonly #models = new Map<Model, { promise: PromisedModel; text: string; count: number }>()
  readonly #freshness = new Map<Model, FreshnessPromise>()
  readonly #natives = new Map<string, NativeType | undefined>()
  #fieldsLeft = PROMISED_FIELDS_MAX

  constructor(contract: DataContract, value: Value) {
    this.#contract = contract
    this.#value = value
    this.#types = getTypesPlatform(contract)
    this.#hasNoTimestamps = hasNoTimestamps(contract)
  }

  read(server: Server, model: Model, isProduction: boolean): ContractPromise {
    const cached = this.#models.get(model) ?? this.#model(model)
    this.#models.set(model, cached)
    const { promise: read, text, count } = cached
    const isCut = count > this.#fieldsLeft
    if (!isCut) this.#fieldsLeft -= count
    const place = findPlace(server, model, this.#contract)
    const whole: ServerPlace = isCut
      ? { ...place, path: undefined, unplacedBecause: TOO_MANY_FIELDS }
      : place
    const promise = isCut ? { key: [], fields: [] } : read
    const { platform, path, address, unplacedBecause } = whole
    const identity = [RULES_VERSION, platform, path, address, unplacedBecause, isProduction]
    const digest = hashText(`${JSON.stringify(identity)}${isCut ? '' : text}`)
    const facts = {
      server: server.name,
      model: model.name,
      isProduction,
      ...whole,
      promise,
      digest,
    }
    const freshness = this.#freshness.get(model) ?? readFreshnessPromise(this.#contract, model)
    if (freshness === undefined) return facts
    this.#freshness.set(model, freshness)
    return { ...facts, freshness }
  }

  #model(model: Model): { promise: PromisedModel; text: string; count: number } {
    const counter = { count: 1 }
    const raw = valueAt(this.#value, toPath(this.#value, model.origin))
    const custom = getField(raw, 'customProperties')
    const promise: PromisedModel = {
      key: [...model.primaryKey],
      fields: this.#fields(model.fields, counter, 0),
    }
    const kind = getStatedKind(model, raw)
    if (kind !== undefined) promise.kind = kind
    if (this.#types !== undefined) promise.types = this.#types
    if (this.#hasNoTimestamps) promise.hasNoTimestamps = true
    const additional = customText(custom, 'additionalColumns') ?? readText(raw, 'additionalColumns')
    if (additional?.toLowerCase() === 'forbidden') promise.isClosed = true
    return { promise, text: JSON.stringify(promise), count: counter.count }
  }

  #fields(fields: readonly Field[], counter: { count: number }, depth: number): PromisedField[] {
    return fields
      .filter((field) => !isComputed(field))
      .map((field) => this.#field(field, counter, depth))
  }

  #field(given: Field, counter: { count: number }, depth: number): PromisedField {
    counter.count += 1
    const type = this.#type(given)
    const native = type === undefined ? undefined : this.#read(type)
    const field = native === undefined ? given : withInner(given, native)
    const { name, physicalName, logicalType, classification, precision, scale } = field
    const promised: PromisedField = { name }
    if (physicalName !== undefined && physicalName !== name) promised.column = physicalName
    if (type !== undefined) promised.type = type
    if (logicalType !== 'unknown') promised.logicalType = logicalType
    if (type !== undefined && !type.includes('(') && this.#contract.format === 'dcs') {
      if (precision !== undefined) promised.precision = precision
      if (scale !== undefined) promised.scale = scale
    }
    if (field.required) promised.required = true
    if (field.unique) promised.unique = true
    if (classification !== undefined) promised.classification = classification
    if (depth >= FIELD_DEPTH_MAX) return promised
    for (const part of ['items', 'keys', 'values'] as const) {
      const inner = field[part]
      if (inner !== undefined) promised[part] = this.#field(inner, counter, depth + 1)
    }
    if (field.fields !== undefined && field.fields.length > 0) {
      promised.fields = this.#fields(field.fields, counter, depth + 1)
    }
    return promised
  }

  // The type that decides, if the contract has one in the language of its platform.
  #type(field: Field): string | undefined {
    const { physicalType, logicalType } = field
    if (physicalType === undefined || this.#types === undefined) return undefined
    // The types of DCS have the names of SQL types, but their own meaning.
    const isOwn = this.#contract.format === 'dcs' && getTypePlatform(field) === undefined
    if (isOwn && dcsLogicalType(physicalType) === logicalType) return undefined
    const isKnown = this.#read(physicalType) !== undefined
    return isKnown || !isLogicalWord(physicalType) ? physicalType : undefined
  }

  // Undefined for types that the platform does not have.
  #read(text: string): NativeType | undefined {
    if (this.#natives.has(text)) return this.#natives.get(text)
    const native = readNativeType(text, this.#types)
    const known = native.logicalType === 'unknown' ? undefined : native
    this.#natives.set(text, known)
    return known
  }
}

const TOO_MANY_FIELDS = `The contract promises more than ${PROMISED_FIELDS_MAX} fields on all its servers.`

/** The most levels of nested fields that are promised and compared. */
export const FIELD_DEPTH_MAX = 64

// Contracts repeat the logical type in place of a physical type; that adds nothing to it.
const LOGICAL_WORDS: ReadonlySet<string> = new Set([...LOGICAL_TYPES, 'record', 'struct'])

function isLogicalWord(text: string): boolean {
  return LOGICAL_WORDS.has(text.trim().toLowerCase())
}

function getTypesPlatform({ schemaType, servers }: DataContract): Platform | undefined {
  const isOwn = schemaType === undefined || TABLE_LANGUAGES.has(schemaType)
  return isOwn ? findPlatform(servers).platform : undefined
}

// Version 3.1 of ODCS added `timestamp` and `time`.
function hasNoTimestamps({ format, formatVersion = '' }: DataContract): boolean {
  return format === 'odcs' && /^v?(?:[12]\.|3\.0(?:\.|$))/.test(formatVersion)
}

// A contract that does not define the kind is read as a table.
function getStatedKind({ kind }: Model, raw: Value | undefined): PromisedModel['kind'] {
  if (kind === 'object') return undefined
  const stated = readText(raw, 'physicalType') ?? readText(raw, 'type')
  return kind === 'file' || kind === stated?.toLowerCase() ? kind : undefined
}

function readText(value: Value | undefined, name: string): string | undefined {
  return asText(getField(value, name))?.trim()
}
