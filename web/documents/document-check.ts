import { findIdProblem, findSlashIdProblem } from '../../formats/name/document-id.ts'
import { RECORD_KINDS, type RecordName } from '../../formats/record/kinds.ts'
import type { RecordKind } from '../../formats/record/record-kind.ts'
import type { ReadOptions } from '../../formats/shape/inspect.ts'
import type { Problem } from '../../formats/text/problem.ts'
import { readText, type MediaType, type SourceText } from '../../formats/text/text.ts'
import {
  formatPath,
  ExactNumber,
  isObject,
  asText,
  valueAt,
  type Path,
  type Value,
} from '../../formats/text/value.ts'
import type { DocumentKind, TextProblem } from './document-kind.ts'
import { inTextOrder } from './document-order.ts'

/**
 * A text to check. `id` is the id of the stored document; if undefined, the text's own. `owner` is the owning
 * team if the text names none.
 */
export interface CheckRequest {
  reader: DocumentKind['reader']
  text: string
  mediaType: MediaType
  id?: string | undefined
  owner?: string | undefined
}

/** The parsed text with its errors and warnings. */
export interface CheckResult {
  /** Undefined = it cannot be read at all. Numbers are plain ones: this is for showing. */
  value: Value | undefined
  /** In the order of the text. */
  problems: TextProblem[]
  hasErrors: boolean
}

type Reader = (source: SourceText, options: ReadOptions) => Reading

/** The parts of a parse result that checks need. */
type Reading =
  | { ok: true; warnings: readonly Problem[] }
  | { ok: false; problems: readonly Problem[] }

/**
 * Loads the reader of a kind of document. The one for contracts includes all schema languages, which pages of
 * products do not need.
 */
export async function loadReader(reader: DocumentKind['reader']): Promise<Reader> {
  if (reader === 'data-product') {
    return (await import('../../formats/data-product/read.ts')).readDataProduct
  }
  if (reader === 'data-contract') {
    return (await import('../../formats/data-contract/read.ts')).readDataContract
  }
  const { readRecord } = await import('../../formats/record/read.ts')
  return (source, options) => readRecord(RECORD_KINDS[reader], source, options)
}

// What the server takes for contracts; products have fewer.
const NODES_MAX = 500_000

const NO_ID = 'Enter an id. It cannot be changed later.'
const NO_PORT_NAME = 'Enter a name for the port.'

/** Checks a text as the server will, and more: the id of a new document and the names of ports. */
export async function checkDocument(request: CheckRequest): Promise<CheckResult> {
  return checkWith(await loadReader(request.reader), request)
}

function checkWith(
  read: Reader,
  { reader, text, mediaType, id, owner }: CheckRequest,
): CheckResult {
  const source = readText(text, mediaType, { nodesMax: NODES_MAX })
  if (!source.ok) return getResult(undefined, source.problems, [])
  const { value } = source
  const [idPath] = getIdPaths(reader)
  const ownId = getIdPaths(reader)
    .map((path) => asText(valueAt(value, path)))
    .find(Boolean)
  const reading = read(source, { id: id ?? ownId ?? '', strict: false, owner })
  const found = reading.ok ? [] : reading.problems
  const idMessage = id === undefined ? describeId(reader, ownId ?? '') : undefined
  const own = [
    ...(idMessage === undefined
      ? []
      : [{ field: formatPath(idPath), message: idMessage, ...source.locate(idPath) }]),
    ...(reader === 'data-product' ? findUnnamedPorts(source) : []),
  ]
  const ownFields = new Set(own.map(({ field }) => field))
  const errors = [...own, ...found.filter(({ field }) => !ownFields.has(field))]
  return getResult(plainValue(value), errors, reading.ok ? reading.warnings : [])
}

function getResult(
  value: Value | undefined,
  errors: readonly Problem[],
  warnings: readonly Problem[],
): CheckResult {
  const problems = [
    ...errors.map((problem) => ({ severity: 'error' as const, ...problem })),
    ...warnings.map((problem) => ({ severity: 'warning' as const, ...problem })),
  ]
  return { value, problems: inTextOrder(problems), hasErrors: errors.length > 0 }
}

// The first one is the usual one.
function getIdPaths(reader: DocumentKind['reader']): [Path, ...Path[]] {
  return isStandardized(reader) ? [['id'], ['info', 'id']] : [RECORD_KINDS[reader].paths.id]
}

function describeId(reader: DocumentKind['reader'], id: string): string | undefined {
  if (id.trim() === '') return NO_ID
  const kind: RecordKind | undefined = isStandardized(reader) ? undefined : RECORD_KINDS[reader]
  const problem = (kind?.hasSlashIds === true ? findSlashIdProblem : findIdProblem)(id)
  return problem === undefined ? undefined : `The id ${problem}. Use letters, digits and dashes.`
}

function isStandardized(
  reader: DocumentKind['reader'],
): reader is Exclude<DocumentKind['reader'], RecordName> {
  return !Object.hasOwn(RECORD_KINDS, reader)
}

function findUnnamedPorts({ value, locate }: SourceText): Problem[] {
  return ['inputPorts', 'outputPorts'].flatMap((list) => {
    const ports = valueAt(value, [list])
    if (!Array.isArray(ports)) return []
    return ports.flatMap((port, at) => {
      if (asText(valueAt(port, ['name']))?.trim() !== '') return []
      const path = [list, at, 'name']
      return [{ field: formatPath(path), message: NO_PORT_NAME, ...locate(path) }]
    })
  })
}

// Between threads only plain values travel.
function plainValue(value: Value): Value {
  if (value instanceof ExactNumber) return Number(value.text)
  if (Array.isArray(value)) return value.map(plainValue)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plainValue(one)]))
}
