import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ContractFacts } from '../../../formats/data-contract/data-contract.ts'
import { readStoredFacts } from '../../../formats/data-contract/facts.ts'
import { readJson } from '../../../formats/text/json-read.ts'
import type { Value } from '../../../formats/text/value.ts'
import { api } from '../../api/client.ts'
import { storedQuery, type StoredText } from '../../documents/stored-document.ts'

/** A data contract as the page shows it. */
export interface ShownContract {
  stored: StoredText
  contract: ContractFacts
  /** The whole document, its numbers spelled as they were sent. */
  value: Value
  /** The last day on which its format is taken, `YYYY-MM-DD`; undefined = the format stays. */
  endsOn: string | undefined
}

/** Reads a data contract for its page. Errors: Problem, 404 when there is none. */
export function useContract(id: string): {
  data: ShownContract | undefined
  error: unknown
  refetch: () => unknown
} {
  const { data: stored, error, refetch } = useQuery(storedQuery({ api: '/api/datacontracts' }, id))
  const data = useMemo(() => (stored === undefined ? undefined : shownOf(stored, id)), [stored, id])
  return {
    data: data instanceof Error ? undefined : data,
    error: data instanceof Error ? data : error,
    refetch,
  }
}

/** Asks for the models of a contract. */
export function modelQuery(id: string) {
  return api.queryOptions('get', '/api/datacontracts/{id}/model', { params: { path: { id } } })
}

function shownOf(stored: StoredText, id: string): ShownContract | Error {
  const bounds = { top: 'object', nodesMax: Number.POSITIVE_INFINITY, isAccepted: true } as const
  const read = readJson(stored.json, bounds)
  if (!read.ok) return new Error(UNREADABLE)
  const contract = readStoredFacts(read.value, { id, owner: stored.owner })
  if (contract === undefined) return new Error(UNREADABLE)
  return { stored, contract, value: read.spelled(), endsOn: dayOf(stored.sunset) }
}

const UNREADABLE = 'The document could not be read. The API still returns its source.'

function dayOf(sunset: string | undefined): string | undefined {
  const instant = Date.parse(sunset ?? '')
  return Number.isNaN(instant) ? undefined : new Date(instant).toISOString().slice(0, 10)
}
