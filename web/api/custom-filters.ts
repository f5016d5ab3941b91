import { queryOptions, useQuery } from '@tanstack/react-query'
import { client } from './client.ts'

/** A filter of data products by a custom field. */
export interface CustomFilter {
  displayName: string
  customField: string
}

const customFiltersQuery = queryOptions({
  // Saving the customization invalidates all queries with this beginning.
  queryKey: ['settings', 'customization', 'filters'],
  staleTime: 60_000,
  async queryFn({ signal }): Promise<CustomFilter[]> {
    const { data } = await client.GET('/api/settings/customization', { signal })
    return (data?.dataProduct?.customFilters ?? []).map(({ displayName, customField }) => ({
      displayName: displayName.trim(),
      customField: customField.trim(),
    }))
  },
})

const NONE: readonly CustomFilter[] = []

/** The custom filters of the organization, none until they are loaded. */
export function useCustomFilters(): { filters: readonly CustomFilter[]; isLoading: boolean } {
  const { data, isLoading } = useQuery(customFiltersQuery)
  return { filters: data ?? NONE, isLoading }
}

/** Returns the fields of filters as the search API counts them: distinct, at most 20. */
export function listCustomFields(filters: readonly CustomFilter[]): string[] {
  return [...new Set(filters.map(({ customField }) => customField))].slice(0, FIELDS_MAX)
}

const FIELDS_MAX = 20
