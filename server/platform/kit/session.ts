import type { ClientBase } from 'pg'
import { CAN_CHECK_CLIENTS, RANDOM_PAGE_COST_MAX, type Pooling } from './pooler.ts'

/**
 * The use of the sessions of a pool. Statements of `requests` are short and run often, so their plans are kept. `background` statements may
 * run for minutes, over tables that grow: each is planned for the tables as they are now, and ends soon after the process
 * that waits for it.
 */
export type PoolUse = 'requests' | 'background'

/** The time between two checks of PostgreSQL during a statement whether its client still exists. */
const CLIENT_CHECK_MS = 2000

/**
 * Prepares a new session: sets UTC, and planning for memory and solid-state disks. By default PostgreSQL plans for
 * spinning disks, where reading a whole table looks cheaper than using an index. JIT compilation takes longer than any of
 * our statements.
 */
export async function prepareSession(client: ClientBase, use: PoolUse): Promise<void> {
  await client.query(`
    select set_config('TimeZone', 'UTC', false), set_config('jit', 'off', false),
      set_config(
        'random_page_cost',
        least(current_setting('random_page_cost')::float8, ${RANDOM_PAGE_COST_MAX})::text,
        false
      )`)
  if (use === 'requests') return
  await client.query(`select set_config('plan_cache_mode', 'force_custom_plan', false)`)
  await checkClient(client, 'session')
}

/**
 * Makes the statements of a session, or of the open transaction, end soon after their client has disappeared, even if it
 * was killed. Behind a pooler that shares sessions, only the transaction may be changed.
 */
export async function checkClient(
  client: ClientBase,
  scope: 'session' | 'transaction',
): Promise<void> {
  await client.query(
    `select set_config(
       'client_connection_check_interval', '${CLIENT_CHECK_MS}', ${scope === 'transaction'}
     )
     where ${CAN_CHECK_CLIENTS}`,
  )
}

/** The statement that begins a transaction in a session without its own settings. */
export const BEGIN = 'begin'

/**
 * Returns the statement that begins a transaction. A session that a pooler shares keeps no settings, so they are set
 * again. `select set_config` would be a query, after which the isolation level can no longer be set.
 */
export function beginStatement(
  { mode, plansForDisks, checksClients }: Pooling,
  use: PoolUse,
): string {
  if (mode !== 'transaction') return BEGIN
  const isBackground = use === 'background'
  const settings = [
    ...(plansForDisks ? [`random_page_cost = ${RANDOM_PAGE_COST_MAX}`] : []),
    ...(isBackground ? ['plan_cache_mode = force_custom_plan'] : []),
    ...(isBackground && checksClients
      ? [`client_connection_check_interval = ${CLIENT_CHECK_MS}`]
      : []),
  ]
  return [BEGIN, ...settings.map((setting) => `set local ${setting}`)].join('; ')
}
