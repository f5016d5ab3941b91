import { exportContract } from '../formats/data-contract/export.ts'
import { readDataContract } from '../formats/data-contract/read.ts'
import { diffAsOdcs, diffDataContracts } from '../formats/diff/contract.ts'
import { readText } from '../formats/text/text.ts'
import { writeStandardDifference } from '../server/documents/difference.ts'
import { contractText } from './contracts.ts'
import type { Figure, Row } from './figure.ts'
import { toSpread } from './rounds.ts'

const MODELS_COUNT = 1000
const WARM_UP_ROUNDS = 3
const DIFF_EVERY_FIELD = 10

const EXPORT_FORMATS = ['json-schema', 'avro', 'protobuf', 'sql', 'dbt', 'bigquery'] as const

/** Work on the text that is measured. */
interface Work {
  name: string
  /** The most that it may take, as a multiple of the limit; absent = no goal. */
  goal?: number
  /** Prepares a repetition outside the measured time; returns the work to measure. */
  prepare(): () => unknown
  /** Prepares a repetition of the limit; absent = the limit of all. */
  prepareLimit?(): () => unknown
}

/** Reading, comparing and exporting a large contract in this process. */
export const contractFormats: Figure = {
  name: 'contract-formats',
  title: 'A contract of 1,000 models × 50 fields, against JSON.parse + JSON.stringify of its text',
  async *measure({ effort }) {
    const text = contractText('large', MODELS_COUNT, 0, DIFF_EVERY_FIELD)
    const changed = contractText('large', MODELS_COUNT, 1, DIFF_EVERY_FIELD)
    const copy = (): void => void JSON.stringify(JSON.parse(text))
    const works: Work[] = [
      { name: 'read', goal: 6, prepare: () => () => readContract(text) },
      { name: 'read, with canonical form', prepare: () => () => readContract(text).canonical },
      {
        name: 'diff, one change',
        goal: 4,
        prepare: () => prepareDiff(text, contractText('large', MODELS_COUNT, 7)),
      },
      { name: 'diff, every tenth field', goal: 4, prepare: () => prepareDiff(text, changed) },
      {
        name: 'diff, every tenth field, as OMDS, against the plain one',
        goal: 1.2,
        prepare: () => prepareDifference(text, changed),
        prepareLimit: () => prepareChangeList(text, changed),
      },
      ...EXPORT_FORMATS.map((format) => ({
        name: `export ${format}`,
        prepare: () => {
          const read = readContract(text)
          return () => exportContract(read, { format })
        },
      })),
    ]
    for (const work of works) yield compareWork(work, text, copy, effort.rounds)
  },
}

// Readers cache, so both contracts are read again for each repetition.
function prepareDiff(before: string, after: string): () => unknown {
  const [older, newer] = [readContract(before), readContract(after)]
  return () => diffDataContracts(older, newer)
}

function prepareChangeList(before: string, after: string): () => unknown {
  const diff = prepareDiff(before, after)
  return () => JSON.stringify(diff())
}

function prepareDifference(before: string, after: string): () => unknown {
  const [older, newer] = [readContract(before), readContract(after)]
  return () => {
    const diff = diffAsOdcs(older, newer)
    const form = {
      syntax: 'json',
      byRfc: false,
      versions: { before: 1, after: 2 },
      versionsAddress: 'https://catalog.example/versions',
      comparedAt: '2026-11-27T00:00:00Z',
    } as const
    return writeStandardDifference({ id: 'large', kind: 'DataContract' }, diff, diff.changes, form)
  }
}

/** Reads a contract with its models, which are otherwise read when they are first used. */
function readContract(text: string) {
  const source = readText(text, 'application/json', { nodesMax: Number.POSITIVE_INFINITY })
  if (!source.ok) throw new Error(source.problems[0]?.message)
  const reading = readDataContract(source, { id: 'large', strict: false })
  if (!reading.ok) throw new Error(reading.problems[0]?.message)
  void reading.contract.models
  return reading
}

/** Measures some work and the limit alternately, so that other load of the machine affects both. */
function compareWork(
  { name, goal, prepare, prepareLimit = () => limit }: Work,
  text: string,
  limit: () => void,
  rounds: number,
): Row {
  const times: number[] = []
  const limits: number[] = []
  const ratios: number[] = []
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
    const [work, own] = [prepare(), prepareLimit()]
    const workMs = measureMs(work)
    const limitMs = measureMs(own)
    if (round < 0) continue
    times.push(workMs)
    limits.push(limitMs)
    ratios.push(workMs / limitMs)
  }
  const speed = (milliseconds: number): string =>
    `${milliseconds.toFixed(0)} ms, ${(text.length / 1e3 / milliseconds).toFixed(0)} MB/s`
  return {
    figure: name,
    server: 'none',
    subject: speed(toSpread(times).median),
    limit: speed(toSpread(limits).median),
    result: toSpread(ratios),
    unit: 'times',
    goal,
    measured: { times, limits },
  }
}

function measureMs(work: () => unknown): number {
  const startedAtMs = performance.now()
  work()
  return performance.now() - startedAtMs
}
