import { exportContract } from '../formats/data-contract/export.ts'
import { readDataContract } from '../formats/data-contract/read.ts'
import { diffDataContracts } from '../formats/diff/contract.ts'
import { readText } from '../formats/text/text.ts'
import { contractText } from './contracts.ts'
import type { Figure, Row } from './figure.ts'
import { toSpread } from './rounds.ts'

const MODELS_COUNT = 1000
const WARM_UP_ROUNDS = 3
const DIFF_EVERY_FIELD = 10

/** Reading, comparing and exporting a large contract in this process. */
export const contractFormats: Figure = {
  name: 'contract-formats',
  title: 'A contract of 1,000 models × 50 fields, against JSON.parse + JSON.stringify of its text',
  async *measure({ effort }) {
    const text = contractText('large', MODELS_COUNT, 0, DIFF_EVERY_FIELD)
    const changed = contractText('large', MODELS_COUNT, 1, DIFF_EVERY_FIELD)
    const copy = (): void => void JSON.stringify(JSON.parse(text))
    const works: [string, number | undefined, () => () => unknown][] = [
      ['read', 6, () => () => modelsIn(text)],
      ['read, with canonical form', undefined, () => () => contractIn(text).canonical],
      ['diff, one change', 4, () => prepared(text, contractText('large', MODELS_COUNT, 7))],
      ['diff, every tenth field', 4, () => prepared(text, changed)],
      ...(['json-schema', 'avro', 'protobuf', 'sql', 'dbt', 'bigquery'] as const).map(
        (format): [string, undefined, () => () => unknown] => [
          `export ${format}`,
          undefined,
          () => {
            const read = contractIn(text)
            return () => exportContract(read, { format })
          },
        ],
      ),
    ]
    for (const [name, goal, prepare] of works) {
      yield compareWork(name, text, goal, prepare, copy, effort.rounds)
    }
  },
}

// Both are read again each time, outside the measured time, because readers cache.
function prepared(before: string, after: string): () => unknown {
  const [older, newer] = [contractIn(before), contractIn(after)]
  return () => diffDataContracts(older, newer)
}

function contractIn(text: string) {
  const source = readText(text, 'application/json', { nodesMax: Number.POSITIVE_INFINITY })
  if (!source.ok) throw new Error(source.problems[0]?.message)
  const reading = readDataContract(source, { id: 'large', strict: false })
  if (!reading.ok) throw new Error(reading.problems[0]?.message)
  void reading.contract.models
  return reading
}

function modelsIn(text: string): number {
  return contractIn(text).contract.models.length
}

function compareWork(
  name: string,
  text: string,
  goal: number | undefined,
  prepare: () => () => unknown,
  limit: () => void,
  rounds: number,
): Row {
  const times: number[] = []
  const limits: number[] = []
  const ratios: number[] = []
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
    const work = prepare()
    const workMs = measureMs(work)
    const limitMs = measureMs(limit)
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
