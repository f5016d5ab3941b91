import { sql } from 'kysely'
import { parseOutputAsset } from '../../../formats/asset/named-assets.ts'
import { readAsset } from '../../../formats/asset/read.ts'
import { toAssetRow } from '../../catalog/assets/asset.ts'
import { CONTRACT_READER } from '../../catalog/data-contracts/data-contract.ts'
import { PRODUCT_READER } from '../../catalog/data-products/data-product.ts'
import { SYSTEM } from '../../ledger/activity/entry.ts'
import { lockReality } from '../../ledger/promises/lock.ts'
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

/** The services that fill promises in the background. */
interface FillServices {
  db: Database
  clock: Clock
  settleReality: SettleReality
}

/**
 * Fills the promises of contracts, the assets that ports name, the paths of registered assets and the addresses of integrations:
 * after an upgrade or an import, and for what a process of an older version writes. Each document is a short transaction with
 * everything that follows. Returns their number.
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
      for (const document of documents) await fillOne(services, table, document)
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

async function fillOne(
  { db, clock, settleReality }: FillServices,
  table: FilledTable,
  document: UnfilledDocument,
): Promise<void> {
  const { organizationId } = document
  const { filled, subject } = readFilled(table, document)
  await db.transaction().execute(async (db) => {
    if (table !== 'asset') await lockReality(db, organizationId)
    if (!(await store.fillDocument(db, table, document, filled))) return
    await settleReality(db, clock, { organizationId, ...SYSTEM, ...subject })
  })
}

// A document that cannot be read any more promises nothing: it was accepted once, so that is not a reason to stop.
function readFilled(
  table: FilledTable,
  document: UnfilledDocument,
): { filled: Parameters<typeof store.fillDocument>[3]; subject: RealitySubject } {
  const { id } = document
  const source = readStored(document)
  const options = { id, strict: false, isAccepted: true, owner: '' }
  switch (table) {
    case 'data_contract': {
      const reading = CONTRACT_READER.read(source, options)
      const promises = reading.ok ? (CONTRACT_READER.listPromises?.(reading.read) ?? []) : []
      return { filled: { promises }, subject: { kind: 'contract', id, makesPromises: true } }
    }
    case 'data_product': {
      const reading = PRODUCT_READER.read(source, options)
      const pairs = reading.ok ? PRODUCT_READER.buildColumns(reading.read)['output_assets'] : []
      const named = Array.isArray(pairs) ? pairs.map(String) : []
      const column = sql`output_assets = ${named}::text[]`
      const namingContracts = named.map((pair) => parseOutputAsset(pair).contractId)
      return { filled: { column }, subject: { kind: 'product', id, namingContracts } }
    }
    case 'asset': {
      const reading = readAsset(source, options)
      const path = reading.ok ? toAssetRow(source, reading).describedPath : null
      const column = sql`described_path = ${path}`
      return { filled: { column }, subject: { kind: 'assets', ids: [id] } }
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
