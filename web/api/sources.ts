import { api, type Answer } from './client.ts'

/** A source platform that can be connected. */
export type Source = Answer<'/ui/sources', 'get'>[number]

const FRESH_MS = 300_000

/** Loads the source platforms. They change only with the version of the server. */
export function useSources() {
  return api.useQuery('get', '/ui/sources', {}, { staleTime: FRESH_MS })
}
