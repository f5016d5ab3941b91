import { sql } from 'kysely'
import { parseOutputAsset } from '../../../formats/asset/named-assets.ts'
import { readAsset } from '../../../formats/asset/read.ts'
import { toAssetRow } from '../../catalog/assets/asset.ts'
import { CONTRACT_READER } from '../../catalog/data-contracts/data-contract.ts'
import { PRODUCT_READER } from '../../catalog/data-products/data-product.ts'
import { SYSTEM } from '../../ledger/activity/entry.ts'
import { lockReality } from '../../ledger/promises/lock.ts'
import { splitBySize } from '../../platform/kit/batches.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { RealitySubject, SettleReality } from '../../platform/reality-change.ts'
import type { Database } from '../../platform/tables.ts'
import { readStored } from '../../requests/http/document.ts'
import { listConfiguredAddresses } from './address.ts'
import { replaceConfiguredAddresses } from './address-service.ts'
import * as store from './fill-store.ts'
import type { FilledTable, UnfilledDocument } from './fill-store.ts'

/** The version of the rules by which promises, named assets and paths are read. Raising it fills all of them again. */
const RULES = 1

/**
 * The promises that one transaction fills, or documents that make none. It locks out changes of contracts, and compares and judges
 * all of them itself.
 */
const PROMISES_AT_ONCE_MAX = 250

/** The services that fill promises in the background. */
interface FillServices {
  db: Database
  clock: Clock
  settleReality: SettleReality
}

/**
 * Fills the promises of contracts, the assets that ports name, the paths of registered assets and the addresses of integrations:
 * after an upgrade or an import, and for what a process of an older version writes. A few documents are a short transaction with
 * everything that follows from them. Returns their number.
 */
export async function fillPromises(services: FillServices): Promise<number> {
  const { db } = services
  if ((await store.findRules(db)) !== RULES) await prepare(db)
  let count = 0
  // Assets and ports first: then a contract is linked once.
  for (const table of ['asset', 'data_product', 'data_contract'] as const) {
    for (;;) {
      const documents = await store.listUnfilled(db, table)
      if (documents.length === 0) break
      const filled = documents.map((document) => readFilled(table, document))
      for (const some of Map.groupBy(filled, ({ organizationId }) => organizationId).values()) {
        for (const batch of splitBySize(some, PROMISES_AT_ONCE_MAX, countPromises)) {
          await fillBatch(services, table, batch)
        }
      }
      count += documents.length
    }
  }
  return count
}

async function prepare(db: Database): Promise<void> {
  await db.transaction().execute(async (db) => {
    for (const integration of await store.listIntegrations(db)) {
      const { organizationId, id: integrationId, source: name, configuration } = integration
      const owner = { organizationId, integrationId, principal: SYSTEM.principal }
      await replaceConfiguredAddresses(db, owner, listConfiguredAddresses({ name, configuration }))
    }
    for (const table of ['asset', 'data_product', 'data_contract'] as const) {
      await store.resetVersions(db, table)
    }
    await store.updateRules(db, RULES)
  })
}

function countPromises({ filled }: FilledDocument): number {
  return Math.max(1, filled.promises?.length ?? 0)
}

async function fillBatch(
  { db, clock, settleReality }: FillServices,
  table: FilledTable,
  batch: readonly FilledDocument[],
): Promise<void> {
  const [first] = batch
  if (first === undefined) return
  const { organizationId } = first
  await db.transaction().execute(async (db) => {
    if (table !== 'asset') await lockReality(db, organizationId)
    const written: FilledDocument[] = []
    for (const document of batch) {
      if (await store.fillDocument(db, table, document, document.filled)) written.push(document)
    }
    if (written.length === 0) return
    await settleReality(db, clock, { organizationId, ...SYSTEM, ...toSubject(table, written) })
  })
}

function toSubject(table: FilledTable, written: readonly FilledDocument[]): RealitySubject {
  const ids = written.map(({ id }) => id)
  switch (table) {
    case 'data_contract':
      return { kind: 'contracts', ids, makesPromises: true }
    case 'data_product': {
      const namingContracts = new Set(written.flatMap(({ contracts }) => contracts))
      return { kind: 'products', ids, namingContracts: [...namingContracts] }
    }
    case 'asset':
      return { kind: 'assets', ids }
  }
}

/** A document with what its derived columns are. */
interface FilledDocument extends UnfilledDocument {
  filled: Parameters<typeof store.fillDocument>[3]
  /** The contracts for which the output ports of a data product name assets. */
  contracts: readonly string[]
}

// A document that cannot be read any more promises nothing: it was accepted once, so that is not a reason to stop.
function readFilled(table: FilledTable, document: UnfilledDocument): FilledDocument {
  const { id } = document
  const source = readStored(document)
  const options = { id, strict: false, isAccepted: true, owner: '' }
  switch (table) {
    case 'data_contract': {
      const reading = CONTRACT_READER.read(source, options)
      const promises = reading.ok ? (CONTRACT_READER.listPromises?.(reading.read) ?? []) : []
      return { ...document, filled: { promises }, contracts: [] }
    }
    case 'data_product': {
      const reading = PRODUCT_READER.read(source, options)
      const pairs = reading.ok ? PRODUCT_READER.buildColumns(reading.read)['output_assets'] : []
      const named = Array.isArray(pairs) ? pairs.map(String) : []
      const contracts = named.map((pair) => parseOutputAsset(pair).contractId)
      return { ...document, filled: { column: sql`output_assets = ${named}::text[]` }, contracts }
    }
    case 'asset': {
      const reading = readAsset(source, options)
      const path = reading.ok ? toAssetRow(source, reading).describedPath : null
      return { ...document, filled: { column: sql`described_path = ${path}` }, contracts: [] }
    }
  }
}

/**
 * Decides again about missing tables: with time their sources prove nothing any more. Returns the number of organizations that
 * have some.
 */
export async function relinkOutdated({ db, clock, settleReality }: FillServices): Promise<number> {
  const outdated = await store.listOutdated(db)
  for (const { organizationId, integrationId } of outdated) {
    await db.transaction().execute(async (db) => {
      await lockReality(db, organizationId)
      const change = { organizationId, ...SYSTEM, kind: 'address' as const, integrationId }
      await settleReality(db, clock, change)
    })
  }
  return outdated.length
}
