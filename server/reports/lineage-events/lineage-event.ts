import { findIdProblem } from '../../../formats/name/document-id.ts'
import type { SourceText } from '../../../formats/text/text.ts'
import {
  asText,
  formatPath,
  getField,
  valueAt,
  type Path,
  type Value,
} from '../../../formats/text/value.ts'
import type { Violation } from '../../platform/errors.ts'
import { parseInstant, type Instant } from '../../platform/kit/clock.ts'

/**
 * Lineage events are what pipelines report about themselves in the format of OpenLineage: that a run of a job started
 * or ended, and which datasets it read and wrote. The catalog stores each event as it was sent, and extracts the
 * members by which events are found. See https://openlineage.io/spec/2-0-2/OpenLineage.json.
 */

/** The maximum size of an event, and of a batch, in bytes. The logical plan of a Spark job can have megabytes. */
export const EVENT_BYTES_MAX = 5 * 1024 * 1024

/** The maximum number of values in an event. A plan has one for about every 20 bytes. */
export const EVENT_NODES_MAX = 1_000_000

/** The transitions of a run, in the words of OpenLineage. */
export const EVENT_TYPES = ['START', 'RUNNING', 'COMPLETE', 'ABORT', 'FAIL', 'OTHER'] as const

/** A run, job or dataset event, by the members that its schema requires. */
type LineageEventKind = 'run' | 'job' | 'dataset'

/** The data product, and its output port by id or name, that an event is about. Members are independent. */
export interface EventProduct {
  productId?: string | undefined
  outputPort?: string | undefined
}

/** The members of an event by which it is found; null = the event has no such member. */
export interface LineageEvent {
  kind: LineageEventKind
  eventType: string | null
  eventAt: Instant | null
  runId: string | null
  jobNamespace: string | null
  jobName: string | null
  productId: string | null
  outputPort: string | null
  /** The ids of the assets that are named as inputs, and as outputs, each once. */
  inputAssets: string[]
  outputAssets: string[]
}

/** The members of an event, or all reasons why it is not one. */
type LineageEventReading =
  | { ok: true; event: LineageEvent }
  | { ok: false; problems: readonly Violation[] }

// The members that identify each kind of event. The first kind whose member is present decides.
const REQUIRED: readonly { kind: LineageEventKind; member: string; paths: readonly Path[] }[] = [
  {
    kind: 'run',
    member: 'run',
    paths: [
      ['run', 'runId'],
      ['job', 'namespace'],
      ['job', 'name'],
    ],
  },
  {
    kind: 'job',
    member: 'job',
    paths: [
      ['job', 'namespace'],
      ['job', 'name'],
    ],
  },
  {
    kind: 'dataset',
    member: 'dataset',
    paths: [
      ['dataset', 'namespace'],
      ['dataset', 'name'],
    ],
  },
]

// The facet of this family of APIs.
const FACET = ['facets', 'entropy_data']

/** Reads an event. The members of `product` have priority over those in the event. */
export function readLineageEvent(
  { value, locate }: SourceText,
  product: EventProduct,
): LineageEventReading {
  const shape = REQUIRED.find(({ member }) => getField(value, member) !== undefined)
  if (shape === undefined) {
    const message =
      'This is not an OpenLineage event. A run event has "run" and "job", a job event has "job", and a dataset event has "dataset".'
    return { ok: false, problems: [{ field: '', message, ...locate([]) }] }
  }
  const missing = shape.paths.filter((path) => readText(value, path) === null)
  if (missing.length > 0) {
    const problems = missing.map((path) => ({
      field: formatPath(path),
      message: 'must be text that is not empty',
      ...locate(path),
    }))
    return { ok: false, problems }
  }
  return { ok: true, event: toEvent(shape.kind, value, product) }
}

function toEvent(kind: LineageEventKind, value: Value, product: EventProduct): LineageEvent {
  const facet = ['run', ...FACET]
  return {
    kind,
    eventType: readText(value, ['eventType']),
    eventAt: parseInstant(readText(value, ['eventTime']) ?? '') ?? null,
    runId: kind === 'run' ? readText(value, ['run', 'runId']) : null,
    jobNamespace: readText(value, ['job', 'namespace']),
    jobName: readText(value, ['job', 'name']),
    productId: product.productId ?? readId(value, [...facet, 'dataProductId']),
    outputPort:
      product.outputPort ??
      readText(value, [...facet, 'outputPortName']) ??
      readText(value, [...facet, 'outputPortId']),
    inputAssets: listAssets(getField(value, 'inputs')),
    outputAssets: listAssets(getField(value, 'outputs')),
  }
}

function listAssets(datasets: Value | undefined): string[] {
  if (!Array.isArray(datasets)) return []
  const ids = datasets.map((dataset) => readId(dataset, [...FACET, 'assetId']))
  return [...new Set(ids)].filter((id) => id !== null)
}

function readText(value: Value, path: Path): string | null {
  return asText(valueAt(value, path)) || null
}

// A text that cannot be an id refers to nothing.
function readId(value: Value, path: Path): string | null {
  const text = readText(value, path)
  return text !== null && findIdProblem(text) === undefined ? text : null
}
