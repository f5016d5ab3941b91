// Compares two versions of a contract's models. A contract promises data; a change is breaking if some data that the
// new promise allows would have violated the old one.

import type { Field, Model, QualityCheck } from '../schema/model.ts'
import { clip, type Value } from '../text/value.ts'
import { alignNames } from './align-names.ts'
import { comparePhysicalNames, type Reasons } from './aspects.ts'
import { reportDescriptions } from './descriptions.ts'
import { compareFields, type FieldOptions } from './field.ts'
import { checkDescription, describeTraits, fieldDescription, type Platforms } from './field-type.ts'
import { KnownTypes } from './known-types.ts'
import type { Change } from './level.ts'
import { matchNamed } from './match.ts'
import { toLevel, ModelChanges } from './model-changes.ts'
import type { NameRules } from './name-rules.ts'
import { type ServerPlaces, splitPhysicalName } from './places.ts'
import { compareChecks } from './quality.ts'
import { changeSentence, describeRemoval } from './sentence.ts'
import { isRuleImplied } from './sql-rules.ts'
import { compareTraits } from './traits.ts'

/** Options of a comparison of models. */
interface ModelOptions {
  /** The platforms that the types of both versions are written for. */
  platforms?: Platforms
  /** False if fields are in a map, whose order has no meaning. */
  isOrdered?: boolean
  /** The places of names that are not qualified, by the servers of the older contract; undefined = unknown. */
  places?: ServerPlaces | undefined
  /** Whether namespaces are places in databases. */
  areNamespacesPlaces?: boolean
  /** Which names the database takes for the same; undefined = only equal ones. */
  names?: NameRules
}

/**
 * Lists the changes from one version of models to the next. Models and fields are matched by name. The path of a
 * change is the `origin` in the newer version, or in the older version for removed members.
 */
export function diffModels(
  before: readonly Model[],
  after: readonly Model[],
  options: ModelOptions = {},
): Change[] {
  return compareModels(before, after, options).list
}

/** Compares models, and records which parts of the documents their changes explain. */
export function compareModels(
  older: readonly Model[],
  newer: readonly Model[],
  options: ModelOptions,
): ModelChanges {
  const { platforms = {}, isOrdered = true, names } = options
  const changes = new ModelChanges()
  changes.isUnread = older.length + newer.length === 0
  changes.hasFirstModels = older.length === 0 && newer.length > 0
  const { before, after } =
    names === undefined ? { before: older, after: newer } : alignNames(changes, older, newer, names)
  const matches = matchNamed(before, after, describeModel)
  const fieldOptions = { platforms: { known: new KnownTypes(), ...platforms }, isOrdered }
  for (const pair of matches.pairs) {
    if (pair.renamed) reportRenamed(changes, pair.before, pair.after)
    else compareModel(changes, pair.before, pair.after, { ...options, fields: fieldOptions })
  }
  for (const model of matches.removed) {
    const message = `Model ${clip(model.name)} was removed; consumers that read it fail.`
    changes.reportRemoved(model.origin, modelSummary(model), describeRemoval(message, model))
  }
  for (const model of matches.added) {
    const message = `Model ${clip(model.name)} was added; all previous promises still hold.`
    changes.reportAdded(model.origin, modelSummary(model), message)
  }
  return changes
}

function describeModel(model: Model): string {
  const { kind, namespace, description, fields, primaryKey, quality, tags, traits } = model
  const parts = fields.map((field) => [field.name, field.physicalName, fieldDescription(field)])
  const rules = quality.map(checkDescription)
  return JSON.stringify([
    kind,
    namespace,
    description,
    parts,
    primaryKey,
    rules,
    tags,
    describeTraits(traits),
  ])
}

function modelSummary({ name, kind, fields }: Model): Value {
  return { name, kind, fields: fields.map((field) => field.name) }
}

function reportRenamed(changes: ModelChanges, before: Model, after: Model): void {
  const message = `Model ${clip(before.name)} was renamed to ${clip(after.name)}; consumers that use the old name fail.`
  changes.report(after.origin, 'name', {
    level: 'breaking',
    kind: 'renamed',
    before: before.name,
    after: after.name,
    message: describeRemoval(message, before),
  })
  changes.renamed.set(after.origin, before.origin)
}

function compareModel(
  changes: ModelChanges,
  before: Model,
  after: Model,
  options: ModelOptions & { fields: FieldOptions },
): void {
  const label = clip(after.name)
  const subject = `Model ${label}`
  const { origin } = after
  reportKind(changes, subject, before, after)
  reportPhysicalName(changes, subject, before, after, options.places)
  reportNamespace(changes, subject, before, after, options)
  const owner = { label, noun: 'Model', origin }
  const isKept = (check: QualityCheck): boolean => isRuleImplied(check, after)
  const fields = reportKeptUnique(changes, label, before, after)
  const renames = compareFields(changes, before.fields, fields, owner, {
    ...options.fields,
    isKept,
  })
  reportPrimaryKey(changes, subject, before, after, renames)
  compareChecks(
    changes,
    { before: before.quality, after: after.quality },
    { origin, subject, isKept },
  )
  compareTraits(changes, subject, before, after)
  reportDescriptions(changes, subject, before, after)
}

// Tables and views are read the same way; every other kind is read differently. The kind `object` does not specify
// how.
function reportKind(changes: ModelChanges, subject: string, before: Model, after: Model): void {
  const [one, other] = [before.kind, after.kind]
  if (one === other) return
  const isQueried = [one, other].every((kind) => kind === 'table' || kind === 'view')
  const level = isQueried ? 'wording' : one === 'object' ? 'additive' : 'breaking'
  const reason = isQueried
    ? 'both are read the same way'
    : level === 'additive'
      ? 'it specifies how the data is read'
      : 'it must be read in a different way'
  const message = changeSentence(`${subject}: kind`, one, other, reason)
  changes.report(after.origin, 'kind', { level, before: one, after: other, message })
}

const NAME_REASONS = {
  same: 'queries use the same name as before',
  narrower: 'it adds the location of the model to its name',
  wider: '',
  different: 'queries that use the old name fail',
} as const satisfies Reasons

const UNKNOWN_PLACE =
  'it adds a location that the servers of the old contract do not have, so queries that use the old name may fail'

function reportPhysicalName(
  changes: ModelChanges,
  subject: string,
  before: Model,
  after: Model,
  places: ServerPlaces | undefined,
): void {
  const [one, other] = [before.physicalName, after.physicalName]
  if (one === other) return
  const [short, long] = [one ?? before.name, other ?? after.name].map(splitPhysicalName)
  const isSamePlace = places?.isSame(short ?? [], long ?? []) === true
  const verdict = isSamePlace ? 'narrower' : comparePhysicalNames(before, after)
  const isLonger =
    verdict === 'different' && `.${other ?? after.name}`.endsWith(`.${one ?? before.name}`)
  changes.report(after.origin, 'physicalName', {
    level: toLevel(verdict),
    before: one,
    after: other,
    message: changeSentence(
      `${subject}: physical name`,
      one,
      other,
      isLonger ? UNKNOWN_PLACE : NAME_REASONS[verdict],
    ),
  })
}

// A namespace is the place of a table (SQL), or a part of its full name that programs use (Avro, Protobuf).
function reportNamespace(
  changes: ModelChanges,
  subject: string,
  before: Model,
  after: Model,
  { places, areNamespacesPlaces = false }: ModelOptions,
): void {
  const [one, other] = [before.namespace, after.namespace]
  if (one === other) return
  const [short = [], long = []] = [one, other].map((path) => path?.split('.') ?? [])
  const isSamePlace =
    areNamespacesPlaces && places?.isSame([...short, after.name], [...long, after.name]) === true
  const isAdded = one === undefined
  const reason = isSamePlace
    ? 'it adds the location of the model to its name'
    : isAdded && areNamespacesPlaces
      ? UNKNOWN_PLACE
      : 'its full name changed'
  changes.report(after.origin, 'namespace', {
    level: isSamePlace ? 'additive' : 'breaking',
    before: one,
    after: other,
    message: changeSentence(`${subject}: namespace`, one, other, reason),
  })
}

// The values of a field stay unique if it is the primary key now. Returns the newer fields for the comparison.
function reportKeptUnique(
  changes: ModelChanges,
  label: string,
  before: Model,
  after: Model,
): readonly Field[] {
  const [key] = after.primaryKey
  const at = after.fields.findIndex(({ name }) => name === key)
  const field = after.fields[at]
  const older = before.fields.find(({ name }) => name === key)
  const isKey = field !== undefined && after.primaryKey.length === 1
  if (!isKey || field.unique || older?.unique !== true) return after.fields
  changes.report(field.origin, 'unique', {
    level: 'wording',
    before: true,
    after: false,
    message: changeSentence(
      `Field ${label}.${clip(field.name)}: unique`,
      true,
      false,
      'the field is the primary key now, so its values are still unique',
    ),
  })
  return after.fields.with(at, { ...field, unique: true })
}

// A renamed field keeps its place in the key.
function reportPrimaryKey(
  changes: ModelChanges,
  subject: string,
  before: Model,
  after: Model,
  renames: ReadonlyMap<string, string>,
): void {
  const [one, other] = [before.primaryKey, after.primaryKey]
  if (one.length === 0 && other.length === 0) return
  const expected = one.map((name) => renames.get(name) ?? name)
  if (JSON.stringify(expected) === JSON.stringify(other)) return
  const isSameSet = JSON.stringify(expected.toSorted()) === JSON.stringify(other.toSorted())
  const isFirst = one.length === 0
  const level = isSameSet ? 'wording' : isFirst ? 'additive' : 'breaking'
  const reason = isSameSet
    ? 'the same fields identify records'
    : isFirst
      ? 'these fields identify records now'
      : 'the old fields no longer identify records'
  const [from, to] = [one, other].map((key) => (key.length === 0 ? undefined : key))
  changes.report(after.origin, 'primaryKey', {
    level,
    before: from,
    after: to,
    message: changeSentence(`${subject}: primary key`, from, to, reason),
  })
}
