import { computeDigest } from '../documents/document.ts'
import { notFound } from '../platform/errors.ts'
import { documentListAnswer } from '../requests/http/document-list.ts'
import type { StoredDocument } from '../requests/http/document.ts'
import type { Answer, Services } from '../requests/http/endpoint.ts'
import { readTime } from '../platform/kit/clock.ts'
import { toEntityDigest, type Agreement } from './agreement.ts'
import { settleAgreement } from './change-service.ts'
import { listAgreementReferences, loadAgreements, type AgreementFilter } from './list-store.ts'
import * as store from './store.ts'
import { presentInBatches, toPresentable } from './task.ts'

// The digits of a digest that distinguish the owners of data products.
const TEAMS_DIGITS = 16

type AgreementReadServices = Pick<Services, 'db' | 'clock' | 'offload'>

/** Returns an agreement as it is now. Errors: not_found. */
export async function getAgreement(
  { db, clock }: AgreementReadServices,
  organizationId: string,
  id: string,
): Promise<Agreement> {
  const stored = await store.findAgreement(db, clock, { organizationId, id })
  if (stored === undefined) throw notFound()
  return settleAgreement(stored).agreement
}

/** Returns an agreement as clients see it. Errors: document_too_costly, overloaded. */
export async function presentDocument(
  { offload }: AgreementReadServices,
  agreement: Agreement,
): Promise<StoredDocument> {
  const { organizationId, provisioningVersion, providerTeam, consumerTeam } = agreement
  const teams = computeDigest(JSON.stringify([providerTeam, consumerTeam])).slice(0, TEAMS_DIGITS)
  const [presented] = await presentInBatches(offload, organizationId, [
    toPresentable(agreement, agreement.provisioning),
  ])
  return {
    document: presented?.text ?? '{}',
    mediaType: 'application/json',
    // Reports of connectors and new owners change the answer, but not the agreement that a condition names.
    digest: `${toEntityDigest(agreement)}.${provisioningVersion}-${teams}`,
  }
}

/** A request for a page of agreements. */
export interface AgreementListRequest {
  filter: AgreementFilter
  page: number
  elementsMax: number
  path: string
  search: URLSearchParams
}

/** Returns a page of agreements by creation as a JSON array. */
export async function listAgreements(
  { db, clock, offload }: AgreementReadServices,
  organizationId: string,
  { filter, ...request }: AgreementListRequest,
): Promise<Answer> {
  const references = await listAgreementReferences(db, organizationId, filter, request)
  const load = async (ids: readonly string[]): Promise<string[]> => {
    const now = await readTime(db, clock)
    const agreements = (await loadAgreements(db, organizationId, ids)).map(
      (agreement) => settleAgreement({ agreement, now }).agreement,
    )
    const presentable = agreements.map((agreement) =>
      toPresentable(agreement, agreement.provisioning),
    )
    return (await presentInBatches(offload, organizationId, presentable)).map(({ text }) => text)
  }
  return await documentListAnswer(references, load, request)
}
