import { z } from '@hono/zod-openapi'
import {
  exportContract,
  type ExportFormat,
  type NumberHistory,
} from '../../../formats/data-contract/export.ts'
import type { DataContract } from '../../../formats/data-contract/data-contract.ts'
import type { OdcsVersion } from '../../../formats/data-contract/odcs/write.ts'
import { sourceTextFor } from '../../../formats/data-contract/source-text.ts'
import { generateFiles, type GenerationType } from '../../../formats/generate/generate.ts'
import type { Loss } from '../../../formats/schema/model.ts'
import { NumberAssigner } from '../../../formats/schema/protobuf/numbers.ts'
import type { Platform } from '../../../formats/schema/types/native-type.ts'
import { ExactNumber } from '../../../formats/text/value.ts'
import { newDocumentTasks } from '../../documents/task.ts'
import { loss } from '../../ledger/history/plan.ts'
import { readStored, type StoredText } from '../../requests/http/document.ts'
import { lossHeaders } from '../../requests/http/losses.ts'
import type { Task, TextOutput } from '../../requests/http/offload.ts'
import { CONTRACT_READER } from './data-contract.ts'
import { contractModel } from './model.ts'

/** Reading and comparing data contracts. */
export const CONTRACT_TASKS = newDocumentTasks(CONTRACT_READER)

/** A stored contract. */
export interface StoredContract extends StoredText {
  id: string
  /** The JSON form of a YAML contract; null if it has none. */
  documentJson: string | null
}

/** Writes the models of a stored contract as JSON. */
export const writeModels: Task<StoredContract, TextOutput> = {
  name: 'data-contract/writeModels',
  run(stored) {
    // JSON parses many times faster; only the positions of warnings need the text itself.
    const fast = readStoredContract(stored, true)
    const { read, warnings } = fast.warnings.length === 0 ? fast : readStoredContract(stored, false)
    const answer = { models: read.contract.models, warnings: [...warnings] }
    const text = JSON.stringify(contractModel.parse(answer))
    return { text, mediaType: 'application/json', headers: {} }
  },
}

/** A server of a contract, with its location as texts. */
export interface LocatedServer {
  name: string
  type: string | null
  environment: string | null
  properties: Record<string, string>
}

/** Lists the servers of a stored contract. */
export const listServers: Task<StoredContract, LocatedServer[]> = {
  name: 'data-contract/listServers',
  run: (stored) =>
    readStoredContract(stored, true).read.contract.servers.map((server) => ({
      name: server.name,
      type: server.type ?? null,
      environment: server.environment ?? null,
      properties: Object.fromEntries(
        Object.entries(server.properties).flatMap(([key, value]): [string, string][] => {
          if (typeof value === 'string' || typeof value === 'number') return [[key, String(value)]]
          return value instanceof ExactNumber ? [[key, value.text]] : []
        }),
      ),
    })),
}

/** The format of an export and its options. */
export interface ExportWish {
  format: ExportFormat
  dialect?: Platform | undefined
  /** The version of ODCS. */
  apiVersion?: OdcsVersion | undefined
  /** Whether only the report of lost information is needed. */
  report: boolean
}

/** The earlier versions of a contract, oldest first. */
export interface EarlierVersions {
  versions: StoredText[]
  /** Some are missing. */
  isPartial: boolean
}

/** A stored contract, its export format, and the earlier versions that numbered its fields. */
interface ExportInput extends StoredContract {
  wish: ExportWish
  earlier: EarlierVersions | undefined
}

/** Exports a stored contract to another format, or reports the information that the format cannot express. */
export const writeExport: Task<ExportInput, TextOutput> = {
  name: 'data-contract/writeExport',
  run({ wish, earlier, ...stored }) {
    const { read } = readStoredContract(stored, true)
    if (hasVersion(read.contract, wish) && !wish.report) {
      return { text: stored.document, mediaType: stored.mediaType, headers: {} }
    }
    const isSource = sourceTextFor(read, wish.format, wish.dialect) !== undefined
    const history =
      isSource || earlier === undefined ? undefined : readNumberHistory(stored.id, earlier)
    const { text, losses, mediaType } = exportContract(read, { ...wish, history })
    const headers = lossHeaders(losses)
    if (!wish.report) return { text, mediaType, headers }
    return { text: writeReport(wish.format, losses), mediaType: 'application/json', headers }
  },
}

// A document of the requested version is returned as it was sent.
function hasVersion(
  { format, formatVersion }: DataContract,
  { format: wanted, apiVersion }: ExportWish,
): boolean {
  return wanted === 'odcs' && format === 'odcs' && formatVersion === apiVersion
}

function readNumberHistory(id: string, { versions, isPartial }: EarlierVersions): NumberHistory {
  const assigner = new NumberAssigner()
  let areRead = true
  for (const version of versions) {
    const reading = CONTRACT_READER.read(readStored(version), { id, strict: false })
    if (reading.ok) assigner.add(reading.read.contract.models)
    else areRead = false
  }
  return { numbering: assigner.numbering, isPartial: isPartial || !areRead }
}

/** A stored contract, and the kind of files to generate. */
interface GenerationInput extends StoredContract {
  type: GenerationType
}

/** Writes the files that are generated from a stored contract as JSON. */
export const writeGeneration: Task<GenerationInput, TextOutput> = {
  name: 'data-contract/writeGeneration',
  run({ type, ...stored }) {
    const { read } = readStoredContract(stored, true)
    const text = JSON.stringify(generateFiles(read, type))
    return { text, mediaType: 'application/json', headers: {} }
  },
}

/** The information of a contract that a format cannot express. */
export const exportReport = z
  .object({ format: z.string(), losses: z.array(loss) })
  .openapi('ExportReport')

/** Writes the report of an export as JSON. */
export function writeReport(format: ExportFormat, losses: Loss[]): string {
  return JSON.stringify(exportReport.parse({ format, losses }))
}

/** Reads a stored contract; `isFast` takes its JSON form, whose warnings have other positions. */
export function readStoredContract(stored: StoredContract, isFast: boolean) {
  const { id, documentJson } = stored
  const isJson = isFast && documentJson !== null
  const source = readStored(
    isJson ? { document: documentJson, mediaType: 'application/json' } : stored,
  )
  // The owner is stored beside the contract and does not affect its models.
  const reading = CONTRACT_READER.read(source, { id, strict: false, owner: '' })
  if (!reading.ok) throw new Error(`the stored data contract ${id} is not readable any more`)
  return reading
}
