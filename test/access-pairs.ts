/**
 * Operations on agreements, and changes of what they refer to, which two servers perform at the same moment; and the
 * rules that must hold afterwards, as SQL.
 */

import type { HttpAnswer, HttpRequest } from './http-client.ts'
import { odcs, odps } from './world.ts'

/** Sends a request to one of the servers. */
export type SendTo = (method: string, path: string, options?: HttpRequest) => Promise<HttpAnswer>

/** A consumer, a data product under a contract, and an agreement of the consumer on its output port. */
export interface Scene {
  /** The end of all ids of the scene. */
  name: string
  consumer: { teamId: string } | { userId: string } | { dataProductId: string }
  /** A personal key of the consumer; undefined unless the consumer is a person. */
  key: string | undefined
  /** The headers of the owner's session. */
  owner: Record<string, string>
}

/** One side of a pair. */
export interface Operation {
  run(send: SendTo, scene: Scene): Promise<HttpAnswer>
  /** The codes of the documented refusals. */
  refusals: readonly string[]
}

/** An operation on the agreement of a scene. */
export interface AgreementOperation extends Operation {
  /** Whether the agreement exists, and whether it is approved, before the operation. */
  before: 'none' | 'requested' | 'active'
}

/** A change of what the agreement of a scene refers to. */
export interface PartyOperation extends Operation {
  /** The consumer that the change is about; undefined = any. */
  of?: 'team' | 'user' | 'dataproduct'
}

const OWNER = 'providers'
const NEW_OWNER = 'successors'

/** The teams of all scenes. */
export const TEAMS = [OWNER, NEW_OWNER]

const OUT = { id: 'out', name: 'out', version: '1' }

/** Returns the document of the data product that provides. */
export function buildProvider(
  { name }: Pick<Scene, 'name'>,
  { owner = OWNER, ...port }: { owner?: string } & Record<string, unknown> = {},
): Record<string, unknown> {
  const outputPorts = [{ ...OUT, contractId: `contract-${name}`, ...port }]
  const customProperties = [{ property: 'autoApprove', value: true }]
  return odps(`provider-${name}`, {
    team: { name: owner },
    outputPorts: outputPorts.map((one) => ({ ...one, customProperties })),
  })
}

/** Returns the document of the data product that consumes. */
export function buildConsumer({ name }: Pick<Scene, 'name'>, owner = OWNER) {
  return odps(`consumer-${name}`, { team: { name: owner } })
}

/** Returns the document of the contract. */
export function buildContract({ name }: Pick<Scene, 'name'>, version = '1.0.0', type = 'string') {
  const properties = [{ name: 'id', logicalType: type }]
  const schema = [{ name: 'orders', properties }]
  return odcs(`contract-${name}`, { team: { name: OWNER }, version, schema })
}

/** Returns the document of the agreement. */
export function buildPair({ name, consumer }: Scene, info: object = {}): Record<string, unknown> {
  return {
    info: { purpose: 'Reports', ...info },
    provider: { dataProductId: `provider-${name}`, outputPortId: 'out' },
    consumer,
  }
}

const toAccess = ({ name }: Scene): string => `/api/access/agreement-${name}`
const toProvider = ({ name }: Scene): string => `/api/dataproducts/provider-${name}`
const toConsumer = ({ name }: Scene): string => `/api/dataproducts/consumer-${name}`
const toContract = ({ name }: Scene): string => `/api/datacontracts/contract-${name}`

const GONE = ['invalid_state', 'document_invalid', 'not_found']

/** The operations on agreements. */
export const AGREEMENT_OPERATIONS: Record<string, AgreementOperation> = {
  'an approval': {
    before: 'requested',
    refusals: GONE,
    run: (send, scene) => send('POST', `${toAccess(scene)}/approve`),
  },
  'a request': {
    before: 'none',
    refusals: GONE,
    run: (send, scene) => send('PUT', toAccess(scene), { body: buildPair(scene) }),
  },
  'a request that is granted at once': {
    before: 'none',
    // The key of a person ends with the membership.
    refusals: [...GONE, 'validation_failed', 'credentials_unknown', 'permission_missing'],
    async run(send, scene) {
      const { key } = scene
      if (key === undefined) {
        // Other consumers are approved by the same key right after their request.
        const answer = await send('PUT', toAccess(scene), { body: buildPair(scene) })
        return answer.status === 200 ? await send('POST', `${toAccess(scene)}/approve`) : answer
      }
      const path = `${toProvider(scene)}/outputports/out/request-access`
      return await send('POST', path, { key, body: { purpose: 'Reports' } })
    },
  },
  'an amendment of a request': {
    before: 'requested',
    refusals: GONE,
    run: (send, scene) =>
      send('PUT', toAccess(scene), { body: buildPair(scene, { purpose: 'Other reports' }) }),
  },
  'a report of provisioning': {
    before: 'active',
    refusals: GONE,
    run: (send, scene) =>
      send('POST', `${toAccess(scene)}/provisioning/provisioning-succeeded`, { body: {} }),
  },
  'a renewal': {
    before: 'active',
    refusals: GONE,
    run: (send, scene) =>
      send('PUT', toAccess(scene), { body: buildPair(scene, { endDate: '2999-12-31' }) }),
  },
}

/** The changes of products, ports, contracts, teams and people. */
export const PARTY_OPERATIONS: Record<string, PartyOperation> = {
  'the removal of the port': {
    refusals: ['in_use'],
    run: (send, scene) =>
      send('PUT', toProvider(scene), { body: { ...buildProvider(scene), outputPorts: [] } }),
  },
  'a new id of the port': {
    refusals: ['in_use'],
    run: (send, scene) =>
      send('PUT', toProvider(scene), { body: buildProvider(scene, { id: 'out2', name: 'out2' }) }),
  },
  'a change of the product': {
    refusals: [],
    run: (send, scene) =>
      send('PUT', toProvider(scene), { body: { ...buildProvider(scene), status: 'retired' } }),
  },
  'another owner of the product': {
    refusals: [],
    run: (send, scene) =>
      send('PUT', toProvider(scene), { body: buildProvider(scene, { owner: NEW_OWNER }) }),
  },
  'the deletion of the product': {
    refusals: ['in_use'],
    run: (send, scene) => send('DELETE', toProvider(scene)),
  },
  'another contract of the port': {
    refusals: [],
    run: (send, scene) =>
      send('PUT', toProvider(scene), { body: buildProvider(scene, { contractId: 'other' }) }),
  },
  'a breaking change of the contract': {
    refusals: [],
    run: (send, scene) =>
      send('PUT', toContract(scene), { body: buildContract(scene, '2.0.0', 'integer') }),
  },
  'the deletion of the contract': {
    refusals: ['in_use'],
    run: (send, scene) => send('DELETE', toContract(scene)),
  },
  'the deletion of the owner': {
    refusals: ['in_use'],
    run: (send) => send('DELETE', `/api/teams/${OWNER}`),
  },
  'another owner of the consuming product': {
    of: 'dataproduct',
    refusals: [],
    run: (send, scene) => send('PUT', toConsumer(scene), { body: buildConsumer(scene, NEW_OWNER) }),
  },
  'the deletion of the consuming product': {
    of: 'dataproduct',
    refusals: ['in_use'],
    run: (send, scene) => send('DELETE', toConsumer(scene)),
  },
  'the deletion of the consuming team': {
    of: 'team',
    refusals: ['in_use'],
    run: (send, { name }) => send('DELETE', `/api/teams/team-${name}`),
  },
  'the removal of the person': {
    of: 'user',
    refusals: [],
    run: (send, { consumer, owner: headers }) => {
      const id = 'userId' in consumer ? consumer.userId : ''
      return send('DELETE', `/ui/members/${id}`, { key: null, headers })
    },
  },
}

/** Rules that hold after every pair, each as a statement that selects the agreements that violate it. */
export const RULES: Record<string, string> = {
  'access is on an output port of its data product': `
    select agreement.external_id
    from access_agreement as agreement
    where agreement.held_product is not null
      and not exists (
        select
        from data_product as product
        cross join jsonb_array_elements(product.document::jsonb->'outputPorts') as port
        where product.organization_id = agreement.organization_id
          and product.external_id = agreement.held_product
          and port->>'id' = agreement.output_port
      )`,
  'a consuming data product exists': `
    select agreement.external_id
    from access_agreement as agreement
    where agreement.held_consumer_product is not null
      and not exists (
        select
        from data_product as product
        where product.organization_id = agreement.organization_id
          and product.external_id = agreement.held_consumer_product
      )`,
  'agreements are of the teams that own their data products': `
    select agreement.external_id
    from access_agreement as agreement
    join data_product as product on product.organization_id = agreement.organization_id
      and product.external_id in (agreement.provider_product, agreement.consumer_product)
    join team on team.organization_id = agreement.organization_id
      and team.id = product.owner_team_id
    where team.external_id <> case
        when product.external_id = agreement.provider_product then agreement.provider_team
        else agreement.consumer_team
      end`,
  'the teams of open agreements exist': `
    select agreement.external_id
    from access_agreement as agreement
    cross join unnest(array[agreement.provider_team, agreement.consumer_team]) as side (team)
    where agreement.state in ('requested', 'upcoming', 'active')
      and side.team is not null
      and not exists (
        select
        from team
        where team.organization_id = agreement.organization_id
          and team.external_id = side.team
      )`,
  'people with open agreements are members': `
    select agreement.external_id
    from access_agreement as agreement
    where agreement.state in ('requested', 'upcoming', 'active')
      and agreement.consumer_user is not null
      and not exists (
        select
        from organization_member as member
        where member.organization_id = agreement.organization_id
          and member.user_id = agreement.consumer_user
      )`,
}

/** Access under a former contract that is not marked; a follower of the feed marks it soon after the change. */
export const UNMARKED_CONTRACTS = `
    select agreement.external_id
    from access_agreement as agreement
    join data_product as product on product.organization_id = agreement.organization_id
      and product.external_id = agreement.held_product
    left join data_contract as contract on contract.organization_id = agreement.organization_id
      and contract.external_id = agreement.contract_id
    where agreement.contract_id is not null
      and agreement.contract_changed_at is null
      and (
        not agreement.contract_id = any(product.output_contracts)
        or contract.contract_version is distinct from agreement.contract_version
      )`
