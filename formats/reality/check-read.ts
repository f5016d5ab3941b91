// Reads the checks of a test result in the forms of the programs that send them: datacontract-cli and others that use the
// API (`checks`), the scan of Soda 4 (`checks`), the validation of Great Expectations 1 and `run_results.json` of dbt
// (`results`), and the checkpoints of Great Expectations (`run_results`, `validation_results`). OORS is read as the first
// form before.

import { ExactNumber, asText, getField, isObject, type Value } from '../text/value.ts'
import { FAILING, readOutcome, type CheckOutcome } from './check-outcome.ts'

/** A check as a program reported it, without its samples. */
export interface ReportedCheck {
  name: string | undefined
  /** The name of the table, as the program calls it. */
  model: string | undefined
  /** The name of the data in the program, which is often that of the table; only if it does not report the table. */
  dataName: string | undefined
  /** The path of the column: `a.b`, `a[]`. */
  field: string | undefined
  outcome: CheckOutcome
  /** The measured number; undefined = none. */
  value: number | undefined
  /** The id of the rule in the contract. */
  ruleId: string | undefined
  /** The rule as YAML; some of its members may be missing. */
  definition: string | undefined
  /** The metrics of ODCS that the check may measure, the best one first. */
  metrics: readonly string[]
  /** The position of the rule in the list of its model or field. */
  index: number | undefined
  /** The identity of the check in the program, equal in all runs. */
  identity: string | undefined
  /** The name of the check in its run; others may have it, too. */
  key: string
}

/** A check as it was sent. */
export interface SentCheck {
  check: Value
  /** The name of the data that the check is about, in the program; undefined = the check itself has its place. */
  dataName: string | undefined
}

/** Returns the list of checks of a result; undefined if it has none. */
export function findChecks(result: Value | undefined): readonly SentCheck[] | undefined {
  const checks = getField(result, 'checks')
  if (Array.isArray(checks)) return checks.map((check) => ({ check, dataName: undefined }))
  if (Array.isArray(getField(result, 'results'))) return listSuiteChecks(result)
  return listSuites(result)?.flatMap(listSuiteChecks)
}

// A checkpoint of Great Expectations has a validation for each suite and its data: `run_results` by their keys, which the
// versions before 1 put around it, or the list of its description.
function listSuites(result: Value | undefined): Value[] | undefined {
  const byKey = getField(result, 'run_results')
  if (isObject(byKey))
    return Object.values(byKey).map((one) => getField(one, 'validation_result') ?? one)
  const described = getField(result, 'validation_results')
  return Array.isArray(described) ? described : undefined
}

function listSuiteChecks(suite: Value | undefined): SentCheck[] {
  const batch = getField(getField(suite, 'meta'), 'active_batch_definition')
  const dataName = readText(batch, 'data_asset_name')
  const checks = getField(suite, 'results') ?? getField(suite, 'expectations')
  if (!Array.isArray(checks)) return []
  return checks.filter((one) => !isDbtBuild(one)).map((check) => ({ check, dataName }))
}

// The results of `dbt build` have the models and seeds that it built, too.
function isDbtBuild(result: Value): boolean {
  const id = asText(getField(result, 'unique_id'))
  return id !== undefined && !/^(?:unit_)?test\./.test(id)
}

/** Reads the checks of a result of any program. */
export function readChecks(sent: readonly SentCheck[]): ReportedCheck[] {
  const checks = sent.map(readCheck)
  const keys = sent.map(({ check }) => readText(check, 'key'))
  const lost = new Set(keys.filter((_, at) => checks[at]?.outcome === 'unknown'))
  lost.delete(undefined)
  // datacontract-cli writes the outcomes of all checks with one key into the first of them: it is that of any of its rules.
  return checks.map((check, at) =>
    lost.has(keys[at]) && !FAILING.includes(check.outcome)
      ? { ...check, outcome: 'unknown' }
      : check,
  )
}

/** Reads a check of any program, by itself. */
export function readCheck({ check, dataName }: SentCheck): ReportedCheck {
  if (findExpectation(check) !== undefined) return { ...readExpectation(check), dataName }
  if (asText(getField(check, 'unique_id')) !== undefined) return readDbtTest(check)
  if (isSodaCheck(check)) return readSodaCheck(check)
  return readCommonCheck(check)
}

/** Returns the outcome of a check of any program. */
function readCheckOutcome(check: Value): CheckOutcome {
  const outcome = readOutcome(
    getField(check, 'result') ??
      getField(check, 'outcome') ??
      getField(check, 'status') ??
      getField(check, 'success'),
  )
  // A check that datacontract-cli could not run arrives as failed.
  const isError = outcome === 'failed' && !isObject(getField(check, 'diagnostics'))
  const reason = asText(getField(check, 'reason')) ?? ''
  return isError && reason.startsWith('Error evaluating check') ? 'error' : outcome
}

// The types of checks of datacontract-cli and Soda, the expectations, and the tests of dbt.
const METRICS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['row_count', ['rowCount']],
  ['field_null_values', ['nullValues']],
  ['field_missing_values', ['missingValues']],
  ['field_invalid_values', ['invalidValues']],
  ['field_duplicate_values', ['duplicateValues']],
  ['model_duplicate_values', ['duplicateValues']],
  ['missing', ['missingValues', 'nullValues']],
  ['invalid', ['invalidValues']],
  ['duplicate', ['duplicateValues']],
  ['expect_table_row_count_to_be_between', ['rowCount']],
  ['expect_table_row_count_to_equal', ['rowCount']],
  ['expect_column_values_to_not_be_null', ['nullValues', 'missingValues']],
  ['expect_column_values_to_be_unique', ['duplicateValues']],
  ['expect_compound_columns_to_be_unique', ['duplicateValues']],
  ['expect_column_values_to_be_in_set', ['invalidValues']],
  ['expect_column_values_to_match_regex', ['invalidValues']],
  ['not_null', ['nullValues', 'missingValues']],
  ['unique', ['duplicateValues']],
  ['accepted_values', ['invalidValues']],
  ...['rowCount', 'nullValues', 'missingValues', 'invalidValues', 'duplicateValues'].map(
    (metric) => [metric, [metric]] as const,
  ),
])

function toMetrics(type: string | undefined): readonly string[] {
  return METRICS.get(type ?? '') ?? []
}

/** The name of `<model>__<field>__quality_sql_2` has the position of its rule. */
const INDEXED = /__quality_(?:sql|custom\w*)_(\d{1,6})$/

function readCommonCheck(check: Value): ReportedCheck {
  const diagnostics = getField(check, 'diagnostics')
  const key = readText(check, 'key')
  const index = INDEXED.exec(key ?? '')?.[1]
  const type = readText(check, 'type')
  const name = readText(check, 'name')
  const model = readText(check, 'model')
  const field = readText(check, 'field')
  return {
    name,
    model,
    dataName: undefined,
    field,
    outcome: readCheckOutcome(check),
    value:
      readNumber(getField(check, 'value')) ??
      readNumber(getField(diagnostics, 'value')) ??
      readNumber(getField(diagnostics, 'age_seconds')) ??
      readNumber(getField(check, 'failedNumber')),
    ruleId: readText(check, 'qualityId') ?? readText(check, 'qualityReference'),
    definition: readText(check, 'qualityDefinition') ?? readText(check, 'qualityCheckDefinition'),
    metrics: toMetrics(type),
    index: index === undefined ? undefined : Number(index),
    // The `id` of datacontract-cli is another one in each run.
    identity: undefined,
    key: `key:${key ?? JSON.stringify([model ?? '', field ?? '', type ?? '', name ?? ''])}`,
  }
}

function isSodaCheck(check: Value): boolean {
  return (
    isObject(getField(check, 'identities')) ||
    asText(getField(check, 'checkPath')) !== undefined ||
    asText(getField(check, 'check_path')) !== undefined
  )
}

function readSodaCheck(check: Value): ReportedCheck {
  const path = readText(check, 'checkPath') ?? readText(check, 'check_path')
  const identity = readText(getField(check, 'identities'), 'vc1') ?? readText(check, 'identity')
  const diagnostics = getField(check, 'diagnostics')
  const type = readText(check, 'checkType') ?? path?.split('.').at(-1)
  return {
    name: readText(check, 'name'),
    model: readText(check, 'table') ?? readText(check, 'dataset'),
    dataName: undefined,
    field: readText(check, 'column'),
    outcome: readCheckOutcome(check),
    value: readNumber(getField(diagnostics, 'value')) ?? readNumber(getField(check, 'value')),
    ruleId: undefined,
    definition: undefined,
    metrics: toMetrics(type),
    index: undefined,
    identity: identity === undefined ? undefined : `soda:${identity}`,
    key: `soda:${JSON.stringify([readText(check, 'table') ?? '', path ?? type ?? ''])}`,
  }
}

// Descriptions of checkpoints have the members of an expectation beside its outcome.
function findExpectation(check: Value): Value | undefined {
  const config = getField(check, 'expectation_config')
  if (isObject(config)) return config
  const isDescribed =
    readText(check, 'expectation_type') !== undefined && isObject(getField(check, 'kwargs'))
  return isDescribed ? check : undefined
}

function readExpectation(check: Value): ReportedCheck {
  const config = findExpectation(check)
  const type = readText(config, 'type') ?? readText(config, 'expectation_type')
  const kwargs = getField(config, 'kwargs')
  const result = getField(check, 'result')
  const id = readText(config, 'id')
  // The batch is another one in each run.
  const named = isObject(kwargs)
    ? Object.entries(kwargs)
        .filter(([name]) => name !== 'batch_id')
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
    : []
  return {
    name: readText(getField(config, 'meta'), 'name') ?? readText(config, 'description') ?? type,
    model: undefined,
    dataName: undefined,
    field: readText(kwargs, 'column'),
    outcome: readExpectationOutcome(check),
    value:
      readNumber(getField(result, 'observed_value')) ??
      readNumber(getField(result, 'unexpected_count')),
    ruleId: undefined,
    definition: undefined,
    metrics: toMetrics(type),
    index: undefined,
    identity: id === undefined ? undefined : `ge:${id}`,
    key: `ge:${JSON.stringify([type ?? '', named])}`,
  }
}

function readExpectationOutcome(check: Value): CheckOutcome {
  const info = getField(check, 'exception_info')
  // With several metrics there is an object for each.
  const infos = [info, ...(isObject(info) ? Object.values(info) : [])]
  if (infos.some((one) => getField(one, 'raised_exception') === true)) return 'error'
  return readOutcome(getField(check, 'success'))
}

/** `test.<package>.<name>.<hash>`, of a generic test; a singular one has no hash. */
const DBT_TEST = /^test\.[^.]+\.(.+?)(?:\.[0-9a-f]{10})?$/
const DBT_GENERIC = /^(?:source_)?(not_null|unique|accepted_values)_/

function readDbtTest(check: Value): ReportedCheck {
  const id = readText(check, 'unique_id') ?? ''
  const name = DBT_TEST.exec(id)?.[1] ?? id
  return {
    name,
    model: undefined,
    dataName: undefined,
    field: readText(check, 'column_name'),
    outcome: readCheckOutcome(check),
    value: readNumber(getField(check, 'failures')),
    ruleId: undefined,
    definition: undefined,
    metrics: toMetrics(DBT_GENERIC.exec(name)?.[1]),
    index: undefined,
    identity: `dbt:${id}`,
    key: `dbt:${id}`,
  }
}

function readText(value: Value | undefined, name: string): string | undefined {
  return asText(getField(value, name)) || undefined
}

function readNumber(value: Value | undefined): number | undefined {
  const number = value instanceof ExactNumber ? Number(value.text) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}
