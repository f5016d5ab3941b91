// Reads observability results of Bitol (OORS v0.8.1, v0.8.0 and v0.1.0, the text of RFC 0018) as the test results that
// clients of the catalog send. https://github.com/bitol-io/tsc/blob/main/rfcs/0018-oors.md

import { asText, getField, isObject, put } from '../../text/value.ts'
import type { ObjectValue, Path, Value } from '../../text/value.ts'
import { checkVersion } from '../version.ts'

/** The `kind` of observability results. */
export const OORS_KIND = 'ObservabilityResults'

/** The versions that are read; the last one is written. */
const OORS_VERSIONS = ['v0.1.0', 'v0.8.0', 'v0.8.1'] as const

/** A mistake or a remark, with its position. */
interface Remark {
  path: Path
  message: string
}

/** A test result, and remarks; with problems it cannot be stored. */
interface OorsReading {
  result: ObjectValue
  problems: Remark[]
  warnings: Remark[]
}

const STATUSES: ReadonlyMap<string, string> = new Map([
  ['pass', 'passed'],
  ['fail', 'failed'],
  ['warn', 'warning'],
  ['error', 'error'],
  ['skip', 'unknown'],
  ['unknown', 'unknown'],
])

// The outcome of a document is the worst of its results.
const ORDER = ['error', 'fail', 'warn', 'pass', 'skip']

// RFC 0018 writes operators that ODCS names differently.
const OPERATORS: ReadonlyMap<string, string> = new Map([
  ['mustBeLowerOrEqual', 'mustBeLessOrEqualTo'],
  ['mustBeLower', 'mustBeLessThan'],
  ['mustBeGreaterOrEqual', 'mustBeGreaterOrEqualTo'],
])

/** Returns whether a document is one of observability results. */
export function isOors(value: Value | undefined): value is ObjectValue {
  return getField(value, 'kind') === OORS_KIND
}

/** Reads observability results. `contractId` is that of the request, for a document without a contract. */
export function readOors(document: ObjectValue, contractId: string | undefined): OorsReading {
  const reader = new Reader(document)
  return reader.read(contractId)
}

class Reader {
  readonly #document: ObjectValue
  readonly #problems: Remark[] = []
  readonly #warnings: Remark[] = []

  constructor(document: ObjectValue) {
    this.#document = document
  }

  read(contractId: string | undefined): OorsReading {
    const document = this.#document
    const version = checkVersion(asText(getField(document, 'apiVersion')), OORS_VERSIONS)
    if (version.problem !== undefined) this.#problem(['apiVersion'], version.problem)
    if (version.warning !== undefined) this.#warning(['apiVersion'], version.warning)
    const source = getField(document, 'source')
    const contract = getField(document, 'contract')
    const run = getField(document, 'run')
    this.#require(['id'], getField(document, 'id'))
    this.#require(['observedAt'], getField(document, 'observedAt'))
    this.#require(['source', 'process'], getField(source, 'process'))
    if (getField(run, 'state') === 'running') {
      this.#problem(['run', 'state'], 'is a snapshot of a running test; send the final results')
    }
    const named = either(contract, 'contractId', 'contractID')
    if (named === undefined && contractId === undefined) {
      const message = 'is missing; name the contract here, or with ?dataContractId='
      this.#problem(['contract', 'contractId'], message)
    }
    const results = this.#results()
    const result: ObjectValue = { checks: results.map((one, at) => this.#check(one, at)) }
    put(result, 'id', getField(document, 'id'))
    put(result, 'runId', either(source, 'runId', 'runID'))
    put(result, 'dataContractId', named ?? contractId)
    put(result, 'dataContractVersion', asText(getField(contract, 'version')))
    put(result, 'server', asText(getField(contract, 'server')))
    put(result, 'process', asText(getField(source, 'process')))
    put(result, 'vendor', asText(getField(source, 'vendor')))
    put(result, 'timestampStart', asText(getField(run, 'startedAt')))
    put(result, 'timestampEnd', asText(getField(document, 'observedAt')))
    for (const name of ['branch', 'outputPortId', 'dataProductId']) {
      put(result, name, asText(readCustom(document, name)))
    }
    result.result = this.#outcome(results)
    return { result, problems: this.#problems, warnings: this.#warnings }
  }

  #results(): Value[] {
    const results = getField(this.#document, 'results')
    if (Array.isArray(results) && results.length > 0) return results
    this.#problem(['results'], 'must be a list of at least one result')
    return []
  }

  // The outcome comes from the results: a status that differs is not obeyed.
  #outcome(results: readonly Value[]): string {
    const words = new Set(results.map((result) => asText(getField(result, 'status'))))
    const worst = ORDER.find((word) => words.has(word)) ?? 'unknown'
    const stated = asText(getField(this.#document, 'status'))
    if (stated !== undefined && stated !== worst) {
      this.#warning(['status'], `differs from the results, which are "${worst}"; the results count`)
    }
    return STATUSES.get(worst) ?? 'unknown'
  }

  #check(result: Value, at: number): Value {
    const path = ['results', at] as const
    if (!isObject(result)) {
      this.#problem(path, 'must be an object')
      return {}
    }
    for (const name of ['id', 'name', 'status']) {
      // A result that refers to its rule need not repeat the name.
      const isOptional = name === 'name' && asText(getField(result, 'relatesTo')) !== undefined
      if (!isOptional) this.#require([...path, name], getField(result, name))
    }
    const status = asText(getField(result, 'status')) ?? ''
    const measure = getField(result, 'measure')
    const check: ObjectValue = { result: STATUSES.get(status) ?? 'unknown' }
    const related = this.#relatesTo(result, [...path, 'relatesTo'])
    put(check, 'key', getField(result, 'id'))
    put(check, 'qualityId', related?.rule)
    put(check, 'name', getField(result, 'name'))
    put(check, 'type', asText(getField(measure, 'metric')) ?? asText(getField(result, 'type')))
    put(check, 'dimension', getField(result, 'dimension'))
    put(check, 'severity', getField(result, 'severity'))
    put(check, 'reason', toReason(result, status))
    put(check, 'engine', asText(readCustom(result, 'engine')) ?? this.#vendor())
    put(check, 'implementation', readCustom(result, 'implementation'))
    Object.assign(check, related?.target ?? readTarget(getField(result, 'target')))
    put(check, 'filter', getField(getField(result, 'target'), 'filter'))
    Object.assign(check, readMeasure(measure))
    return check
  }

  #vendor(): string | undefined {
    return asText(getField(getField(this.#document, 'source'), 'vendor'))
  }

  // `schema/orders/properties/id/quality/rule-1`: the rule of the contract that the result is about.
  #relatesTo(result: ObjectValue, path: Path) {
    const text = asText(getField(result, 'relatesTo'))
    if (text === undefined) return undefined
    const [, model, field, rule] =
      /^\/?schema\/([^/]+)(?:\/properties\/([^/]+))?\/quality\/([^/]+)$/.exec(text) ?? []
    if (model === undefined || rule === undefined) {
      const message = 'names no rule; write schema/<object>/properties/<field>/quality/<id>'
      this.#warning(path, message)
      return undefined
    }
    return { rule, target: field === undefined ? { model } : { model, field } }
  }

  #require(path: Path, value: Value | undefined): void {
    if (asText(value) === undefined || value === '') this.#problem(path, 'is required, as text')
  }

  #problem(path: Path, message: string): void {
    this.#problems.push({ path, message })
  }

  #warning(path: Path, message: string): void {
    this.#warnings.push({ path, message })
  }
}

// The first spelling is that of newer versions.
function either(value: Value | undefined, ...names: readonly string[]): string | undefined {
  return names.map((name) => asText(getField(value, name))).find((text) => text !== undefined)
}

/** Returns the value of a custom property of the catalog. */
function readCustom(value: Value, name: string): Value | undefined {
  const properties = getField(value, 'customProperties')
  const list = Array.isArray(properties) ? properties : []
  const own = list.find((one) => getField(one, 'property') === name)
  return own === undefined ? undefined : getField(own, 'value')
}

function toReason(result: ObjectValue, status: string): string | undefined {
  const message = asText(getField(result, 'message'))
  if (status === 'skip') return message ?? 'Skipped.'
  if (STATUSES.has(status) || status === '') return message
  return `Status "${status}".${message === undefined ? '' : ` ${message}`}`
}

// `orders.total`, a list of such names, or the name of a table.
function readTarget(target: Value | undefined): ObjectValue {
  const identifier = getField(target, 'resourceIdentifier')
  const name = asText(Array.isArray(identifier) ? identifier[0] : identifier)
  if (name === undefined) return {}
  if (asText(getField(target, 'resourceType'))?.toLowerCase() !== 'column') return { model: name }
  const at = name.indexOf('.')
  return at === -1 ? { field: name } : { model: name.slice(0, at), field: name.slice(at + 1) }
}

function readMeasure(measure: Value | undefined): ObjectValue {
  if (!isObject(measure)) return {}
  const check: ObjectValue = {}
  put(check, 'value', getField(measure, 'value'))
  put(check, 'unit', getField(measure, 'unit'))
  put(check, 'failedNumber', getField(measure, 'failedRowCount'))
  put(check, 'totalNumber', getField(measure, 'rowCount'))
  const threshold = getField(measure, 'threshold')
  if (isObject(threshold)) {
    const operators = Object.entries(threshold).map(([name, value]): [string, Value] => [
      OPERATORS.get(name) ?? name,
      value,
    ])
    check.threshold = Object.fromEntries(operators)
  }
  return check
}
