import { asText, getField, isObject, type Value } from '../../../formats/text/value.ts'
import { readAcceptedJson } from '../../../formats/text/json-read.ts'
import { queryOptions } from '@tanstack/react-query'
import { paths } from '../../paths.ts'
import { readStoredText, type StoredText } from '../../documents/stored-document.ts'
import { listStateFacts, type StateFact } from './state-facts.ts'

/** A connector as its page shows it. */
export interface ShownConnector {
  type: string | undefined
  version: string | undefined
  description: string | undefined
  /** The instants are texts of the connector. */
  health: {
    status?: string | undefined
    startedAt?: string | undefined
    updatedAt?: string | undefined
    errorMessage?: string | undefined
  }
  /** The id of its team; undefined = it belongs to the organization. */
  owner: string | undefined
  /** The state as indented JSON, with all digits of its numbers; undefined = none. */
  state: string | undefined
  /** The known members of the state. */
  facts: readonly StateFact[]
  /** All other fields. */
  more: readonly (readonly [string, Value])[]
}

const SHOWN = new Set(['id', 'info', 'health', 'state'])

/** Returns the path of a connector in the API. */
export function toConnectorPath(id: string): string {
  return `/api/connectors/${encodeURIComponent(id)}`
}

/** The addresses of connectors for saving. A connector may have stored something in the meantime. */
export const CONNECTOR_SAVING = {
  toApiPath: toConnectorPath,
  toPage: paths.connector,
  refresh: ['/api/connectors', { queryKey: ['connector'] }],
  stored: [{ queryKey: ['connector'] }],
} as const

/** Asks for a connector as it is stored. */
export function connectorQuery(id: string) {
  return queryOptions({
    queryKey: ['connector', id],
    queryFn: async ({ signal }) => await readStoredText(toConnectorPath(id), signal),
  })
}

/** Returns the document as indented JSON, with all digits of its numbers. */
export function toIndented({ json }: Pick<StoredText, 'json'>): string {
  const source = readAcceptedJson(json)
  return source.ok ? `${JSON.stringify(source.spelled(), null, 2)}\n` : json
}

/** Reads a stored connector. */
export function readConnector({ json, owner }: Pick<StoredText, 'json' | 'owner'>): ShownConnector {
  const source = readAcceptedJson(json)
  const value = source.ok ? source.spelled() : {}
  const [info, health] = [getField(value, 'info'), getField(value, 'health')]
  const state = getField(value, 'state')
  return {
    type: asText(getField(info, 'type')),
    version: asText(getField(info, 'connectorVersion')),
    description: asText(getField(info, 'description')),
    health: {
      status: asText(getField(health, 'status')),
      startedAt: asText(getField(health, 'startedAt')),
      updatedAt: asText(getField(health, 'updatedAt')),
      errorMessage: asText(getField(health, 'errorMessage')),
    },
    owner,
    state: state === undefined || state === null ? undefined : JSON.stringify(state, null, 2),
    facts: listStateFacts(state),
    more: isObject(value) ? Object.entries(value).filter(([name]) => !SHOWN.has(name)) : [],
  }
}
