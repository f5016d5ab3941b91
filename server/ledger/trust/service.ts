import type { DocumentKind } from '../../platform/kinds.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { summarizeSignals, type ListedDocument, type TrustSummary } from './signal.ts'
import { listStoredSignals } from './store.ts'

/** The kinds of documents that have signals. */
const TRUSTED_KINDS: readonly DocumentKind[] = ['data-product', 'data-contract', 'asset']

/** Returns the signals of a document of a list; null if documents of its kind have none. */
type FindTrust = (document: ListedDocument) => TrustSummary | null

/**
 * Reads the signals of the documents of a list as they are now, a row for each. What is not stored is neutral: an asset in no
 * contract, and for the first minutes after an upgrade every document.
 */
export async function readTrustSummaries(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  organizationId: string,
  documents: readonly ListedDocument[],
): Promise<FindTrust> {
  const trusted = documents.filter(({ kind }) => TRUSTED_KINDS.includes(kind))
  const rows =
    trusted.length === 0 ? [] : await listStoredSignals(db, clock, organizationId, trusted)
  const summaries = new Map(
    rows.map((row) => [toKey(row), summarizeSignals(row.signals, Date.parse(row.now))]),
  )
  return (document) => summaries.get(toKey(document)) ?? null
}

function toKey({ kind, id }: ListedDocument): string {
  return `${kind}/${id}`
}
