import {
  readAgreement,
  toCanonical,
  toFormerCanonical,
  withoutTeams,
} from '../../../formats/agreement/agreement.ts'
import { jsonText, readAcceptedText } from '../../../formats/text/text.ts'
import { isObject } from '../../../formats/text/value.ts'
import { AGREEMENT_KIND } from '../../agreements/agreement.ts'
import { presentAgreement } from '../../agreements/task.ts'
import { computeDigest } from '../../documents/document.ts'
import { readStored } from '../../requests/http/document.ts'
import { readInBatches } from '../cursor.ts'
import { RESTORE, type Check, type Rule } from './check.ts'

/** A version of an agreement, and the agreement itself if the version is current. */
interface AgreementRow {
  organization: string
  id: string
  version: number
  document: string
  digest: string
  current: CurrentAgreement | null
}

/** The columns of an agreement that follow from its text, or from which its last version follows. */
interface CurrentAgreement {
  sent: string
  purpose: string
  productId: string
  providerTeam: string
  consumerTeam: string | null
  status: string
  state: string
  contractId: string | null
  contractVersion: string | null
  startOn: string | null
  endOn: string | null
  reassessOn: string | null
  roles: string[]
}

const RULE: Rule = {
  name: 'access agreements and their versions match their texts and digests',
  repair: RESTORE,
}

/** Parses every version of every agreement again, and compares the current ones with their columns. */
export const AGREEMENT_CHECK: Check = {
  rules: [RULE],
  async *findings(run) {
    const batches = readInBatches<AgreementRow>(run, {
      name: 'agreement_versions',
      select: `organization.name as organization, revision.external_id as id, revision.version,
        revision.document, revision.digest,
        case when stored.external_id is not null then json_build_object(
          'sent', coalesce(stored.document_json, stored.document), 'purpose', stored.purpose,
          'productId', stored.provider_product, 'providerTeam', stored.provider_team,
          'consumerTeam', stored.consumer_team, 'status', stored.status, 'state', stored.state,
          'contractId', stored.contract_id, 'contractVersion', stored.contract_version,
          'startOn', stored.start_on, 'endOn', stored.end_on, 'reassessOn', stored.reassess_on,
          'roles', stored.roles
        ) end as current`,
      from: `revision
        join organization on organization.id = revision.organization_id
        left join access_agreement as stored on stored.organization_id = revision.organization_id
          and stored.external_id = revision.external_id
          and stored.version = revision.version
        where revision.kind = '${AGREEMENT_KIND}'`,
      order: 'revision.organization_id, revision.external_id, revision.version',
      bytes: 'octet_length(revision.document) * 3 + 1000',
    })
    for await (const rows of batches) {
      for (const row of rows) {
        const problem = findProblem(row)
        if (problem === undefined) continue
        const { id, version, organization } = row
        yield {
          rule: RULE,
          text: `agreement "${id}", version ${version} (organization ${organization}): ${problem}`,
        }
      }
    }
  },
}

function findProblem({ id, document, digest, current }: AgreementRow): string | undefined {
  const source = readAcceptedText(document, 'application/json')
  if (!source.ok) return 'its text cannot be parsed'
  // In earlier versions, teams that clients sent counted.
  const canonical = [toCanonical, toFormerCanonical]
  if (!canonical.some((write) => computeDigest(write(source.value)) === digest)) {
    return 'its digest is not that of its text'
  }
  return current === null ? undefined : findDifference(id, document, current)
}

function findDifference(
  id: string,
  document: string,
  {
    sent,
    purpose,
    productId,
    providerTeam,
    consumerTeam,
    status,
    state,
    contractId,
    contractVersion,
    ...terms
  }: CurrentAgreement,
): string | undefined {
  const source = readAcceptedText(sent, 'application/json')
  const reading = source.ok ? readAgreement(source, id) : undefined
  if (reading?.ok !== true) return 'the text that was sent cannot be parsed'
  const { agreement } = reading
  if (agreement.purpose !== purpose || agreement.productId !== productId) {
    return 'the purpose or the data product is not that of the text that was sent'
  }
  const { text } = presentAgreement({
    document: sent,
    mediaType: 'application/json',
    provisioning: null,
    status,
    active: state === 'active',
    providerTeam,
    consumerTeam,
    contractId,
    contractVersion,
    terms,
  })
  // Another owner of a data product makes no version, and versions of earlier releases have no teams.
  const isSame = text === document || omitTeams(text) === omitTeams(document)
  return isSame ? undefined : 'its columns are not those of its last version'
}

function omitTeams(document: string): string {
  const value = readStored({ document, mediaType: 'application/json' }).spelled()
  return isObject(value) ? jsonText(withoutTeams(value)) : document
}
