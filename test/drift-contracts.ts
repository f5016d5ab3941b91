/** Contracts whose tables are created in real databases. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findPlatform } from '../formats/data-contract/contract-fields.ts'
import { exportContract } from '../formats/data-contract/export.ts'
import { type ContractParseResult, readDataContract } from '../formats/data-contract/read.ts'
import type { ActualModel } from '../formats/reality/actual.ts'
import { comparePromise } from '../formats/reality/compare.ts'
import { listPromises, type PromisedModel } from '../formats/reality/promise.ts'
import { readText } from '../formats/text/text.ts'
import { isObject, jsonText, type ObjectValue, type Value } from '../formats/text/value.ts'
import type { ContractDatabase } from './drift-databases.ts'
import { FEATURES } from './export-features.ts'
import { FULL_ODCS } from './full-contracts.ts'
import { FULL_DCS } from './full-dcs.ts'

/** A contract that was read. */
export type ReadContract = Extract<ContractParseResult, { ok: true }>

/** A contract by the name of its file or feature. */
export interface NamedContract {
  name: string
  value: ObjectValue
}

/** Reads a contract; undefined if it is not valid. */
export function readContract(value: Value): ReadContract | undefined {
  const source = readText(jsonText(value), 'application/json')
  if (!source.ok) return undefined
  const reading = readDataContract(source, { id: 'a', strict: false })
  return reading.ok ? reading : undefined
}

/** Lists the contracts of the example mesh. */
export function listExampleContracts(): NamedContract[] {
  const folder = new URL('../examples/mesh/data-contracts', import.meta.url).pathname
  return readdirSync(folder).flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    const source = readText(text, name.endsWith('.json') ? 'application/json' : 'application/yaml')
    return source.ok && isObject(source.value) ? [{ name, value: withId(source.value) }] : []
  })
}

/** Lists the contracts with every feature of every language and version. */
export function listTestContracts(): NamedContract[] {
  return [
    ...FEATURES.map((feature, at) => ({ name: `feature ${at}`, value: withId(feature.with) })),
    ...[...FULL_ODCS, ...FULL_DCS].map(([name, value]) => ({ name, value: withId(value) })),
  ]
}

function withId(value: ObjectValue): ObjectValue {
  const { id: _, ...more } = value
  return more
}

/** Returns a contract whose only server is a database; a document of version 2.2 has no list of servers. */
export function withServer({ name, value }: NamedContract, server: ObjectValue): NamedContract {
  const { sourcePlatform: _, ...more } = value
  const { server: __, ...properties } = server
  const isDcs = value['dataContractSpecification'] !== undefined
  const servers = isDcs ? { production: properties } : [server]
  return { name, value: { ...more, servers } }
}

/** A contract with the statements that create its tables. */
interface CreatedContract {
  name: string
  read: ReadContract
  schema: string
  text: string
  /** The paths that lost something. */
  losses: string[]
}

/** The comparison of contracts with the tables that their exports create. */
export interface RoundTrip {
  /** `model.field level aspect promised → actual`, without those that a loss of the export explains. */
  invented: string[]
  /** Those that a loss explains. */
  explained: string[]
  /** Models without a table at their place. */
  missing: string[]
  /** Contracts whose statements failed. */
  failures: string[]
  /** The number of models that were compared. */
  compared: number
}

// Undefined for contracts without models, and for statements of another platform, which are exported as they were sent.
function prepare(
  contract: NamedContract,
  schema: string,
  { dialect, server }: ContractDatabase,
): CreatedContract | undefined {
  const { name, value } = contract
  const { schemaType, servers = [] } = readContract(value)?.contract ?? {}
  const { platform } = findPlatform(servers)
  if (schemaType === 'sql-ddl' && platform !== dialect) return undefined
  const read = readContract(withServer(contract, server(schema)).value)
  if (read === undefined) return undefined
  const { text, losses } = exportContract(read, { format: 'sql', dialect })
  if (text.trim() === '') return undefined
  return { name, read, schema, text, losses: losses.map(({ path }) => path) }
}

/** Creates the tables of contracts, each in a schema of its own, reads them and compares them. */
export async function roundTrip(
  contracts: readonly NamedContract[],
  database: ContractDatabase,
): Promise<RoundTrip> {
  const result: RoundTrip = { invented: [], explained: [], missing: [], failures: [], compared: 0 }
  const all = contracts.flatMap((one, at) => prepare(one, `contract_${at}`, database) ?? [])
  const groups = [
    all.filter((one) => !isQualified(one)),
    ...all.filter(isQualified).map((one) => [one]),
  ]
  for (const group of groups) {
    await database.clear()
    await database.create(group.map(({ schema }) => schema))
    for (const { name, schema, text } of group) {
      try {
        await database.execute(schema, text)
      } catch (error) {
        result.failures.push(`${name}: ${String(error)}`)
      }
    }
    const tables = await database.read()
    for (const created of group) addComparison(created, tables, result)
  }
  return result
}

function isQualified({ text }: CreatedContract): boolean {
  return /^CREATE (?:SCHEMA|DATABASE)/m.test(text)
}

function addComparison(
  { name, read, losses }: CreatedContract,
  tables: ReadonlyMap<string, ActualModel>,
  result: RoundTrip,
): void {
  if (result.failures.some((failure) => failure.startsWith(`${name}:`))) return
  for (const { model, path, promise } of listPromises(read)) {
    if (path === undefined) continue
    const actual = tables.get(JSON.stringify(path))
    if (actual === undefined) {
      if (!losses.includes(model)) result.missing.push(`${name}: ${model} at ${path.join('.')}`)
      continue
    }
    result.compared += 1
    // As it is stored.
    const stored: PromisedModel = JSON.parse(JSON.stringify(promise))
    const { findings } = comparePromise(stored, actual)
    for (const finding of findings) {
      const at = finding.field === '' ? model : `${model}.${finding.field}`
      const { level, aspect, promised, actual: is } = finding
      const line = `${name}: ${at} ${level} ${aspect} ${promised} → ${is}`
      const isLost = losses.some((loss) => isWithin(at, loss))
      ;(isLost ? result.explained : result.invented).push(line)
    }
  }
}

// A loss of a field explains findings inside it, and one of its parts those of the whole.
function isWithin(finding: string, loss: string): boolean {
  const path = finding
    .replaceAll('[]', '.items')
    .replaceAll('[key]', '.keys')
    .replaceAll('[value]', '.values')
  return path === loss || path.startsWith(`${loss}.`) || loss.startsWith(`${path}.`)
}
