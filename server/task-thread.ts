import { parentPort } from 'node:worker_threads'
import { assessAsset } from './assets/task.ts'
import { CONTRACT_TASKS, writeExport, writeModels } from './data-contracts/task.ts'
import { PRODUCT_TASKS, writeOdps } from './data-products/task.ts'
import { convertDocument, convertDocuments, locateInDocument } from './http/document.ts'
import { replyOf, type Task, type TaskCall } from './http/offload.ts'
import { listLineagePortsOfEach, listLinkedPortsOfEach } from './ports/task.ts'

/** A thread that works on documents: it answers each call with what the task of that name returns. */

const TASKS: readonly Task<never, unknown>[] = [
  assessAsset,
  ...Object.values(CONTRACT_TASKS),
  writeExport,
  writeModels,
  ...Object.values(PRODUCT_TASKS),
  listLinkedPortsOfEach,
  listLineagePortsOfEach,
  writeOdps,
  convertDocument,
  convertDocuments,
  locateInDocument,
]

const byName = new Map(TASKS.map((task) => [task.name, task]))

parentPort?.on('message', ({ name, input }: TaskCall<never>) => {
  const task = byName.get(name)
  if (task === undefined) throw new Error(`there is no task ${name}`)
  parentPort?.postMessage(replyOf(task, input))
})
parentPort?.postMessage('ready')
