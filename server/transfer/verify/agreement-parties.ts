import { listAccessPortsOfEach } from '../../agreements/task.ts'
import { readInBatches } from '../cursor.ts'
import { sqlCheck, type Check, type Rule } from './check.ts'

/** A data product and the output ports to which consumers have access. */
interface HeldProduct {
  organization: string
  id: string
  document: string
  ports: string[]
}

const PORTS: Rule = {
  name: 'access that is active or begins later is on an output port of its data product',
  repair:
    'cancel the agreement, or register a version of the data product that has the output port.',
}

const PORT_CHECK: Check = {
  rules: [PORTS],
  async *findings(run) {
    const batches = readInBatches<HeldProduct>(run, {
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
    })
    for await (const products of batches) {
      const portsOfEach = listAccessPortsOfEach.run(products)
      for (const [at, { organization, id, ports }] of products.entries()) {
        const existing = new Set(portsOfEach[at]?.map((port) => port.id))
        for (const port of ports.filter((named) => !existing.has(named))) {
          const text = `data product "${id}" (organization ${organization}): a consumer has access to the output port "${port}", which it does not have`
          yield { rule: PORTS, text }
        }
      }
    }
  },
}

const OWNERS: Rule = {
  name: 'access agreements belong to the teams that own their data products',
  repair: 'start Portbook: within ten minutes, it moves them to the owners.',
}

const PARTIES: Rule = {
  name: 'the teams and people of requests and of access in force exist',
  repair:
    'start Portbook: within ten minutes, it ends the access of people who are not members. Cancel the agreements of teams that do not exist.',
}

/** Checks what agreements refer to: output ports, owners, teams and people. */
export const AGREEMENT_PARTY_CHECKS: readonly Check[] = [
  PORT_CHECK,
  sqlCheck(
    OWNERS,
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
    PARTIES,
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
