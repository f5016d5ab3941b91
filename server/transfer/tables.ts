import { CONSUMER_DIGEST } from '../reports/usage/usage.ts'
import { newTable } from '../../formats/name/table.ts'

/** An exported table. */
export interface MovedTable {
  name: string
  /** The columns by which rows are sorted. Referenced rows must come first. */
  order: string
  /** Columns that the database fills in; they are not exported. */
  generated: readonly string[]
  /** The SQL expressions for columns that the files of earlier versions lack, from the other columns. */
  derived?: Readonly<Record<string, string>>
}

/** All exported tables, in an order in which references can be checked. */
export const MOVED_TABLES: readonly MovedTable[] = [
  { name: 'organization', order: 'id', generated: [] },
  { name: 'user_account', order: 'id', generated: [] },
  { name: 'organization_member', order: 'organization_id, user_id', generated: [] },
  { name: 'person_name', order: 'organization_id, id', generated: [] },
  { name: 'follow', order: 'organization_id, kind, subject, user_id', generated: [] },
  { name: 'organization_document', order: 'organization_id, kind', generated: [] },
  { name: 'encryption_key', order: 'created_at, id', generated: [] },
  { name: 'team', order: 'organization_id, created_at, id', generated: [] },
  { name: 'api_key', order: 'organization_id, created_at, id', generated: [] },
  { name: 'identity_provider', order: 'organization_id, created_at, id', generated: [] },
  { name: 'identity_provider_secret', order: 'organization_id, provider_id', generated: [] },
  { name: 'provider_identity', order: 'organization_id, provider_id, subject', generated: [] },
  { name: 'organization_domain', order: 'organization_id, domain', generated: [] },
  { name: 'organization_sign_in', order: 'organization_id', generated: [] },
  { name: 'break_glass', order: 'organization_id, user_id', generated: [] },
  { name: 'directory_key', order: 'organization_id, created_at, id', generated: [] },
  { name: 'directory_user', order: 'organization_id, created_at, user_id', generated: [] },
  { name: 'directory_group', order: 'organization_id, created_at, id', generated: [] },
  {
    name: 'directory_group_member',
    order: 'organization_id, group_id, user_id',
    generated: [],
  },
  { name: 'directory_mapping', order: 'organization_id, position', generated: [] },
  { name: 'data_product', order: 'organization_id, created_at, external_id', generated: [] },
  { name: 'data_contract', order: 'organization_id, created_at, external_id', generated: [] },
  {
    name: 'catalog_record',
    order: 'organization_id, kind, created_at, external_id',
    generated: [],
  },
  {
    name: 'plain_record',
    order: 'organization_id, kind, scope, created_at, external_id',
    generated: [],
  },
  {
    name: 'plain_record_secret',
    order: 'organization_id, kind, scope, external_id',
    generated: [],
  },
  {
    name: 'access_agreement',
    order: 'organization_id, created_at, external_id',
    generated: ['held_product', 'held_consumer_product'],
  },
  { name: 'notification', order: 'organization_id, id', generated: [] },
  {
    name: 'notification_recipient',
    order: 'organization_id, notification_id, user_id',
    generated: [],
  },
  {
    name: 'notification_channel_recipient',
    order: 'organization_id, notification_id, team, channel',
    generated: [],
  },
  { name: 'mail_digest', order: 'organization_id, user_id', generated: [] },
  { name: 'notification_setting', order: 'organization_id, user_id, kind', generated: [] },
  {
    name: 'notification_channel_setting',
    order: 'organization_id, team, channel, kind',
    generated: [],
  },
  {
    name: 'access_provisioning_report',
    order: 'organization_id, agreement_id, number',
    generated: [],
  },
  { name: 'integration', order: 'organization_id, created_at, id', generated: [] },
  { name: 'credential', order: 'organization_id, integration_id, field', generated: [] },
  { name: 'webhook_endpoint', order: 'organization_id, created_at, id', generated: [] },
  { name: 'webhook_secret', order: 'organization_id, endpoint_id, id', generated: [] },
  { name: 'ingestion_run', order: 'organization_id, started_at, id', generated: [] },
  { name: 'ingestion_scope', order: 'organization_id, run_id, scope', generated: [] },
  { name: 'missing_scope', order: 'organization_id, integration_id, scope', generated: [] },
  { name: 'ingestion_log_line', order: 'organization_id, run_id, line', generated: ['line'] },
  { name: 'asset', order: 'organization_id, created_at, external_id', generated: [] },
  { name: 'asset_tag', order: 'organization_id, asset_id, tag_id', generated: [] },
  { name: 'asset_annotation', order: 'organization_id, asset_id', generated: [] },
  { name: 'asset_statistic', order: 'organization_id, asset_id', generated: [] },
  {
    name: 'contract_promise',
    order: 'organization_id, contract_id, server, model',
    generated: ['location_key'],
  },
  { name: 'asset_link', order: 'organization_id, contract_id, server, model', generated: [] },
  {
    name: 'asset_link_choice',
    order: 'organization_id, contract_id, server, model',
    generated: [],
  },
  { name: 'integration_address', order: 'organization_id, integration_id, address', generated: [] },
  { name: 'drift_finding', order: 'organization_id, id', generated: [] },
  {
    name: 'test_check',
    order: 'organization_id, contract_id, server, port, check_key',
    generated: [],
  },
  { name: 'incident', order: 'organization_id, id', generated: [] },
  { name: 'asset_statistic_day', order: 'organization_id, asset_id, day', generated: [] },
  { name: 'asset_write', order: 'organization_id, asset_id', generated: [] },
  {
    name: 'promise_freshness',
    order: 'organization_id, contract_id, server, model',
    generated: [],
  },
  { name: 'trust_state', order: 'organization_id, kind, subject', generated: [] },
  { name: 'grant_reading', order: 'organization_id, integration_id', generated: [] },
  { name: 'asset_grant', order: 'organization_id, integration_id, id', generated: [] },
  { name: 'grant_scope', order: 'organization_id, integration_id, path', generated: [] },
  {
    name: 'grantee_member',
    order: 'organization_id, integration_id, member_kind, member, role_kind, role',
    generated: [],
  },
  {
    name: 'grantee_administrator',
    order: 'organization_id, integration_id, grantee_kind, grantee_name',
    generated: [],
  },
  {
    name: 'grantee_identity',
    order: 'organization_id, integration_id, grantee_kind, grantee_name',
    generated: [],
  },
  { name: 'grant_finding', order: 'organization_id, id', generated: [] },
  { name: 'test_account', order: 'organization_id, integration_id', generated: [] },
  { name: 'asset_change', order: 'organization_id, run_id, asset_id', generated: [] },
  { name: 'revision', order: 'organization_id, kind, external_id, version', generated: [] },
  { name: 'test_result', order: 'organization_id, created_at, external_id', generated: [] },
  {
    name: 'freshness_check',
    order: 'organization_id, contract_id, server, model',
    generated: [],
  },
  { name: 'lineage_event', order: 'organization_id, received_at, id', generated: [] },
  { name: 'usage_span', order: 'organization_id, span_id', generated: [] },
  {
    name: 'usage_day',
    order: 'organization_id, data_product_id, day, consumer_digest',
    generated: [],
    derived: { consumer_digest: CONSUMER_DIGEST },
  },
  {
    name: 'usage_month',
    order: 'organization_id, data_product_id, month, consumer_digest',
    generated: [],
  },
  // The importing database assigns new positions, so that later events sort after imported ones.
  {
    name: 'event',
    order: 'epoch, transaction_id, position',
    generated: ['epoch', 'transaction_id', 'position'],
  },
  {
    name: 'activity_entry',
    order: 'organization_id, epoch, transaction_id, position',
    generated: ['epoch', 'transaction_id', 'position'],
  },
  { name: 'activity_seal', order: 'organization_id, number', generated: [] },
]

/** The tables that are not exported, each with the reason. */
export const UNMOVED_TABLES = newTable<string>({
  activity_sealing: 'Where sealing continues follows from the seals.',
  asset_source_version: 'Without it, the next run reads every asset again.',
  demo_load: 'The load of the demo belongs to the database into which it loads.',
  demo_person: 'The sign-in page of a copied demo does not list people.',
  delivery: 'A copy of the data must not send again what was sent; the feed has every event.',
  delivery_attempt: 'The attempts belong to deliveries, which are not exported.',
  delivery_lane: 'The queue belongs to deliveries, which are not exported.',
  directory_refusal: 'The refused requests of a directory concern one installation.',
  directory_state: 'The last request of a directory was sent to another installation.',
  feed_cursor:
    'Followers of the feed begin after the imported events, about which no notice is sent.',
  feed_epoch: 'The epoch of the feed belongs to a PostgreSQL server.',
  feed_follower:
    'Followers of the feed begin after the imported events, about which no notice is sent.',
  invitation: 'An open invitation is a secret link; invite the person again.',
  job: 'When jobs last ran belongs to the processes of a database; after an import they run soon.',
  password_guess: 'Failed sign-in attempts expire within minutes.',
  password_reset: 'A link for a forgotten password is secret and works for a day; create another.',
  password_reset_agreement: 'An agreement to a reset link ends with the link, within days.',
  process: 'The processes of the database; those of the imported one record themselves.',
  provider_failure: 'The failed sign-ins of a provider concern one installation.',
  schema_migration: 'Each database records its own migrations; the header lists their names.',
  reality_build: 'The rules by which promises were stored, which are filled again after an import.',
  search_build: 'The progress of building the search index, which is built after an import.',
  search_document: 'The search index is built from the documents after an import.',
  search_reader_pass:
    'The readers of data products and data contracts are counted after an import.',
  search_word: 'The search index is built from the documents after an import.',
  session: 'A copy of the data must not give access to the sessions of signed-in people.',
  session_id_token: 'The tokens belong to sessions, which are not exported.',
  setup_link: 'Only an empty database has a setup link.',
  sign_in_transaction: 'A sign-in that a browser began ends within ten minutes.',
  staged_asset: 'An interrupted run reads its source again.',
  staged_grant: 'An interrupted run reads its source again.',
  staged_drift: 'An interrupted run reads its source again.',
  used_token: 'The copy has another address, for which no used token is valid.',
})
