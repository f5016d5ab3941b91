import {
  AGREEMENT_NODES_MAX,
  namesOwnerTeams,
  readAgreement,
  toCanonical,
  toFormerCanonical,
  withCatalogMembers,
  withTerms,
  type CatalogMembers,
  type SentAgreement,
} from '../../formats/agreement/agreement.ts'
import { isOaas, OAAS_KIND } from '../../formats/bitol/oaas/document.ts'
import { readOaas, type OaasRemarks } from '../../formats/bitol/oaas/read.ts'
import { readDataProduct } from '../../formats/data-product/read.ts'
import { jsonText, toStoredJson, type SourceText } from '../../formats/text/text.ts'
import { asText, clip, getField } from '../../formats/text/value.ts'
import { computeDigest } from '../documents/document.ts'
import type { Violation } from '../platform/errors.ts'
import type { Body } from '../requests/http/body.ts'
import { readDocument, readStored } from '../requests/http/document.ts'
import type { Offload, Task, TaskText } from '../requests/http/offload.ts'
import { splitBySize } from '../platform/kit/batches.ts'
import type { StoredProduct } from '../ledger/ports/task.ts'
import type {
  Agreement,
  AgreementDraftWrite,
  AgreementFormat,
  AgreementWrite,
} from './agreement.ts'

/** An agreement that was read from a request, or all reasons why it cannot be stored. */
export type AgreementDraft =
  | {
      ok: true
      sent: SentAgreement
      digest: string
      /** The digest as earlier versions computed it; undefined if it is the same. */
      formerDigest: string | undefined
      documentJson: string | null
      format: AgreementFormat
      /** Only of an access agreement of Bitol. */
      oaas: OaasRemarks | undefined
    }
  | {
      ok: false
      problems: readonly Violation[]
      /** Whether it is an access agreement of Bitol in a version that cannot be read. */
      isUnsupported?: boolean
    }

/** Reads an agreement. Errors: those of `readDocument`. */
export const readSentAgreement: Task<Body & { id: string }, AgreementDraft> = {
  name: 'agreement/read',
  run({ id, ...body }) {
    const source = readDocument(body, { nodesMax: AGREEMENT_NODES_MAX })
    if (isOaas(source.value)) return readSentOaas(source, id)
    const reading = readAgreement(source, id)
    if (!reading.ok)
      return { ok: false, problems: [...listKindProblems(source), ...reading.problems] }
    return {
      ok: true,
      sent: reading.agreement,
      digest: computeDigest(reading.canonical),
      formerDigest: namesOwnerTeams(reading.value)
        ? computeDigest(toFormerCanonical(reading.value))
        : undefined,
      documentJson: toStoredJson(source),
      format: 'access',
      oaas: undefined,
    }
  },
}

function readSentOaas(source: SourceText, id: string): AgreementDraft {
  const reading = readOaas(source, id)
  if (!reading.ok) return reading
  const { agreement, value, canonical, stated, warnings, losses } = reading
  return {
    ok: true,
    sent: agreement,
    digest: computeDigest(canonical),
    formerDigest: undefined,
    documentJson: jsonText(value),
    format: 'oaas',
    oaas: { stated, warnings, losses },
  }
}

// A document of another kind lacks everything that an agreement needs.
function listKindProblems(source: SourceText): Violation[] {
  const kind = asText(getField(source.value, 'kind'))
  if (kind === undefined) return []
  const message = `The kind "${clip(kind)}" is not "${OAAS_KIND}".`
  return [{ field: 'kind', message, ...source.locate(['kind']) }]
}

/** The document of an agreement as it was sent, and the members that the catalog adds. */
export interface PresentableAgreement extends CatalogMembers {
  document: string
  mediaType: string
  /** The provisioning as JSON; null = none was reported. */
  provisioning: string | null
}

/** An agreement as clients see it. */
interface PresentedAgreement {
  /** JSON text. */
  text: string
  /** The digest of the terms in effect. */
  digest: string
}

/** Writes agreements as clients see them. */
export const presentAgreements: Task<readonly PresentableAgreement[], PresentedAgreement[]> = {
  name: 'agreement/present',
  run: (agreements) => agreements.map(presentAgreement),
}

/** Writes an agreement as clients see it. */
export function presentAgreement(presentable: PresentableAgreement): PresentedAgreement {
  const { document, mediaType, provisioning, ...members } = presentable
  const value = readStored({ document, mediaType }).spelled()
  const text = jsonText(withCatalogMembers(value, members))
  return {
    text: provisioning === null ? text : `${text.slice(0, -1)},"provisioning":${provisioning}}`,
    digest: computeDigest(toCanonical(withTerms(value, members.terms))),
  }
}

/** Returns the part of an agreement that clients see. */
export function toPresentable(
  agreement: Agreement,
  provisioning: string | null = null,
): PresentableAgreement {
  const { document, documentJson, mediaType, status, state, contractId, contractVersion } =
    agreement
  const { startOn, endOn, reassessOn, roles, providerTeam, consumerTeam } = agreement
  return {
    document: documentJson ?? document,
    mediaType: documentJson === null ? mediaType : 'application/json',
    provisioning,
    status,
    active: state === 'active',
    providerTeam,
    consumerTeam,
    contractId,
    contractVersion,
    terms: { startOn, endOn, reassessOn, roles },
  }
}

/** The characters of agreements, with their provisioning, that one task presents, so that it stays far below the limits. */
export const BATCH_CHARS_MAX = 1024 * 1024

/** Presents agreements in their order, in batches. Errors: document_too_costly, overloaded. */
export async function presentInBatches(
  offload: Offload,
  organizationId: string,
  agreements: readonly PresentableAgreement[],
): Promise<PresentedAgreement[]> {
  const presented: PresentedAgreement[] = []
  for (const batch of splitBySize(agreements, BATCH_CHARS_MAX, countCharacters)) {
    const texts: TaskText[] = batch.map(({ document, mediaType }) => ({ document, mediaType }))
    presented.push(...(await offload.run(organizationId, presentAgreements, batch, texts)))
  }
  return presented
}

function countCharacters({ document, provisioning }: PresentableAgreement): number {
  return document.length + (provisioning?.length ?? 0)
}

/** Writes the text of a changed agreement. Errors: document_too_costly, overloaded. */
export async function presentDraft(
  offload: Offload,
  draft: AgreementDraftWrite,
): Promise<AgreementWrite> {
  const { agreement } = draft
  const { organizationId } = agreement
  const [presented] = await presentInBatches(offload, organizationId, [toPresentable(agreement)])
  return withText(draft, presented ?? { text: '{}', digest: '' })
}

/** Writes the text of a changed agreement in this thread, for the upkeep: batches are small, and no request waits. */
export function presentWrite(draft: AgreementDraftWrite): AgreementWrite {
  return withText(draft, presentAgreement(toPresentable(draft.agreement)))
}

function withText(
  { agreement, events }: AgreementDraftWrite,
  { text, digest }: PresentedAgreement,
): AgreementWrite {
  return { agreement: { ...agreement, digest }, presented: text, events }
}

/** An output port that access can be requested for. */
export interface AccessPort {
  /** The id, which the versions of a port share. */
  id: string
  /** Unique in the product: the id, or name and version. */
  key: string
  name: string
  type: string | null
  contractId: string | null
  /** Whether requests are approved at once. */
  isAutoApproved: boolean
}

/** Lists the output ports of each product; none if a product cannot be read. */
export const listAccessPortsOfEach: Task<readonly StoredProduct[], AccessPort[][]> = {
  name: 'agreement/listAccessPortsOfEach',
  run: (products) => products.map(listAccessPorts),
}

function listAccessPorts({ id, document }: StoredProduct): AccessPort[] {
  const source = readStored({ document, mediaType: 'application/json' })
  const reading = readDataProduct(source, { id, strict: false, isAccepted: true })
  if (!reading.ok) return []
  return reading.product.outputPorts.map((port) => ({
    id: port.id,
    key: port.key,
    name: port.name,
    type: port.type ?? null,
    contractId: port.contractId ?? null,
    isAutoApproved: port.autoApprove === true,
  }))
}
