import type { OaasRemarks } from '../../formats/bitol/oaas/read.ts'
import { toOaasStatus } from '../../formats/bitol/oaas/write.ts'
import { clip } from '../../formats/text/value.ts'
import { invalidDocument } from '../requests/http/document.ts'
import type { Agreement } from './agreement.ts'

// What an access agreement of Bitol (OAAS) states about members that the catalog decides.

/** Asserts that the stated team owns the data product. Errors: document_invalid. */
export function requireStatedOwner(
  oaas: OaasRemarks | undefined,
  { productId, providerTeam }: Pick<Agreement, 'productId' | 'providerTeam'>,
): void {
  if (oaas === undefined || oaas.stated.providerTeam === providerTeam) return
  const message = `Team "${clip(oaas.stated.providerTeam)}" does not own data product "${clip(productId)}"; its owner is "${clip(providerTeam)}".`
  throw invalidDocument([{ field: 'provider.teamId', message }])
}

/** Lists the remarks about a document, and the members that the catalog decides differently; sentences. */
export function listOaasWarnings(
  { stated, warnings }: OaasRemarks,
  agreement: Agreement,
): string[] {
  const { status, consumerTeam, contractId, contractVersion } = stated
  const isCanceled = agreement.state === 'canceled'
  const decided = [
    ['status', status, toOaasStatus({ status: agreement.status, isCanceled })],
    ['consumer.teamId', consumerTeam, agreement.consumerTeam],
    ['provider.dataContractId', contractId, agreement.contractId],
    ['provider.dataContractVersion', contractVersion, agreement.contractVersion],
  ] as const
  const differing = decided.flatMap(([path, value, own]) =>
    value === undefined || value === own
      ? []
      : [
          `${path}: The catalog decides this member: ${own === null ? 'it has none' : `"${clip(own)}"`}, not "${clip(value)}".`,
        ],
  )
  return [...warnings.map(({ path, message }) => `${path}: ${message}`), ...differing]
}
