import { sql, type RawBuilder } from 'kysely'
import type { ContractPromise } from '../../../formats/reality/promise.ts'

// SQL fragments for statements that write a contract; they read its row as the result named `written`.

/** SQL fragment: stores the promises of a contract. Those that are equal keep their rows, and the version that made them. */
export function appendPromises(
  organizationId: string,
  promises: readonly ContractPromise[],
): RawBuilder<unknown> {
  const column = (get: (promise: ContractPromise) => string | undefined): RawBuilder<unknown> =>
    sql`${promises.map((promise) => get(promise) ?? null)}::text[]`
  return sql`
      insert into contract_promise as promise (
        organization_id, contract_id, server, model, platform, is_production, path, scope_keys, address,
        unplaced_because, promise, digest, freshness, contract_version
      )
      select ${organizationId}::uuid, written.external_id, sent.server, sent.model, sent.platform,
        sent.is_production, sent.path,
        array(
          select lower(scope.text collate "C")
          from jsonb_array_elements_text(sent.scopes) as scope (text)
        ),
        sent.address, sent.unplaced_because, sent.promise, sent.digest,
        sent.freshness, written.version
      from written
      cross join unnest(
        ${column(({ server }) => server)}, ${column(({ model }) => model)},
        ${column(({ platform }) => platform)},
        ${promises.map(({ isProduction }) => isProduction)}::boolean[],
        ${column(({ path }) => path && JSON.stringify(path))},
        ${column(({ path }) => JSON.stringify(listScopes(path ?? [])))}::jsonb[],
        ${column(({ address }) => address)}, ${column(({ unplacedBecause }) => unplacedBecause)},
        ${column(({ promise }) => JSON.stringify(promise))}::jsonb[], ${column(({ digest }) => digest)},
        ${column(({ freshness }) => freshness && JSON.stringify(freshness))}::jsonb[]
      ) as sent (
        server, model, platform, is_production, path, scopes, address, unplaced_because, promise, digest,
        freshness
      )
      on conflict (organization_id, contract_id, server, model) do update
      set platform = excluded.platform, is_production = excluded.is_production, path = excluded.path,
        scope_keys = excluded.scope_keys, address = excluded.address,
        unplaced_because = excluded.unplaced_because, promise = excluded.promise,
        digest = excluded.digest, freshness = excluded.freshness, contract_version = excluded.contract_version
      where promise.digest <> excluded.digest
        or promise.freshness is distinct from excluded.freshness`
}

/** SQL fragment: deletes the promises that a contract no longer makes. */
export function deletePromises(
  organizationId: string,
  promises: readonly ContractPromise[],
): RawBuilder<unknown> {
  return sql`
      delete from contract_promise as promise
      using written
      where promise.organization_id = ${organizationId}::uuid
        and promise.contract_id = written.external_id
        and not exists (
          select
          from unnest(
            ${promises.map(({ server }) => server)}::text[],
            ${promises.map(({ model }) => model)}::text[]
          ) as sent (server, model)
          where sent.server collate "C" = promise.server
            and sent.model collate "C" = promise.model
        )`
}

// The beginnings of a path as JSON lists.
function listScopes(path: readonly string[]): string[] {
  return path.slice(1).map((_, at) => JSON.stringify(path.slice(0, at + 1)))
}
