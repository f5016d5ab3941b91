import { convertOaas } from '../../../formats/bitol/oaas/read.ts'
import {
  readAgreement,
  toCanonical,
  toFormerCanonical,
  withoutTeams,
} from '../../../formats/agreement/agreement.ts'
import { jsonText, readAcceptedText } from '../../../formats/text/text.ts'
import { isObject } from '../../../formats/text/value.ts'
import { AGREEMENT_KIND } from '../../agreements/agreement.ts'
import {
  listAccessPortsOfEach,
  presentAgreement,
  type PresentableAgreement,
} from '../../agreements/task.ts'
import { computeDigest } from '../../documents/document.ts'
import { readStored } from '../../requests/http/document.ts'
import { readInBatches } from '../cursor.ts'
import { readingCheck, RESTORE, sqlCheck, type Check } from './check.ts'

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
interface CurrentAgreement extends Omit<PresentableAgreement, 'active' | 'provisioning'> {
  /** The text that was sent as an access agreement of Bitol; null = it was sent in the form of clients. */
  oaas: string | null
  oaasType: string
  purpose: string
  productId: string
  state: string
}

/** Parses every version of every agreement again, and compares the current ones with their columns. */
export const AGREEMENT_CHECK: Check = readingCheck(
  { name: 'access agreements and their versions match their texts and digests', repair: RESTORE },
  (run) =>
    readInBatches<AgreementRow>(run, {
      name: 'agreement_versions',
      select: `organization.name as organization, revision.external_id as id, revision.version,
      revision.document, revision.digest,
      case when stored.external_id is not null then json_build_object(
        'document', coalesce(stored.document_json, stored.document),
        'mediaType', 'application/json', 'purpose', stored.purpose,
        'oaas', case when stored.format = 'oaas' then stored.document end,
        'oaasType', stored.media_type,
        'productId', stored.provider_product, 'providerTeam', stored.provider_team,
        'consumerTeam', stored.consumer_team, 'status', stored.status, 'state', stored.state,
        'contractId', stored.contract_id, 'contractVersion', stored.contract_version,
        'terms', json_build_object(
          'startOn', stored.start_on, 'endOn', stored.end_on, 'reassessOn', stored.reassess_on,
          'roles', stored.roles
        )
      ) end as current`,
      from: `revision
      join organization on organization.id = revision.organization_id
      left join access_agreement as stored on stored.organization_id = revision.organization_id
        and stored.external_id = revision.external_id
        and stored.version = revision.version
      where revision.kind = '${AGREEMENT_KIND}'`,
      order: 'revision.organization_id, revision.external_id, revision.version',
      bytes: 'octet_length(revision.document) * 3 + 1000',
    }),
  (row) => {
    const problem = findProblem(row)
    const { id, version, organization } = row
    return (
      problem && `agreement "${id}", version ${version} (organization ${organization}): ${problem}`
    )
  },
)

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
  { purpose, productId, state, oaas, oaasType, ...columns }: CurrentAgreement,
): string | undefined {
  if (oaas !== null && !isMeaning(columns.document, { document: oaas, mediaType: oaasType })) {
    return 'its terms are not those of the text that was sent'
  }
  const source = readAcceptedText(columns.document, 'application/json')
  const reading = source.ok ? readAgreement(source, id) : undefined
  if (reading?.ok !== true) return 'the text that was sent cannot be parsed'
  const { agreement } = reading
  if (agreement.purpose !== purpose || agreement.productId !== productId) {
    return 'the purpose or the data product is not that of the text that was sent'
  }
  const active = state === 'active'
  const { text } = presentAgreement({ ...columns, active, provisioning: null })
  // Another owner of a data product makes no version, and versions of earlier releases have no teams.
  const isSame = text === document || omitTeams(text) === omitTeams(document)
  return isSame ? undefined : 'its columns are not those of its last version'
}

// Whether an agreement is what a text of Bitol's form means.
function isMeaning(agreement: string, sent: { document: string; mediaType: string }): boolean {
  return jsonText(convertOaas(readStored(sent).spelled())) === agreement
}

function omitTeams(document: string): string {
  const value = readStored({ document, mediaType: 'application/json' }).spelled()
  return isObject(value) ? jsonText(withoutTeams(value)) : document
}

/** A data product and the output ports to which consumers have access. */
interface HeldProduct {
  organization: string
  id: string
  document: string
  ports: string[]
}

const PORT_CHECK: Check = readingCheck(
  {
    name: 'access that is active or begins later is on an output port of its data product',
    repair:
      'cancel the agreement, or register a version of the data product that has the output port.',
  },
  (run) =>
    readInBatches<HeldProduct>(run, {
      name: 'held_products',
      select: `organization.name as organization, product.external_id as id, held.ports,
      coalesce(product.document_json, product.document) as document`,
      from: `(
        select organization_id, held_product, array_agg(distinct output_port) as ports
        from access_agreement
        where held_product is not null
        group by organization_id, held_product
      ) as held
      join organization on organization.id = held.organization_id
      join data_product as product on product.organization_id = held.organization_id
        and product.external_id = held.held_product`,
      order: 'held.organization_id, held.held_product',
      bytes: 'octet_length(coalesce(product.document_json, product.document)) + 1000',
    }),
  (product) => {
    const { organization, id, ports } = product
    const existing = new Set(
      listAccessPortsOfEach
        .run([product])
        .flat()
        .map((port) => port.id),
    )
    return ports
      .filter((port) => !existing.has(port))
      .map(
        (port) =>
          `data product "${id}" (organization ${organization}): a consumer has access to the output port "${port}", which it does not have`,
      )
  },
)

/** Checks what agreements refer to: output ports, owners, teams and people. */
export const AGREEMENT_PARTY_CHECKS: readonly Check[] = [
  PORT_CHECK,
  sqlCheck(
    {
      name: 'access agreements belong to the teams that own their data products',
      repair: 'start Portbook: within ten minutes, it moves them to the owners.',
    },
    `select agreement.organization_id,
      'agreement "' || agreement.external_id || '" belongs to team "' || side.team
        || '", and data product "' || side.product || '" to team "' || owner.external_id || '"'
        as finding
    from access_agreement as agreement
    cross join lateral (
      values
        (agreement.provider_product, agreement.provider_team),
        (agreement.consumer_product, coalesce(agreement.consumer_team, ''))
    ) as side (product, team)
    join data_product as product on product.organization_id = agreement.organization_id
      and product.external_id = side.product
    join team as owner on owner.organization_id = product.organization_id
      and owner.id = product.owner_team_id
    where owner.external_id <> side.team`,
  ),
  sqlCheck(
    {
      name: 'the teams and people of requests and of access in force exist',
      repair:
        'start Portbook: within ten minutes, it ends the access of people who are not members. Cancel the agreements of teams that do not exist.',
    },
    `select agreement.organization_id,
      'agreement "' || agreement.external_id || '" is with team "' || side.team || '", which does not exist'
        as finding
    from access_agreement as agreement
    cross join lateral (
      values (agreement.provider_team), (agreement.consumer_team)
    ) as side (team)
    left join team on team.organization_id = agreement.organization_id
      and team.external_id = side.team
    where agreement.state in ('requested', 'upcoming', 'active')
      and side.team is not null
      and team.id is null
    union all
    select agreement.organization_id,
      'agreement "' || agreement.external_id || '" is with a person who is not a member'
    from access_agreement as agreement
    left join organization_member as member on member.organization_id = agreement.organization_id
      and member.user_id = agreement.consumer_user
    where agreement.state in ('requested', 'upcoming', 'active')
      and agreement.consumer_user is not null
      and member.user_id is null`,
  ),
]
