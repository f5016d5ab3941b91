/** The statements that fill the tables of a large store whose rows need no document. */

import { KINDS, getRows } from '../../server/platform/kinds.ts'
import { CONSUMER_DIGEST, INSERT_MONTHS } from '../../server/reports/usage/usage.ts'

// In all statements: $1 organization, $2 and $3 the first number and the one after the last, as texts.
const NUMBERS = 'generate_series($2::integer, $3::integer - 1) as number'
const NUMBERED_ID = (prefix: string): string => `md5('${prefix}' || $1 || number)::uuid`

// An organization cannot have more.
const API_KEYS_MAX = 100

/** Versions and events of the documents that have none yet. */
export const HISTORY: readonly string[] = Object.values(KINDS).flatMap(({ kind, event }) => [
  `insert into revision (
     organization_id, kind, external_id, version, document, media_type, format, digest, level, facts,
     created_at, valid_from, principal, request_id
   )
   select organization_id, '${kind}', external_id, past.version, document,
     ${kind === 'team' ? `'application/json'` : 'media_type'},
     ${kind === 'team' ? `'team'` : kind === 'asset' ? `'ingested'` : 'format'}, digest, 'none',
     jsonb_build_object('name', name), created_at,
     created_at + make_interval(secs => past.version), 'system', 'fill'
   from ${getRows(kind)} as stored
   cross join generate_series(1, stored.version) as past (version)
   where organization_id = $1
     and not exists (
       select from revision
       where revision.organization_id = stored.organization_id
         and revision.kind = '${kind}'
         and revision.external_id = stored.external_id
     )`,
  `insert into event (
     organization_id, id, type, kind, subject, version, removal, principal, time
   )
   select organization_id, gen_random_uuid(),
     case when version = 1 then '${event}CreatedEvent' else '${event}UpdatedEvent' end,
     '${kind}', external_id, version, false, 'system', valid_from
   from revision as stored
   where organization_id = $1
     and kind = '${kind}'
     and not exists (
       select from event
       where event.organization_id = stored.organization_id
         and event.kind = '${kind}'
         and event.subject = stored.external_id
     )
   order by external_id, version`,
])

/** The versions of agreements, from the temporary table `presented`, and their events. */
export const AGREEMENT_HISTORY: readonly string[] = [
  `insert into revision (
     organization_id, kind, external_id, version, document, media_type, format, digest, level, facts,
     created_at, valid_from, principal, request_id
   )
   select stored.organization_id, 'access', stored.external_id, 1, presented.text,
     'application/json', 'access', stored.digest, 'none', '{}', created_at, created_at, 'system', 'fill'
   from presented
   join access_agreement as stored on stored.organization_id = $1
     and stored.external_id = presented.id`,
  `insert into event (
     organization_id, id, type, kind, subject, version, removal, principal, time
   )
   select organization_id, gen_random_uuid(), 'AccessCreatedEvent', 'access', external_id, 1, false,
     'system', created_at
   from presented
   join access_agreement as stored on stored.organization_id = $1
     and stored.external_id = presented.id`,
]

/** Entries of the activity. They are recent, because the processes of a store seal within minutes. */
export const ENTRIES = `
  insert into activity_entry (
    organization_id, at, principal, request_id, kind, subject, name, action, level, team, version_after,
    details
  )
  select $1::uuid, now() - make_interval(secs => ($3::integer - number) / 1000.0), 'system', 'fill',
    'ingested-asset', 'asset-' || number, 'Table ' || number, 'created', 'none', '', 1,
    jsonb_build_object('schema', 'schema_' || number / 50)
  from ${NUMBERS}
  order by number`

/** Everything that pipelines, people and processes leave behind. */
export const REPORTS: readonly string[] = [
  `insert into lineage_event (
     organization_id, received_at, id, document, kind, event_type, event_at, run_id, job_namespace,
     job_name, input_assets, output_assets, principal
   )
   select $1::uuid, now() - make_interval(secs => number), ${NUMBERED_ID('lineage')},
     json_build_object(
       'eventType', 'START', 'run', json_build_object('runId', 'run-' || number),
       'job', json_build_object('namespace', 'n', 'name', 'job-' || number)
     )::text,
     'run', 'START', now(), 'run-' || number, 'n', 'job-' || number, '{}', '{}', 'system'
   from ${NUMBERS}`,
  `insert into test_result (
     organization_id, external_id, contract_id, server, result, dry_run, document, version, tested_at,
     created_at, updated_at, updated_by
   )
   select $1::uuid, 'result-' || number, 'contract-' || number, 'production', 'passed', false,
     json_build_object(
       'id', 'result-' || number, 'dataContractId', 'contract-' || number, 'server', 'production',
       'result', 'passed'
     )::text,
     1, now() - make_interval(secs => number), now(), now(), 'system'
   from ${NUMBERS}`,
  `insert into usage_span (
     organization_id, span_id, data_product_id, output_port, user_name, role, access_id, row_count,
     started_at, received_at, resource, scope, span
   )
   select $1::uuid, lpad(to_hex(number), 16, '0'), 'product-' || number / 20, 'out',
     'user-' || number % 7, '', '', number % 100, now() - make_interval(days => number % 60), now(),
     '{}', '{}', '{}'
   from ${NUMBERS}`,
  'delete from usage_month where organization_id = $1',
  'delete from usage_day where organization_id = $1',
  `insert into usage_day (
     organization_id, data_product_id, day, output_port, user_name, role, access_id, consumer_digest,
     query_count, row_count
   )
   select organization_id, data_product_id, day, output_port, user_name, role, access_id,
     ${CONSUMER_DIGEST}, count, rows
   from (
     select organization_id, data_product_id, (started_at at time zone 'UTC')::date as day, output_port,
       user_name, role, access_id, count(*) as count, sum(row_count) as rows
     from usage_span
     where organization_id = $1
     group by 1, 2, 3, 4, 5, 6, 7
   ) as counted (
     organization_id, data_product_id, day, output_port, user_name, role, access_id, count, rows
   )`,
  INSERT_MONTHS,
  `insert into delivery (organization_id, id, channel, target, subject, topic, payload)
   select $1::uuid, ${NUMBERED_ID('delivery')}, 'webhook', 'target-' || number % 20, 'subject-' || number,
     'DataProductUpdatedEvent', '{}'
   from ${NUMBERS}`,
  `insert into delivery_lane (organization_id, channel, target, subject, due_at)
   select $1::uuid, 'webhook', 'target-' || number % 20, 'subject-' || number, now()
   from ${NUMBERS}`,
  `insert into delivery_attempt (organization_id, delivery_id, attempt, attempted_at, duration_ms)
   select $1::uuid, ${NUMBERED_ID('delivery')}, 1, now(), 5
   from ${NUMBERS}`,
  `insert into notification (
     organization_id, id, kind, occasion, subject_kind, subject_id, data, audience, occurred_at,
     created_at, distributed_at
   )
   select $1::uuid, ${NUMBERED_ID('notification')}, 'mention', 'occasion-' || number, 'data-product',
     'product-' || number, '{}', '[]', now(), now() - make_interval(secs => number), now()
   from ${NUMBERS}`,
  `insert into notification_recipient (
     organization_id, notification_id, user_id, reason, on_page, email, emailed_at
   )
   select $1::uuid, ${NUMBERED_ID('notification')}, member.user_id, 'mentioned', true, 'digest', now()
   from ${NUMBERS}
   join organization_member as member on member.organization_id = $1`,
  `insert into api_key (
     organization_id, id, scope, display_name, secret_hash, expires_on, created_by
   )
   select $1::uuid, ${NUMBERED_ID('key')}, 'organization', 'Key ' || number,
     sha256(convert_to('key' || $1 || number, 'UTF8')), current_date + 100 + number % 300, 'system'
   from ${NUMBERS}
   where number < ${API_KEYS_MAX}`,
  `update organization
   set api_key_count = (select count(*) from api_key where organization_id = organization.id)
   where id = $1`,
  `insert into credential (organization_id, integration_id, field, sealed, key_id, set_at)
   select $1::uuid, integration.id, 'field-' || number, '', encryption_key.id, now()
   from ${NUMBERS}
   cross join encryption_key
   join integration on integration.organization_id = $1`,
  `insert into ingestion_run (
     organization_id, id, integration_id, kind, status, phase, principal, forced, started_at,
     completed_at, progressed_at
   )
   select $1::uuid, ${NUMBERED_ID('run')}, integration.id, 'ingest', 'SUCCESS', 'publishing', 'system',
     false, now() - make_interval(mins => number), now() - make_interval(mins => number), now()
   from ${NUMBERS}
   join integration on integration.organization_id = $1`,
  `insert into ingestion_scope (organization_id, run_id, scope, kind, state)
   select $1::uuid, ${NUMBERED_ID('run')}, '["warehouse"]', 'schema', 'complete'
   from ${NUMBERS}`,
  `insert into ingestion_log_line (organization_id, run_id, at, level, text)
   select $1::uuid, ${NUMBERED_ID('run')}, now() - make_interval(mins => number), 'info', 'Line ' || number
   from ${NUMBERS}`,
]
