// Writes test results as observability results of Bitol (OORS v0.8.1).

import { asText, getField, isObject, put } from '../../text/value.ts'
import type { ObjectValue, Value } from '../../text/value.ts'
import { OORS_KIND } from './read.ts'

/** Properties of a stored result that are not, or not always, in its text. */
export interface ResultContext {
  id: string
  contractId: string
  contractVersion: string | undefined
  /** The standard of the stored contract; undefined if there is none. */
  standard: 'ODCS' | 'DCS' | undefined
  server: string | undefined
  branch: string | undefined
  outputPort: string | undefined
  isDryRun: boolean
  startedAt: string | undefined
  /** RFC 3339: the end of the test, or the publication. */
  testedAt: string
}

/** Observability results, and what they do not contain. */
interface WrittenOors {
  document: ObjectValue
  losses: { path: string; message: string }[]
}

const STATUSES: ReadonlyMap<string, string> = new Map([
  ['passed', 'pass'],
  ['failed', 'fail'],
  ['warning', 'warn'],
  ['error', 'error'],
  ['skipped', 'skip'],
])

const ORDER = ['error', 'fail', 'warn', 'pass', 'skip']

/** Writes a test result as a client sent it. */
export function writeOors(sent: Value, context: ResultContext): WrittenOors {
  const losses: WrittenOors['losses'] = []
  const list = getField(sent, 'checks')
  const checks = Array.isArray(list) ? list : []
  if (!Array.isArray(list) && isObject(list)) {
    losses.push({
      path: 'checks',
      message: 'Only counts were sent; the form needs single results.',
    })
  }
  if (getField(sent, 'logs') !== undefined) {
    losses.push({ path: 'logs', message: 'The form has no logs.' })
  }
  const single = checks.map((check, at) => toResult(check, at, context, losses))
  const results = single.length === 0 ? [wholeResult(sent, context)] : single
  const document: ObjectValue = {
    apiVersion: 'v0.8.1',
    kind: OORS_KIND,
    id: context.id,
    observedAt: context.testedAt,
    source: toSource(sent, checks[0], context),
    run: toRun(context),
    contract: toContract(context),
    status: worst(results.map((result) => asText(result.status) ?? 'unknown')),
    results,
  }
  const custom = listCustom([
    ['branch', context.branch],
    ['outputPortId', context.outputPort],
  ])
  if (custom.length > 0) document.customProperties = custom
  return { document, losses }
}

function toSource(sent: Value, first: Value | undefined, context: ResultContext): ObjectValue {
  const isCli = getField(sent, 'datacontractCliVersion') !== undefined
  const engine = asText(getField(first, 'engine'))
  const source: ObjectValue = {
    process:
      asText(getField(sent, 'process')) ?? (isCli ? 'datacontract test' : (engine ?? 'unknown')),
    runId: asText(getField(sent, 'runId')) ?? context.id,
  }
  const vendor = isCli ? 'datacontract-cli' : engine
  put(source, 'vendor', asText(getField(sent, 'vendor')) ?? vendor)
  return source
}

function toRun({ startedAt }: ResultContext): ObjectValue {
  const run: ObjectValue = { state: 'completed' }
  put(run, 'startedAt', startedAt)
  return run
}

function toContract({ contractId, contractVersion, standard, server }: ResultContext): ObjectValue {
  const contract: ObjectValue = { contractId }
  put(contract, 'standard', standard)
  put(contract, 'version', contractVersion || undefined)
  put(contract, 'server', server || undefined)
  return contract
}

function worst(statuses: readonly string[]): string {
  return ORDER.find((word) => statuses.includes(word)) ?? 'unknown'
}

// A result without single checks has one for the whole contract.
function wholeResult(sent: Value, { id, contractId }: ResultContext): ObjectValue {
  const status = STATUSES.get(asText(getField(sent, 'result'))?.toLowerCase() ?? '') ?? 'unknown'
  return { id, type: 'check', name: `Data contract ${contractId}`, status }
}

function toResult(
  check: Value,
  at: number,
  { isDryRun }: ResultContext,
  losses: WrittenOors['losses'],
): ObjectValue {
  const text = (name: string): string | undefined => asText(getField(check, name)) || undefined
  const word = text('result')?.toLowerCase() ?? ''
  const status = isDryRun ? 'skip' : (STATUSES.get(word) ?? 'unknown')
  const type = text('type')
  const measure = toMeasure(check)
  const result: ObjectValue = {
    id: text('key') ?? text('id') ?? text('qualityId') ?? `${at + 1}`,
    type: isMetric(check) ? 'metric' : 'check',
    name: text('name') ?? type ?? `Check ${at + 1}`,
    status,
  }
  put(result, 'relatesTo', toRelation(check))
  put(result, 'severity', text('severity'))
  put(result, 'dimension', text('dimension'))
  put(result, 'target', toTarget(check))
  if (Object.keys(measure).length > 0) result.measure = measure
  const reason = text('reason')
  const isOther = status === 'unknown' && word !== '' && word !== 'unknown' && !isDryRun
  const other = isOther && reason?.startsWith('Status "') !== true ? `Status "${word}". ` : ''
  put(result, 'message', other === '' ? reason : `${other}${reason ?? ''}`.trim())
  const custom = listCustom([
    ['engine', text('engine')],
    ['implementation', getField(check, 'implementation')],
  ])
  if (custom.length > 0) result.customProperties = custom
  if (getField(check, 'failedSamples') !== undefined) {
    losses.push({ path: `checks[${at}].failedSamples`, message: 'The form forbids data.' })
  }
  return result
}

// A value that was measured, without a threshold that decides.
function isMetric(check: Value): boolean {
  return getValue(check) !== undefined && toThreshold(check) === undefined
}

function getValue(check: Value): Value | undefined {
  const value = getField(check, 'value') ?? getField(getField(check, 'diagnostics'), 'value')
  return typeof value === 'number' || typeof value === 'string' ? value : undefined
}

function toMeasure(check: Value): ObjectValue {
  const measure: ObjectValue = {}
  const [failed, total] = [readCount(check, 'failedNumber'), readCount(check, 'totalNumber')]
  put(measure, 'metric', asText(getField(check, 'type')) || undefined)
  put(measure, 'value', getValue(check) ?? failed)
  put(measure, 'threshold', toThreshold(check))
  const isRows = getValue(check) === undefined && failed !== undefined
  put(measure, 'unit', asText(getField(check, 'unit')) ?? (isRows ? 'rows' : undefined))
  put(measure, 'rowCount', total ?? readCount(getField(check, 'diagnostics'), 'total'))
  put(measure, 'failedRowCount', failed)
  return measure
}

function readCount(value: Value | undefined, name: string): number | undefined {
  const count = getField(value, name)
  return typeof count === 'number' ? count : undefined
}

// The operators of the rule, `{mustBeLessThan: 5}`.
function toThreshold(check: Value): ObjectValue | undefined {
  const own = getField(check, 'threshold')
  if (isObject(own)) return own
  const definition = getField(check, 'qualityDefinition')
  const operators = Object.entries(isObject(definition) ? definition : {}).filter(([name]) =>
    /^must(Not)?Be/.test(name),
  )
  return operators.length === 0 ? undefined : Object.fromEntries(operators)
}

function toRelation(check: Value): string | undefined {
  const text = (name: string): string => asText(getField(check, name)) ?? ''
  const [rule, model, field] = [text('qualityId'), text('model'), text('field')]
  // Such a path would lead elsewhere.
  if (rule === '' || model === '' || [rule, model, field].some((one) => one.includes('/'))) {
    return undefined
  }
  return `schema/${model}${field === '' ? '' : `/properties/${field}`}/quality/${rule}`
}

function toTarget(check: Value): ObjectValue | undefined {
  const [model, field] = ['model', 'field'].map((name) => asText(getField(check, name)) ?? '')
  const filter = getField(check, 'filter')
  if (model === '' && field === '' && filter === undefined) return undefined
  const target: ObjectValue = {}
  if (field !== '') {
    target.resourceType = 'column'
    target.resourceIdentifier = model === '' ? (field ?? '') : `${model}.${field}`
  } else if (model !== '') {
    target.resourceType = 'table'
    target.resourceIdentifier = model ?? ''
  }
  put(target, 'filter', filter)
  return target
}

function listCustom(properties: readonly [string, Value | undefined][]): ObjectValue[] {
  return properties.flatMap(([property, value]) =>
    value === undefined || value === null || value === ''
      ? []
      : [{ property, value, vendor: 'portbook' }],
  )
}
