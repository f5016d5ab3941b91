import {
  useMutation,
  useQueryClient,
  type QueryFilters,
  type QueryKey,
} from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { paths } from '../api/openapi.ts'
import { findProblem, toProblem, type Problem } from '../api/problem.ts'
import { useToast } from '../parts/toast.tsx'

/** The queries to load again: all, or those of addresses of the API and those that a filter matches. */
export type Refresh = 'everything' | readonly (keyof paths | QueryFilters)[]

type Computed<Value, Result, Input> = Value | ((result: Result, input: Input) => Value | undefined)

/** A change that a person makes: the request, and what follows it in this order. */
export interface ActionOptions<Result, Input = void> {
  /** Sends the request. Errors: Problem. */
  request: (input: Input) => Promise<Result>
  /** Shows the expected result before the request is sent. */
  onStart?: (input: Input) => void
  /** Uses the result, such as to close a dialog or to forget a draft. */
  onSuccess?: (result: Result, input: Input) => unknown
  /** The notice that confirms it. */
  notice?: Computed<string, Result, Input>
  /** The address of the page that follows. */
  goTo?: Computed<string, Result, Input>
  /** The key of the query of a resource that no longer exists: its data is dropped. */
  forget?: QueryKey
  /** The data that is out of date after the change. The action is pending until it is loaded. */
  refresh?: Refresh | undefined
  /** Called when everything is loaded. */
  onRefreshed?: (result: Result, input: Input) => void
  /** Called with the problem of a request that failed. */
  onError?: (problem: Problem, input: Input) => void
  /** Whether a problem is a notice too, if the page has no place for it. */
  problemAsNotice?: boolean
  /** The data that may be out of date after an error, such as a version that another person replaced. */
  refreshAfterError?: Refresh
}

/** The state of an action, and the function that starts it. */
export interface Action<Result, Input = void> {
  run: (input: Input) => void
  isPending: boolean
  /** Whether the last request succeeded. */
  isDone: boolean
  /** The result of the last request; undefined = there is none. */
  result: Result | undefined
  /** Why the last request failed; undefined = it did not, or a notice shows it. */
  problem: Problem | undefined
  /** The input of the last request. */
  input: Input | undefined
  /** When the last request was sent, in milliseconds since 1970. */
  startedAtMs: number
  /** Forgets the last request. */
  reset: () => void
}

/** Returns an action of a page: its request with the notice, the next page and the data that follow it. */
export function useAction<Result, Input = void>(
  options: ActionOptions<Result, Input>,
): Action<Result, Input> {
  const queries = useQueryClient()
  const router = useRouter()
  const refresh = useRefresh()
  const showToast = useToast()
  const { problemAsNotice = false } = options
  const mutation = useMutation({
    mutationFn: async (input: Input) => await options.request(input),
    onMutate: (input) => options.onStart?.(input),
    async onSuccess(result, input) {
      await options.onSuccess?.(result, input)
      const notice = compute(options.notice, result, input)
      if (notice !== undefined) showToast(notice)
      const path = compute(options.goTo, result, input)
      // The page is shown until the next one is ready.
      if (path !== undefined) router.history.push(path, undefined, { ignoreBlocker: true })
      if (options.forget !== undefined) {
        queries.removeQueries({ queryKey: options.forget, type: 'inactive' })
      }
      await refresh(options.refresh ?? [])
      options.onRefreshed?.(result, input)
    },
    async onError(error, input) {
      const problem = toProblem(error)
      options.onError?.(problem, input)
      if (problemAsNotice) showToast(problem.summary, 'critical')
      await refresh(options.refreshAfterError ?? [])
    },
  })
  return {
    run: mutation.mutate,
    isPending: mutation.isPending,
    isDone: mutation.isSuccess,
    result: mutation.data,
    problem: problemAsNotice ? undefined : findProblem(mutation),
    input: mutation.variables,
    startedAtMs: mutation.submittedAt,
    reset: mutation.reset,
  }
}

/** Returns a function that loads data again, for changes that no action makes. */
export function useRefresh(): (what: Refresh) => Promise<void> {
  const queries = useQueryClient()
  return useCallback(
    async (what) => {
      const filters = what === 'everything' ? [{}] : what.map(toFilter)
      await Promise.all(filters.map((one) => queries.invalidateQueries(one)))
    },
    [queries],
  )
}

/** Returns a refresh of everything except the data of a resource that no longer has this id. */
export function allExcept(id: string): Refresh {
  const name = JSON.stringify(id)
  return [{ predicate: ({ queryKey }) => !JSON.stringify(queryKey).includes(name) }]
}

function toFilter(one: keyof paths | QueryFilters): QueryFilters {
  return typeof one === 'string' ? { queryKey: ['get', one] } : one
}

function compute<Value extends string, Result, Input>(
  value: Computed<Value, Result, Input> | undefined,
  result: Result,
  input: Input,
): Value | undefined {
  return typeof value === 'function' ? value(result, input) : value
}
