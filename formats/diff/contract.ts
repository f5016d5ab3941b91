// Compares two versions of a data contract by meaning: its models, servers, service levels and descriptions.

import { ODCS_2 } from '../data-contract/convert/odcs-2-models.ts'
import { comparableOdcs3 } from '../data-contract/convert/odcs-2.ts'
import { odcsFromDcs } from '../data-contract/convert/convert.ts'
import { findPlatform } from '../data-contract/contract-fields.ts'
import type { DataContract, ContractFormat } from '../data-contract/data-contract.ts'
import { isOdcs2 } from '../data-contract/detect.ts'
import { findComparableReader } from '../data-contract/read-specification.ts'
import { ODCS_NEWEST } from '../data-contract/odcs/shape.ts'
import { readModels, readOdcsModels } from '../data-contract/models.ts'
import { canonicalShape } from '../data-contract/read.ts'
import {
  detectSpecificationPlatform,
  specificationPlatform,
} from '../data-contract/read-specification.ts'
import { NOWHERE } from '../shape/inspect.ts'
import { Notes } from '../text/problem.ts'
import type { Model } from '../schema/model.ts'
import type { TypeReading } from '../schema/schema-language.ts'
import type { Platform } from '../schema/types/native-type.ts'
import { any, type Shape } from '../shape/shape.ts'
import { getField, isObject, type ObjectValue, asText, type Value } from '../text/value.ts'
import { contractDialect } from './contract-dialect.ts'
import { KnownTypes } from './known-types.ts'
import { type Change } from './level.ts'
import type { Aspect } from './model-changes.ts'
import { DCS_LAYOUT, type ModelLayout, ODCS_2_LAYOUT, ODCS_LAYOUT } from './model-layout.ts'
import { compareModels } from './models.ts'
import { findNameRules } from './name-rules.ts'
import { omitFields } from './pair.ts'
import { ServerPlaces } from './places.ts'
import { isSame } from './same.ts'
import { explainVariables } from './variable-change.ts'
import { Walk } from './walk.ts'
import { markPolicyTags } from './warehouse-traits.ts'

/** A parsed data contract with its document. */
interface ReadContract {
  contract: DataContract
  value: Value
  canonical: string
}

/**
 * Lists the changes from one version to the next; empty if and only if both mean the same. Versions in different
 * formats, including ODCS 2.2 and 3, are compared in their ODCS 3 form, and the paths point into that form.
 */
export function diffDataContracts(before: ReadContract, after: ReadContract): Change[] {
  const { format } = after.contract
  if (before.contract.format !== format || isVersion2(before) !== isVersion2(after)) {
    return diffFormats(before, after)
  }
  // Comparing canonical texts gives the same result but requires writing them first.
  const shapes = [before, after].map(({ value }) => getDocumentShape(value, format))
  if (shapes[0] === shapes[1] && isSame(before.value, after.value, shapes[0] ?? any)) return []
  const readDefinitions =
    isObject(before.value) && isObject(after.value)
      ? findComparableReader(before.value, after.value)
      : undefined
  const changes = diffForms(
    toForm(before, readDefinitions),
    toForm(after, readDefinitions),
    format === 'dcs',
  )
  if (changes.length > 0) return changes
  const message = 'Only the notation of the document changed; its meaning is the same.'
  return [{ path: '', kind: 'changed', level: 'wording', before: null, after: null, message }]
}

/** The changes between two documents in the form of the standard that has paths for them. */
export interface StandardDiff {
  before: Value
  after: Value
  changes: Change[]
  /** The property that a change of a model or field is about. */
  aspects: ReadonlyMap<Change, Aspect>
}

/** Lists the changes between two versions in their ODCS form; their own formats may differ. */
export function diffAsOdcs(before: ReadContract, after: ReadContract): StandardDiff {
  const isOdcs = [before, after].every(({ contract }) => contract.format === 'odcs')
  const isOwn = isOdcs && isVersion2(before) === isVersion2(after)
  const forms = isOwn
    ? { one: toForm(before), other: toForm(after) }
    : { one: odcsForm(before, after), other: odcsForm(after, before) }
  const { changes, aspects } = compareForms(forms.one, forms.other, false)
  const own = isOwn ? changes : changes.filter((change) => !isFromConversion(change))
  return { before: forms.one.value, after: forms.other.value, changes: own, aspects }
}

function getDocumentShape(value: Value, format: ContractFormat): Shape {
  return isObject(value) ? canonicalShape(value, format) : any
}

const NAMES = { odcs: 'ODCS', dcs: 'DCS' }

function isVersion2({ contract, value }: ReadContract): boolean {
  return contract.format === 'odcs' && isObject(value) && isOdcs2(value)
}

// A contract in the form in which it is compared.
interface Form {
  value: Value
  /** Reads the models; `otherwise` is how types are read in a document that does not determine their platform. */
  models: (otherwise: TypeReading) => readonly Model[]
  platform: Platform | undefined
  /** The platform that the text of a script shows, which is only a guess. */
  dialect: Platform | undefined
  contract: DataContract
}

function toForm(
  { contract, value }: ReadContract,
  readDefinitions?: (value: ObjectValue) => Model[],
): Form {
  const platform = specificationPlatform(value, findPlatform(contract.servers).platform)
  const dialect = platform === undefined ? detectSpecificationPlatform(value) : undefined
  const models = (otherwise: TypeReading): readonly Model[] => {
    if (!isObject(value)) return contract.models
    if (readDefinitions !== undefined) return readDefinitions(value)
    if (!otherwise.areTypesOpen && otherwise.platform === (platform ?? dialect)) {
      return contract.models
    }
    return readModels(value, contract.format, new Notes(NOWHERE), otherwise)
  }
  return { value, models, platform, dialect, contract }
}

function diffFormats(before: ReadContract, after: ReadContract): Change[] {
  const isSameFormat = before.contract.format === after.contract.format
  const [one, other] = [before, after].map((read) => getStandardName(read, isSameFormat))
  const message = `The document is in ${other} now; it was in ${one}.`
  const formats = isSameFormat
    ? { before: before.contract.formatVersion ?? null, after: after.contract.formatVersion ?? null }
    : { before: before.contract.format, after: after.contract.format }
  const change: Change = { path: '', kind: 'changed', level: 'wording', ...formats, message }
  const changes = diffForms(odcsForm(before, after), odcsForm(after, before), false)
  return [change, ...changes.filter((one) => !isFromConversion(one))]
}

function getStandardName(read: ReadContract, withVersion: boolean): string {
  const { format, formatVersion } = read.contract
  if (!withVersion) return NAMES[format]
  return `${NAMES[format]} ${formatVersion ?? (isVersion2(read) ? 'v2.2' : 'v3')}`
}

function odcsForm(read: ReadContract, other: ReadContract): Form {
  const form = toForm(read)
  const value = odcsValue(read, other)
  if (value === read.value || !isObject(value)) return form
  const models = ({ platform }: TypeReading): Model[] =>
    readOdcsModels(value, new Notes(NOWHERE), platform)
  return { ...form, value, models }
}

function odcsValue(read: ReadContract, other: ReadContract): Value {
  const { format, id } = read.contract
  if (format === 'dcs') return odcsFromDcs(read.value, id)
  if (!isVersion2(read)) return read.value
  const later = other.contract.format === 'dcs' ? odcsFromDcs(other.value, id) : other.value
  return comparableOdcs3(read.value, id, later)
}

// Marks that the conversion adds to record original positions are not part of the meaning.
function isFromConversion({ path, before, after }: Change): boolean {
  const item = after ?? before
  const property = asText(getField(item, 'property')) ?? ''
  const isConversionProperty = property.startsWith('dcs.') || property.startsWith(ODCS_2)
  return ['/apiVersion', '/kind'].includes(path) || isConversionProperty
}

function diffForms(before: Form, after: Form, isDcs: boolean): Change[] {
  return compareForms(before, after, isDcs).changes
}

function compareForms(
  before: Form,
  after: Form,
  isDcs: boolean,
): Omit<StandardDiff, 'before' | 'after'> {
  const readings = getTypeReadings(before, after)
  const platforms = { before: readings.before.platform, after: readings.after.platform }
  const isOwn = isDcs && [before, after].every(({ contract }) => contract.schemaType === undefined)
  const ownTypes = isOwn ? 'dcs' : undefined
  const isSchemaSame = platforms.before === platforms.after && haveSameSchema(before, after)
  const [older, newer] = isSchemaSame
    ? [[], []]
    : [listModels(before, readings.before), listModels(after, readings.after)]
  const changes = compareModels(older, newer, {
    platforms: { ...platforms, known: new KnownTypes(ownTypes) },
    isOrdered: !isDcs || isOrderSignificant(after.value),
    places: new ServerPlaces(before.contract.servers),
    names: findNameRules([before.contract, after.contract]),
    areNamespacesPlaces: [before, after].every(({ contract }) =>
      PLACE_LANGUAGES.has(contract.schemaType?.toLowerCase() ?? ''),
    ),
  })
  const layout = isDcs ? DCS_LAYOUT : getLayout(before.value, after.value)
  const walk = new Walk(contractDialect(isDcs, changes, layout))
  const shape = isDcs ? canonicalShape({}, 'dcs') : getShape(before.value, after.value)
  const [one, other] = [before, after].map(({ value }) =>
    isSchemaSame && isObject(value) ? omitFields(value, SCHEMA_FIELDS) : value,
  )
  const all = [...changes.list, ...walk.documents(one ?? null, other ?? null, shape)]
  return { changes: explainVariables(all), aspects: changes.aspects }
}

// A document that does not determine the platform of its types has that of the other one: no statement changes it. The
// dialect of a script is a guess, which only counts if both scripts lead to it.
function getTypeReadings(before: Form, after: Form): { before: TypeReading; after: TypeReading } {
  const [one, other] = [before.platform ?? after.platform, after.platform ?? before.platform]
  if (one !== undefined && other !== undefined) {
    return { before: readAs(one), after: readAs(other) }
  }
  const isSame = before.dialect === after.dialect
  const reading = { platform: isSame ? before.dialect : undefined, areTypesOpen: !isSame }
  return { before: reading, after: reading }
}

function readAs(platform: Platform): TypeReading {
  return { platform, areTypesOpen: false }
}

function listModels({ models, contract }: Form, reading: TypeReading): readonly Model[] {
  const isBigQuery = contract.schemaType?.toLowerCase() === 'bigquery'
  return isBigQuery ? markPolicyTags(models(reading)) : models(reading)
}

// The schema languages whose namespaces are places in databases. The schema of a dbt model is only the end of one.
const PLACE_LANGUAGES: ReadonlySet<string> = new Set(['sql-ddl', 'bigquery'])

// The fields that contain the models. They are usually unchanged; then no models are built.
const SCHEMA_FIELDS = ['schema', 'dataset', 'models', 'definitions']

function haveSameSchema({ value: before }: Form, { value: after }: Form): boolean {
  return SCHEMA_FIELDS.every((name) => {
    const [older, newer] = [getField(before, name), getField(after, name)]
    if (older === undefined || newer === undefined) return older === newer
    return isSame(older, newer, any)
  })
}

// The order of fields has no meaning in a map, but does in a specification or a list.
function isOrderSignificant(value: Value): boolean {
  const specification = getField(getField(value, 'schema'), 'specification')
  return specification !== undefined && getField(value, 'models') === undefined
}

function getShape(before: Value, after: Value) {
  const isBoth2 = [before, after].every((value) => isObject(value) && isOdcs2(value))
  return isBoth2 && isObject(after) ? canonicalShape(after, 'odcs') : ODCS_NEWEST
}

function getLayout(before: Value, after: Value): ModelLayout {
  return getShape(before, after) === ODCS_NEWEST ? ODCS_LAYOUT : ODCS_2_LAYOUT
}
