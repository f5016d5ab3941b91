// The checks that Portbook itself can run for a contract: for each table one list of measures, and for each rule the
// measure and the threshold, or why the rule is not tested. Rules with SQL, patterns or an own program are never run:
// their author would read with the rights of another team.

import type { DataContract } from '../../data-contract/data-contract.ts'
import { asText, getField, jsonText, type Value } from '../../text/value.ts'
import type { Field, Model } from '../../schema/model.ts'
import type { ActualColumn, ActualModel } from '../actual.ts'
import { matchColumns } from '../columns.ts'
import { readComparedValues } from './compared-values.ts'
import { listFreshnessRules, type FreshnessRule } from './freshness-rules.ts'
import {
  DUPLICATES_MAX,
  KEY_COLUMNS_MAX,
  MEASURES_MAX,
  TABLE_VALUES_MAX,
  type ComparedValues,
  type CountMeasure,
  type TableMeasures,
} from './measure.ts'
import { listPlacedRules, type PlacedRule } from './rule-places.ts'
import { readThreshold, type Threshold } from './threshold.ts'

/** A check of a rule, ready to be judged. */
export interface PlannedCheck {
  /** The name that datacontract-cli has for the same check. */
  key: string
  type: string
  category: 'quality' | 'servicelevel'
  name: string
  /** The name of the table in the contract. */
  table: string
  field?: string
  /** The id of the rule or service level. */
  id?: string
  /** The rule as JSON. */
  definition?: string
  dimension?: string
  /** The number that is judged, or why none is, as a sentence without its end. */
  test: CheckTest
}

/** The number that a check judges, or why it judges none. */
type CheckTest =
  | {
      kind: 'count'
      /** The position in the counts of the table; undefined = its rows. */
      at?: number
      threshold: Threshold
      isPercent: boolean
      /** A failure is only a warning. */
      isWarning: boolean
    }
  | { kind: 'age'; seconds: number }
  | { kind: 'none'; reason: string }

/** The checks of one table. */
export interface TablePlan {
  /** The name of the model. */
  model: string
  measures: TableMeasures
  checks: PlannedCheck[]
}

/** The table of a model, or why it cannot be measured. */
export type ModelTable = ActualModel | { reason: string }

/** Lists the models that have rules or a service level about one of their columns. */
export function listTestedModels(contract: DataContract, document: Value): string[] {
  const rules = listPlacedRules(contract, document)
  const models = [...rules, ...listFreshnessRules(contract, document)].map(({ model }) => model)
  return contract.models.filter((model) => models.includes(model)).map(({ name }) => name)
}

/** Plans the checks of a contract, by the tables of its models. */
export function planTests(
  contract: DataContract,
  document: Value,
  tables: ReadonlyMap<string, ModelTable>,
): TablePlan[] {
  const rules = Map.groupBy(listPlacedRules(contract, document), ({ model }) => model)
  const levels = Map.groupBy(listFreshnessRules(contract, document), ({ model }) => model)
  return contract.models.flatMap((model) => {
    const [own = [], aging = []] = [rules.get(model), levels.get(model)]
    if (own.length === 0 && aging.length === 0) return []
    const table = tables.get(model.name) ?? {
      reason: 'the contract has another model of this name',
    }
    return [new TablePlanner(model, table).plan(own, aging)]
  })
}

/** Checks whether a plan measures anything. */
export function isTestable({ checks }: TablePlan): boolean {
  return checks.some(({ test }) => test.kind !== 'none')
}

class TablePlanner {
  readonly #model: Model
  readonly #table: ModelTable
  readonly #columns: ReadonlyMap<Field, ActualColumn>
  readonly #counts: CountMeasure[] = []
  readonly #places = new Map<string, number>()
  #newest: string | undefined
  #duplicatesCount = 0
  #valuesCount = 0

  constructor(model: Model, table: ModelTable) {
    this.#model = model
    this.#table = table
    this.#columns =
      'reason' in table
        ? new Map()
        : matchColumns(model.fields, table.columns, {
            platform: table.platform,
            fieldName: ({ name, physicalName }) => physicalName ?? name,
            columnName: ({ field }) => field.name,
          }).pairs
  }

  plan(rules: readonly PlacedRule[], levels: readonly FreshnessRule[]): TablePlan {
    const checks = [
      ...rules.map((rule) => this.#check(rule)),
      ...levels.map((level) => this.#age(level)),
    ]
    const newest = this.#newest === undefined ? {} : { newest: this.#newest }
    return { model: this.#model.name, measures: { counts: this.#counts, ...newest }, checks }
  }

  #check({ field, isNested, rule, id }: PlacedRule): PlannedCheck {
    const metric = asText(getField(rule, 'metric')) ?? asText(getField(rule, 'rule'))
    const type = METRIC_TYPES.get(metric ?? '')
    const table = getName(this.#model)
    const place = field === undefined ? table : `${table}__${getName(field)}`
    const kind = type?.[field === undefined ? 'model' : 'field'] ?? 'quality_rule'
    const test = this.#test(rule, { metric, field, isNested })
    const title = asText(getField(rule, 'name')) || asText(getField(rule, 'description'))
    const dimension = asText(getField(rule, 'dimension'))
    return {
      key: `${place}__${kind}`,
      type: kind,
      category: 'quality',
      name: title || `${metric ?? 'Rule'} of ${place.replace('__', '.')}`,
      table,
      ...(field !== undefined && { field: getName(field) }),
      ...(id !== undefined && { id }),
      definition: jsonText(rule),
      ...(dimension !== undefined && { dimension }),
      test,
    }
  }

  #test(
    rule: Value,
    {
      metric,
      field,
      isNested,
    }: { metric: string | undefined; field: Field | undefined; isNested: boolean },
  ): CheckTest {
    const reason = findObstacle(rule, metric, field) ?? this.#findTableObstacle(field, isNested)
    if (reason !== undefined) return { kind: 'none', reason }
    const threshold = readThreshold(rule)
    if (threshold === undefined)
      return { kind: 'none', reason: 'the rule has no threshold with numbers' }
    const at = metric === 'rowCount' ? undefined : this.#measure(rule, metric ?? '', field)
    if (typeof at === 'string') return { kind: 'none', reason: at }
    return {
      kind: 'count',
      ...(at !== undefined && { at }),
      threshold,
      isPercent: isPercent(rule),
      isWarning: WARNINGS.has(asText(getField(rule, 'severity'))?.trim().toLowerCase() ?? ''),
    }
  }

  #findTableObstacle(field: Field | undefined, isNested: boolean): string | undefined {
    if ('reason' in this.#table) return this.#table.reason
    if (isNested) return 'the field is inside a column'
    if (field === undefined || this.#columns.has(field)) return undefined
    return `the table has no column ${getName(field)}`
  }

  // The position of a measure, or why it cannot be taken.
  #measure(rule: Value, metric: string, field: Field | undefined): number | string {
    const made = this.#toMeasure(rule, metric, field)
    if (typeof made === 'string') return made
    const text = JSON.stringify(made)
    const before = this.#places.get(text)
    if (before !== undefined) return before
    if (this.#counts.length >= MEASURES_MAX)
      return `the table has more than ${MEASURES_MAX} measures`
    if (made.count === 'duplicates' && ++this.#duplicatesCount > DUPLICATES_MAX) {
      return `the table has more than ${DUPLICATES_MAX} rules about duplicates`
    }
    if ('values' in made) this.#valuesCount += made.values.texts.length
    if (this.#valuesCount > TABLE_VALUES_MAX) {
      return `the rules of the table have more than ${TABLE_VALUES_MAX} values`
    }
    this.#places.set(text, this.#counts.length)
    return this.#counts.push(made) - 1
  }

  #toMeasure(rule: Value, metric: string, field: Field | undefined): CountMeasure | string {
    const given = getField(rule, 'arguments')
    const column = field === undefined ? undefined : this.#columns.get(field)
    if (metric === 'duplicateValues') return this.#toDuplicates(given, column)
    if (column === undefined) return 'the rule is about a column, and names none'
    const name = column.field.name
    if (metric === 'nullValues') return { count: 'nulls', column: name }
    const isMissing = metric === 'missingValues'
    const list = getField(given, isMissing ? 'missingValues' : 'validValues') ?? []
    if (!Array.isArray(list)) return 'its values are not a list'
    const values = readValues(list, column)
    if (typeof values === 'string') return values
    if (isMissing && values.texts.length === 0) return { count: 'nulls', column: name }
    return { count: isMissing ? 'missing' : 'invalid', column: name, values }
  }

  #toDuplicates(given: Value | undefined, column: ActualColumn | undefined): CountMeasure | string {
    const columns = column === undefined ? this.#findColumns(given) : [column]
    if (typeof columns === 'string') return columns
    const other = columns.find(({ field }) => !COUNTABLE.has(field.logicalType) || isXml(field))
    if (other !== undefined) return `values of the column ${other.field.name} cannot be grouped`
    return { count: 'duplicates', columns: columns.map(({ field }) => field.name) }
  }

  #findColumns(given: Value | undefined): ActualColumn[] | string {
    const names = getField(given, 'properties')
    if (!Array.isArray(names) || names.length === 0) return 'the rule names no properties'
    if (names.length > KEY_COLUMNS_MAX) return `it names more than ${KEY_COLUMNS_MAX} properties`
    const columns: ActualColumn[] = []
    for (const name of names) {
      const field = this.#model.fields.find((one) => one.name === name || one.physicalName === name)
      const column = field === undefined ? undefined : this.#columns.get(field)
      if (column === undefined) return 'the table lacks a column of its properties'
      columns.push(column)
    }
    return columns
  }

  #age({ field, seconds, level, id }: FreshnessRule): PlannedCheck {
    const table = getName(this.#model)
    const name = field === undefined ? table : `${table}.${getName(field)}`
    return {
      key: `${name.replace('.', '__')}__servicelevel_freshness`,
      type: 'servicelevel_freshness',
      category: 'servicelevel',
      name: `Freshness of ${name} is less than ${level}`,
      table,
      ...(field !== undefined && { field: getName(field) }),
      ...(id !== undefined && { id }),
      test: this.#testAge(field, seconds),
    }
  }

  #testAge(field: Field | undefined, seconds: number | undefined): CheckTest {
    const reason = this.#findTableObstacle(field, false)
    if (reason !== undefined) return { kind: 'none', reason }
    const column = field === undefined ? undefined : this.#columns.get(field)?.field
    if (column === undefined) return { kind: 'none', reason: 'its element is not a column' }
    if (seconds === undefined) return { kind: 'none', reason: 'its value is not a duration' }
    if (column.logicalType !== 'timestamp' && column.logicalType !== 'date') {
      return { kind: 'none', reason: `the column ${column.name} has no points in time` }
    }
    this.#newest ??= column.name
    return this.#newest === column.name
      ? { kind: 'age', seconds }
      : { kind: 'none', reason: 'only one column of a table is read for its newest time' }
  }
}

// The metrics of the standard with the types of checks of datacontract-cli.
const METRIC_TYPES: ReadonlyMap<string, { model?: string; field?: string }> = new Map([
  ['rowCount', { model: 'row_count' }],
  ['nullValues', { field: 'field_null_values' }],
  ['missingValues', { field: 'field_missing_values' }],
  ['invalidValues', { field: 'field_invalid_values' }],
  ['duplicateValues', { model: 'model_duplicate_values', field: 'field_duplicate_values' }],
])

const WARNINGS = new Set(['info', 'warning', 'warn', 'low', 'minor', 'trivial'])
const PERCENT_METRICS = new Set(['nullValues', 'missingValues', 'invalidValues'])
const COUNTABLE = new Set('string integer number boolean date time timestamp'.split(' '))

function isXml({ physicalType }: Field): boolean {
  return physicalType?.trim().toLowerCase() === 'xml'
}

function isPercent(rule: Value): boolean {
  const unit = asText(getField(rule, 'unit'))?.trim().toLowerCase()
  return unit === 'percent' || unit === '%'
}

// Why a rule is not tested, regardless of its table.
function findObstacle(
  rule: Value,
  metric: string | undefined,
  field: Field | undefined,
): string | undefined {
  const type = asText(getField(rule, 'type'))?.trim().toLowerCase() ?? 'library'
  if (type !== 'library')
    return TYPE_REASONS.get(type) ?? `rules of the type ${type} are not run here`
  const types = METRIC_TYPES.get(metric ?? '')
  if (types === undefined) return `the metric ${metric ?? 'of the rule'} is not measured here`
  if (types[field === undefined ? 'model' : 'field'] === undefined) {
    return `${metric ?? ''} is not a metric of a ${field === undefined ? 'model' : 'field'}`
  }
  if (isPercent(rule) && !PERCENT_METRICS.has(metric ?? '')) {
    return `${metric ?? ''} has no percentage`
  }
  const given = getField(rule, 'arguments')
  if (metric === 'invalidValues' && (getField(given, 'pattern') ?? null) !== null) {
    return 'patterns are never run'
  }
  if (metric === 'invalidValues' && !Array.isArray(getField(given, 'validValues'))) {
    return 'the rule names no valid values'
  }
  return undefined
}

const TYPE_REASONS: ReadonlyMap<string, string> = new Map([
  ['sql', 'SQL of a contract is never run'],
  ['custom', 'custom rules need their own program'],
  ['text', 'the rule is only a text'],
])

function readValues(list: readonly Value[], column: ActualColumn): ComparedValues | string {
  const reading = readComparedValues(list, column)
  return reading.ok ? reading.values : reading.reason
}

function getName({ name, physicalName }: Model | Field): string {
  return physicalName ?? name
}
