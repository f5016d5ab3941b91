import type { Generated, GeneratedAlways, Kysely } from 'kysely'
import type { Instant } from './kit/clock.ts'

// The store's tables as the query builder sees them; schema.sql is the full account.

/** A date without a time, `YYYY-MM-DD`. */
export type CalendarDate = string

interface OrganizationTable {
  id: string
  name: string
  created_at: Generated<Instant>
  api_key_count: Generated<number>
}

interface UserAccountTable {
  id: string
  email: string
  email_key: string
  name: string
  password_hash: string
  created_at: Generated<Instant>
}

interface OrganizationMemberTable {
  organization_id: string
  user_id: string
  role: 'Owner' | 'Member'
  created_at: Generated<Instant>
}

interface SetupLinkTable {
  token_hash: Buffer
  created_at: Generated<Instant>
}

interface EncryptionKeyTable {
  id: string
  sealed: Buffer
  created_at: Generated<Instant>
}

interface TeamTable {
  organization_id: string
  id: string
  external_id: string
  name: string
  type: string
  parent_id: string | null
  member_emails: string[]
  member_roles: string[]
  document: string
  digest: string
  version: number
  created_at: Instant
  updated_at: Instant
  updated_by: string
}

interface ApiKeyTable {
  organization_id: string
  id: string
  scope: string
  team_id: string | null
  user_id: string | null
  display_name: string
  secret_hash: Buffer
  expires_on: CalendarDate | null
  created_at: Generated<Instant>
  created_by: string
  last_used_at: Instant | null
}

interface DataProductTable {
  organization_id: string
  external_id: string
  document: string
  media_type: string
  document_json: string | null
  format: string
  version: number
  digest: string
  name: string
  description: string | null
  owner_team_id: string
  status: string | null
  archetype: string | null
  maturity: string | null
  domain: string | null
  tags: string[]
  input_contracts: string[]
  output_contracts: string[]
  search: string
  created_at: Instant
  updated_at: Instant
  updated_by: string
}

interface DataContractTable {
  organization_id: string
  external_id: string
  document: string
  media_type: string
  document_json: string | null
  format: string
  version: number
  digest: string
  name: string
  description: string | null
  owner_team_id: string
  status: string | null
  domain: string | null
  tags: string[]
  contract_version: string | null
  search: string
  created_at: Instant
  updated_at: Instant
  updated_by: string
}

interface RevisionTable {
  organization_id: string
  kind: string
  external_id: string
  version: number
  document: string
  media_type: string
  format: string
  digest: string
  level: string
  facts: unknown
  created_at: Instant
  valid_from: Instant
  principal: string
  request_id: string
  deleted_at: Instant | null
  deleted_by: string | null
}

interface EventTable {
  organization_id: string
  transaction_id: GeneratedAlways<string>
  position: GeneratedAlways<number>
  id: string
  type: string
  kind: string
  subject: string
  version: number
  removal: boolean
  output_port_id: string | null
  principal: string
  time: Instant
}

/** Every table by its name. */
export interface Tables {
  organization: OrganizationTable
  user_account: UserAccountTable
  organization_member: OrganizationMemberTable
  setup_link: SetupLinkTable
  encryption_key: EncryptionKeyTable
  team: TeamTable
  api_key: ApiKeyTable
  data_product: DataProductTable
  data_contract: DataContractTable
  revision: RevisionTable
  event: EventTable
}

/** The store, as every statement gets it: a pool, or the transaction that it runs in. */
export type Database = Kysely<Tables>
