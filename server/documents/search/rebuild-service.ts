import { isRecordName, RANKED_KINDS } from '../../platform/kinds.ts'
import { readDataContract } from '../../../formats/data-contract/read.ts'
import { readDataProduct } from '../../../formats/data-product/read.ts'
import { RECORD_KINDS } from '../../../formats/record/kinds.ts'
import { readRecord } from '../../../formats/record/read.ts'
import type { DocumentKind } from '../../ledger/history/revision.ts'
import { readStored } from '../../requests/http/document.ts'
import { readTeam } from '../../../formats/team/team.ts'
import type { Database } from '../../platform/tables.ts'
import { documentEntry } from './asset-entry.ts'
import { additionLexemes, contractEntry, productEntry, recordEntry, teamEntry } from './entry.ts'
import { withAddition, type SearchEntry } from './entry.ts'
import { indexEntries } from './index-service.ts'
import { recountReaders } from './reader-service.ts'
import * as store from './rebuild-store.ts'
import type { BuildState, SourceDocument } from './rebuild-store.ts'

/**
 * The version of the rules that derive entries from documents. Raising it makes the next start rebuild the
 * index.
 */
const INDEX_RULES = 9

const DEPRECATED = 'deprecated'

const START = { organizationId: null, externalId: null }

/**
 * Ensures that the index has every document by the current rules. After an upgrade or an import it is built
 * here, in short transactions that any process may continue; documents that an older version wrote without an
 * entry are added. Returns the number of indexed documents.
 */
export async function ensureIndex(db: Database): Promise<number> {
  const state = await store.findBuild(db)
  if (state?.rules === INDEX_RULES && state.kind === null) return await repairIndex(db)
  await store.beginBuild(db, INDEX_RULES, firstKind())
  let count = 0
  for (;;) {
    const done = await db.transaction().execute(buildNext)
    if (done === undefined) return count
    count += done
  }
}

/**
 * Adds the documents that a complete index lacks or has in an earlier version, and removes entries without a
 * document. Returns how many it added.
 */
export async function repairIndex(db: Database): Promise<number> {
  let count = 0
  for (const kind of RANKED_KINDS) {
    let after: Pick<BuildState, 'organizationId' | 'externalId'> | undefined = START
    while (after !== undefined) {
      const from: Pick<BuildState, 'organizationId' | 'externalId'> = after
      const documents = await db
        .transaction()
        .execute((transaction) => indexUnindexed(transaction, kind, from))
      count += documents.length
      const last = documents.at(-1)
      after = last && { organizationId: last.organizationId, externalId: last.id }
    }
    await store.deleteStale(db, kind)
  }
  return count
}

/** Indexes the next missing documents of a kind, inside a transaction. */
export async function indexUnindexed(
  db: Database,
  kind: DocumentKind,
  after: Pick<BuildState, 'organizationId' | 'externalId'>,
): Promise<SourceDocument[]> {
  const documents = await store.lockDocuments(db, kind, after, 'unindexed')
  await indexDocuments(db, kind, documents)
  await recordAdditions(db, documents)
  return documents
}

/** Rebuilds the entries of live assets from their stored documents, inside the transaction of the caller. */
export async function reindexAssets(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  await indexDocuments(db, 'asset', await store.loadAssets(db, organizationId, ids))
}

// Returns the number of indexed documents; undefined when all are indexed.
async function buildNext(db: Database): Promise<number | undefined> {
  const state = await store.lockBuild(db)
  if (state === undefined || state.kind === null) return undefined
  const documents = await store.lockDocuments(db, state.kind, state)
  const last = documents.at(-1)
  if (last !== undefined) {
    await indexDocuments(db, state.kind, documents)
    await recordAdditions(db, documents)
    const { organizationId, id: externalId } = last
    await store.updateBuild(db, { ...state, organizationId, externalId })
    return documents.length
  }
  await store.deleteStale(db, state.kind)
  const kind = RANKED_KINDS[RANKED_KINDS.indexOf(state.kind) + 1] ?? null
  await store.updateBuild(db, { ...state, kind, organizationId: null, externalId: null })
  if (kind === null) await recountReaders(db)
  return kind === null ? undefined : 0
}

function firstKind(): DocumentKind {
  const [first] = RANKED_KINDS
  if (first === undefined) throw new Error('there is no kind of document')
  return first
}

async function indexDocuments(
  db: Database,
  kind: DocumentKind,
  documents: readonly SourceDocument[],
): Promise<void> {
  const rows = documents.flatMap(({ organizationId, ownerTeamId, updatedAt, ...document }) => {
    const entry = createEntry(kind, { organizationId, ownerTeamId, updatedAt, ...document })
    const integrationId = document.integrationId ?? null
    return entry === undefined
      ? []
      : [{ organizationId, entry, ownerTeamId, integrationId, updatedAt }]
  })
  await indexEntries(db, rows)
  // Releases before the flag of ODPS 1.1 counted as a status stored only the word of the document.
  const flagged =
    kind === 'data-product' ? rows.filter(({ entry }) => entry.status === DEPRECATED) : []
  await store.updateProductStatuses(db, flagged, DEPRECATED)
}

async function recordAdditions(db: Database, documents: readonly SourceDocument[]): Promise<void> {
  const additions = documents.flatMap(({ organizationId, id, description, tags }) => {
    const added = { description: description ?? null, tags: tags ?? null }
    const lexemes = additionLexemes(added).join(' ')
    return lexemes === '' ? [] : [{ organizationId, id, lexemes }]
  })
  if (additions.length > 0) await store.updateAdditions(db, additions)
}

// Undefined = the document cannot be read any more. It was accepted once, so that is not a reason to
// keep the catalog from starting.
function createEntry(kind: DocumentKind, stored: SourceDocument): SearchEntry | undefined {
  const { id } = stored
  const source = readStored(stored)
  const options = { id, strict: false, isAccepted: true }
  if (isRecordName(kind)) {
    const reading = readRecord(RECORD_KINDS[kind], source, options)
    return reading.ok ? recordEntry(kind, reading.record) : undefined
  }
  switch (kind) {
    case 'data-product': {
      const reading = readDataProduct(source, options)
      return reading.ok ? productEntry(reading.product) : undefined
    }
    case 'data-contract': {
      const reading = readDataContract(source, options)
      return reading.ok ? contractEntry(reading.contract, source.value) : undefined
    }
    case 'team': {
      const reading = readTeam(source, options)
      return reading.ok ? teamEntry(reading.team) : undefined
    }
    case 'asset': {
      const { integrationId, description, tags } = stored
      const entry = documentEntry(source.value, id, integrationId !== null)
      return withAddition(entry, { description: description ?? null, tags: tags ?? null })
    }
  }
}
