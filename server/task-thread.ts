import { constants, setPriority } from 'node:os'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort } from 'node:worker_threads'
import { RECORDS } from '../formats/record/kinds.ts'
import { PLAIN_RECORDS } from '../formats/record/plain-kinds.ts'
import { describeConnections } from './agreements/connection-task.ts'
import { presentAsOaas } from './agreements/oaas-task.ts'
import * as agreements from './agreements/task.ts'
import { assessAsset } from './catalog/assets/task.ts'
import {
  CONTRACT_TASKS,
  writeExport,
  writeGeneration,
  writeModels,
  listServers,
} from './catalog/data-contracts/task.ts'
import { PRODUCT_TASKS, writeOdps } from './catalog/data-products/data-product.ts'
import { listPlacesOfEach } from './catalog/definitions/use.ts'
import { rejectTags } from './documents/tag-task.ts'
import { convertDocument, convertDocuments, locateInDocument } from './requests/http/document.ts'
import { runTask, type Task, type TaskCall } from './requests/http/offload.ts'
import { comparePairs } from './reality/drift/comparison-task.ts'
import { readEvent, readEvents } from './reports/lineage-events/batch.ts'
import { checkExampleData } from './documents/plain-records/example-data.ts'
import { newPlainRecordTask } from './documents/plain-records/plain-record.ts'
import * as directory from './people/directory/task.ts'
import { readOrganizationDocument } from './people/organization-documents/task.ts'
import { readDatasets, writeProducts } from './catalog/rdf/task.ts'
import { writeAlternative, newRecordTasks } from './catalog/records/task.ts'
import {
  listLineagePortsOfEach,
  listLinkedPortsOfEach,
  listPortNamesOfEach,
} from './ledger/ports/task.ts'
import { listPartsOfEach } from './catalog/deprecations/task.ts'
import { renameTagDocument } from './catalog/tags/task.ts'
import { writeProposal } from './reality/drift/proposal-task.ts'
import { writeTableSql } from './reality/table-sql/task.ts'
import {
  planContractTests,
  readTestSubject,
  writeContractTest,
} from './ingestion/contract-tests/test-task.ts'
import { keyResultChecks, readDefinitions, readRules } from './reports/test-results/check-task.ts'
import {
  listDetails,
  presentResult,
  readResult,
  removeStoredSamples,
  writeObservability,
} from './reports/test-results/task.ts'
import { readSpans } from './reports/usage/otlp.ts'

/** A thread that processes documents. It answers each call with the result of the task of that name. */

const TASKS: readonly Task<never, unknown>[] = [
  assessAsset,
  ...Object.values(CONTRACT_TASKS),
  writeExport,
  writeGeneration,
  writeModels,
  listServers,
  writeProposal,
  writeTableSql,
  ...Object.values(PRODUCT_TASKS),
  listLinkedPortsOfEach,
  listPortNamesOfEach,
  listLineagePortsOfEach,
  writeOdps,
  ...RECORDS.flatMap((kind) => Object.values(newRecordTasks(kind))),
  ...PLAIN_RECORDS.map(newPlainRecordTask),
  checkExampleData,
  writeAlternative,
  convertDocument,
  convertDocuments,
  locateInDocument,
  rejectTags,
  ...Object.values(directory),
  readEvent,
  readEvents,
  readOrganizationDocument,
  readResult,
  listDetails,
  presentResult,
  writeObservability,
  removeStoredSamples,
  readRules,
  readDefinitions,
  keyResultChecks,
  readTestSubject,
  planContractTests,
  writeContractTest,
  readSpans,
  comparePairs,
  agreements.readSentAgreement,
  agreements.presentAgreements,
  presentAsOaas,
  describeConnections,
  agreements.listAccessPortsOfEach,
  listPlacesOfEach,
  listPartsOfEach,
  readDatasets,
  writeProducts,
  renameTagDocument,
]

// Requests have priority over documents. On Linux this sets the priority of the thread, elsewhere of the process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

// No task needs the environment, but the YAML parser looks up a variable for every token, which is cheap in a plain
// object.
Reflect.set(process, 'env', {})

// V8 exposes its garbage collector only to contexts that are created with this flag.
setFlagsFromString('--expose-gc')
const gc: unknown = runInNewContext('gc')
const KEPT_BYTES_MAX = 64 * 1024 * 1024

/** Frees the memory of a large document, which V8 would otherwise keep for a while. */
function collectGarbage(): void {
  const { used_heap_size: usedBytes } = getHeapStatistics()
  if (typeof gc === 'function' && usedBytes > KEPT_BYTES_MAX) {
    gc({ type: 'major', flavor: 'last-resort' })
  }
}

const byName = new Map(TASKS.map((task) => [task.name, task]))

parentPort?.on('message', ({ name, input }: TaskCall<never>) => {
  const task = byName.get(name)
  if (task === undefined) throw new Error(`unknown task: ${name}`)
  parentPort?.postMessage(runTask(task, input))
  setImmediate(collectGarbage)
})
parentPort?.postMessage('ready')
