/** Statements and settings for the façade of fakesnow. */

import { SNOWFLAKE_TOKEN } from '../../peers/servers.ts'

/** The behaviour of the façade. */
export interface FacadeSettings {
  partitionRows?: number
  /** The number of requests for which a statement is reported as running. */
  pendingPolls?: number
  /** Null: no warehouse is active. */
  warehouse?: string | null
}

/** Runs a statement on the façade at a URL. Throws with its message if it fails. */
export async function runOnFacade(url: string, statement: string): Promise<void> {
  await post(`${url}/api/v2/statements`, { statement })
}

/** Changes the settings of the façade at a URL. */
export async function setUpFacade(url: string, settings: FacadeSettings): Promise<void> {
  await post(`${url}/facade/settings`, settings)
}

async function post(url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${SNOWFLAKE_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.status !== 200) throw new Error(`${JSON.stringify(body)}: ${await response.text()}`)
}
