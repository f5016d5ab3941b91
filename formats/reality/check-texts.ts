// Texts in test results: reasons, errors and logs. Programs write them, and an error of a database repeats values of the
// data. Readers who may not see all columns get only those that consist of numbers and words without data.

import type { Field, Model } from '../schema/model.ts'

/** The members whose texts programs write about what they saw; everything inside of `diagnostics` and `logs` is one, too. */
export const TEXT_MEMBERS: ReadonlySet<string> = new Set([
  'reason',
  'details',
  'message',
  '_message',
  'exception_message',
  'exception_traceback',
  'exception_info',
  'error',
  'errors',
  'errorMessage',
  'stacktrace',
  'stdout',
  'stderr',
  'output',
  'value',
  'actual',
  'actualValue',
  'observed',
  'observedValue',
  'diagnostics',
  'logs',
])

// The words of datacontract-cli, dbt, Soda and Great Expectations in messages of checks, in their metrics and thresholds.
const WORDS: ReadonlySet<string> = new Set(
  `a above absent actual age all an and are array at be because below between boolean but by calculated check checks
  column columns configured contain contains contract count counts custom custom_sql data date days debug decimal difference do does
  duplicate duplicate_count duplicated duplicates empty end ended enum equal equals error errors evaluated expectation
  expectations expected fail failed fails failure failures field field_physical_type field_is_present field_present field_quality_sql field_required field_type fields for
  found freshness from full get got greater has have hours if in info int integer invalid invalid_count is key keys
  latest least length less limit longer map match matched matches max mean measured median metric min minutes model_quality_sql missing
  missing_count missing_reference_count more most must no not null number numeric object of ok old oldest only or outside
  pass passed percent present primary quality range regex required result results retention row row_count rows run running s
  satisfied satisfy schema seconds should shorter skipped some sql start started stddev string success sum table test testing
  tests text than that the threshold timestamp to total true false type types unchecked unique unsupported value values
  varchar w warn warning was were which with`.split(/\s+/),
)

/** Returns whether a text is visible to everyone: numbers, times, and words of checks or of a contract. */
export function isPlainText(text: string, contractWords: ReadonlySet<string>): boolean {
  return toWords(text).every(
    (word) => /^\d+(?:t\d+)?(?:z|e\d*)?$/.test(word) || WORDS.has(word) || contractWords.has(word),
  )
}

/** Lists the words in the names of the tables and columns of a contract, in lower case. */
export function listContractWords(models: readonly Model[]): Set<string> {
  return new Set(models.flatMap((model) => [...toNames(model), ...model.fields.flatMap(listNames)]))
}

function listNames(field: Field): string[] {
  const { items, keys, values, fields = [], branches = [] } = field
  const inner = [items, keys, values, ...fields, ...branches]
  return [...toNames(field), ...inner.flatMap((one) => (one === undefined ? [] : listNames(one)))]
}

function toNames({ name, physicalName }: Model | Field): string[] {
  return [...toWords(name), ...toWords(physicalName ?? '')]
}

function toWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}_]+/u)
    .filter((word) => word !== '')
}
