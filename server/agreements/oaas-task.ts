import { isOaas } from '../../formats/bitol/oaas/document.ts'
import { updateOaas, updateOaasValue } from '../../formats/bitol/oaas/update.ts'
import { writeOaas, type OaasMembers } from '../../formats/bitol/oaas/write.ts'
import { jsonText, type Value } from '../../formats/text/text.ts'
import { yamlText } from '../../formats/text/yaml-write.ts'
import { splitBySize } from '../platform/kit/batches.ts'
import { readStored } from '../requests/http/document.ts'
import type { DraftSyntax } from '../requests/http/draft-form.ts'
import type { Offload, Task, TaskText } from '../requests/http/offload.ts'
import type { Agreement } from './agreement.ts'
import { BATCH_CHARS_MAX, toPresentable } from './task.ts'

// Agreements in the form of Bitol's draft (OAAS).

/** A stored agreement, and the members of the catalog. */
interface OaasPresentable {
  /** The agreement as a client of the catalog sends it. */
  agreement: TaskText
  /** The text that was sent; null = it was sent in the form of the catalog's clients. */
  sent: TaskText | null
  members: OaasMembers
  /** Whether connectors have reported its provisioning. */
  isReported: boolean
}

/** The notation of access agreements, as documents or as the items of a list. */
interface OaasForm {
  syntax: DraftSyntax
  isList: boolean
}

/** An access agreement of Bitol, and what it does not contain. */
export interface OaasText {
  text: string
  losses: { path: string; message: string }[]
}

/** Writes agreements as access agreements of Bitol: as they were sent, if they were sent as such and the catalog agrees. */
export const presentAsOaas: Task<
  { agreements: readonly OaasPresentable[]; form: OaasForm },
  OaasText[]
> = {
  name: 'agreement/presentAsOaas',
  run: ({ agreements, form }) => agreements.map((one) => presentOne(one, form)),
}

function presentOne(
  { agreement, sent, members, isReported }: OaasPresentable,
  form: OaasForm,
): OaasText {
  const losses: OaasText['losses'] = []
  if (isReported) {
    losses.push({ path: 'provisioning', message: 'The form has no reports of connectors.' })
  }
  const source = sent === null ? undefined : readStored(sent)
  if (source === undefined || !isOaas(source.value)) {
    const written = writeOaas(readStored(agreement).spelled(), members)
    losses.push(...written.losses)
    return { text: writeValue(written.document, form), losses }
  }
  // Comments and layout have no place in lists and in the other notation.
  if (form.isList || source.mediaType !== `application/${form.syntax}`) {
    return { text: writeValue(updateOaasValue(source, members), form), losses }
  }
  const { text, isInPlace } = updateOaas(source, members)
  if (!isInPlace) {
    losses.push({ path: '', message: 'The text was written again, without comments and layout.' })
  }
  return { text, losses }
}

function writeValue(value: Value, { syntax, isList }: OaasForm): string {
  return syntax === 'json' ? jsonText(value) : yamlText(isList ? [value] : value)
}

/** Returns the part of an agreement that the form contains. */
function toOaasPresentable(agreement: Agreement): OaasPresentable {
  const { id, document, mediaType, format, state, provisioning } = agreement
  const { document: text, mediaType: type, ...columns } = toPresentable(agreement)
  const { status, providerTeam, consumerTeam, contractId, contractVersion, terms } = columns
  return {
    agreement: { document: text, mediaType: type },
    sent: format === 'oaas' ? { document, mediaType } : null,
    members: {
      id,
      status,
      isCanceled: state === 'canceled',
      providerTeam,
      consumerTeam,
      contractId,
      contractVersion,
      terms,
    },
    isReported: provisioning !== null,
  }
}

/** Writes agreements as access agreements of Bitol in their order, in batches. Errors: document_too_costly, overloaded. */
export async function presentOaasInBatches(
  offload: Offload,
  organizationId: string,
  agreements: readonly Agreement[],
  form: OaasForm,
): Promise<OaasText[]> {
  const presented: OaasText[] = []
  const all = agreements.map(toOaasPresentable)
  for (const batch of splitBySize(all, BATCH_CHARS_MAX, countCharacters)) {
    const texts = batch.map(({ agreement, sent }) => sent ?? agreement)
    presented.push(
      ...(await offload.run(organizationId, presentAsOaas, { agreements: batch, form }, texts)),
    )
  }
  return presented
}

function countCharacters({ agreement, sent }: OaasPresentable): number {
  return agreement.document.length + (sent?.document.length ?? 0)
}
