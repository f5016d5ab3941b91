import type { Generated, GeneratedAlways, Kysely } from 'kysely'
import type { Instant } from './kit/clock.ts'

// The database tables as types for the query builder. The complete definition is schema.sql.

/** A date without a time, `YYYY-MM-DD`. */
export type CalendarDate = string

interface OrganizationTable {
  id: string
  name: string
  created_at: Generated<Instant>
  api_key_count: Generated<number>
  search_synonyms: Generated<string[][]>
}

interface UserAccountTable {
  id: string
  email: string
  email_key: string
  name: string
  password_hash: string
  created_at: Generated<Instant>
  password_changed_at: Generated<Instant>
  last_organization_id: string | null
}

interface OrganizationMemberTable {
  organization_id: string
  user_id: string
  role: 'Owner' | 'Member'
  created_at: Generated<Instant>
  last_seen_at: Instant | null
}

interface InvitationTable {
  organization_id: string
  id: string
  email: string
  email_key: string
  role: 'Owner' | 'Member'
  token_hash: Buffer
  invited_by: string
  created_at: Instant
}

interface PasswordResetTable {
  user_id: string
  token_hash: Buffer
  organization_id: string | null
  created_by: string | null
  created_at: Instant
}

interface PasswordGuessTable {
  subject: Buffer
  guess_count: number
  guessed_at: Instant
  succeeded_at: Instant | null
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
  secret_prefix: string | null
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
  assets: string[]
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
  owner_team_id: string | null
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
  epoch: Generated<number>
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

interface SessionTable {
  token_hash: Buffer
  user_id: string
  created_at: Instant
  last_used_at: Instant
}

interface IntegrationTable {
  organization_id: string
  id: string
  external_id: string
  name: string
  source: string
  owner_team_id: string | null
  configuration: unknown
  schedule_expression: string | null
  schedule_time_zone: string
  enabled: boolean
  next_due_at: Instant | null
  authentication_failure_count: Generated<number>
  paused_because: string | null
  version: number
  created_at: Instant
  updated_at: Instant
  updated_by: string
}

interface CredentialTable {
  organization_id: string
  integration_id: string
  field: string
  sealed: Buffer
  key_id: string
  set_at: Instant
}

interface IngestionRunTable {
  organization_id: string
  id: string
  integration_id: string
  kind: 'ingest' | 'preview' | 'undo' | 'confirm'
  status: 'RUNNING' | 'SUCCESS' | 'FAILED' | 'CANCELLED'
  phase: 'waiting' | 'checking' | 'listing' | 'publishing'
  message: string | null
  principal: string
  forced: boolean
  assets_processed: Generated<number>
  assets_created: Generated<number>
  assets_updated: Generated<number>
  assets_deleted: Generated<number>
  held_count: Generated<number>
  held_state: 'pending' | 'confirmed' | 'rejected' | 'superseded' | null
  subject_run_id: string | null
  started_at: Instant
  completed_at: Instant | null
  attempt: Generated<number>
  fence: Generated<number>
  lease_until: Instant | null
  progressed_at: Instant
  cancel_requested_at: Instant | null
  not_before: Instant | null
  source_failures: Generated<number>
}

interface AssetTable {
  organization_id: string
  external_id: string
  integration_id: string | null
  path: string | null
  scope: string | null
  kind: string | null
  source_id: string | null
  document: string
  media_type: string
  document_json: string | null
  version: number
  digest: string
  name: string
  type: string
  source: string | null
  owner: string | null
  parent_id: string | null
  search: string
  run_id: string | null
  deleted_at: Instant | null
  created_at: Instant
  updated_at: Instant
  updated_by: string
}

interface AssetAnnotationTable {
  organization_id: string
  asset_id: string
  description: string | null
  owner_team_id: string | null
  tags: string[] | null
  version: number
  updated_at: Instant
  updated_by: string
}

/** The tables by name, without those that are used only in raw SQL. */
export interface Tables {
  organization: OrganizationTable
  user_account: UserAccountTable
  organization_member: OrganizationMemberTable
  invitation: InvitationTable
  password_guess: PasswordGuessTable
  password_reset: PasswordResetTable
  setup_link: SetupLinkTable
  encryption_key: EncryptionKeyTable
  team: TeamTable
  api_key: ApiKeyTable
  data_product: DataProductTable
  data_contract: DataContractTable
  revision: RevisionTable
  event: EventTable
  session: SessionTable
  integration: IntegrationTable
  credential: CredentialTable
  ingestion_run: IngestionRunTable
  asset: AssetTable
  asset_annotation: AssetAnnotationTable
}

/** The query builder of a statement: that of a pool, or of its transaction. */
export type Database = Kysely<Tables>
