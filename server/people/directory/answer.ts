import type { ActivityActor } from '../../ledger/activity/entry.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { isNotModified, readConditions } from '../../requests/http/conditional.ts'
import type { Answer, Call, DescribedAnswer } from '../../requests/http/endpoint.ts'
import { requireDirectoryKey } from '../../requests/http/missing-permission.ts'
import { SCIM_MEDIA_TYPE } from '../../requests/http/scim-problem.ts'
import { toAttributeName } from './attribute.ts'
import { LIST_SCHEMA, type ScimListQuery, type SelectionQuery } from './scim.ts'

/** The callers of every endpoint of SCIM; checked before the body and the query are read. */
export const DIRECTORY_PERMISSION = {
  permission: 'a directory key or an organization key',
  requires: ({ caller }: { caller: Caller }): void => requireDirectoryKey(caller),
} as const

/** Returns the author of a change. */
export function getActor({
  caller,
  requestId,
}: Pick<Call<never, unknown>, 'caller' | 'requestId'>): ActivityActor {
  return { principal: caller.principal, requestId }
}

/** A resource of SCIM as JSON. */
type Resource = Record<string, unknown>

// Returned in every answer (RFC 7643, section 7, and section 3.1 for the schemas).
const ALWAYS = ['schemas', 'id', 'meta']

/** Describes an answer with one resource. */
export function describeResource(
  description: string,
  schema: NonNullable<DescribedAnswer['schema']>,
): DescribedAnswer {
  const headers = { etag: 'The version of the resource', location: 'The address of the resource' }
  return { description, mediaTypes: [SCIM_MEDIA_TYPE], schema, headers }
}

/** Returns the attributes of a resource that a client selects (RFC 7644, section 3.9). */
function selectAttributes(
  resource: Resource,
  { attributes, excludedAttributes }: SelectionQuery,
): Resource {
  const selectedNames = listNames(attributes)
  const excluded = listNames(excludedAttributes)
  const selected = Object.entries(resource).flatMap(([name, value]) => {
    const key = name.toLowerCase()
    if (ALWAYS.includes(key)) return [[name, value] as const]
    if (excluded.includes(key)) return []
    if (selectedNames.length === 0 || selectedNames.includes(key))
      return [[name, keepParts(value, key, excluded, false)]]
    const isPartly = selectedNames.some((path) => path.startsWith(`${key}.`))
    return isPartly ? [[name, keepParts(value, key, selectedNames, true)] as const] : []
  })
  return Object.fromEntries(selected)
}

/** Returns whether a client requests an attribute of a resource, which may be costly to read. */
export function isSelected(
  attribute: string,
  { attributes, excludedAttributes }: SelectionQuery,
): boolean {
  if (listNames(excludedAttributes).includes(attribute)) return false
  const selectedNames = listNames(attributes)
  return (
    selectedNames.length === 0 || selectedNames.some((path) => path.split('.')[0] === attribute)
  )
}

// Keeps only the named parts of an attribute, or all others.
function keepParts(value: unknown, key: string, paths: readonly string[], keeps: boolean): unknown {
  if (!paths.some((path) => path.startsWith(`${key}.`))) return value
  if (Array.isArray(value)) return value.map((entry) => keepParts(entry, key, paths, keeps))
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries(value).filter(
    ([part]) => paths.includes(`${key}.${part.toLowerCase()}`) === keeps,
  )
  return Object.fromEntries(parts)
}

function listNames(names = ''): string[] {
  return names
    .split(',')
    .map(toAttributeName)
    .filter((name) => name !== '')
}

/** Returns the answer with one resource; 304 if the client has its version. */
export function resourceAnswer(
  { headers, query }: Pick<Call<never, SelectionQuery>, 'headers' | 'query'>,
  status: 200 | 201,
  resource: Resource,
  { digest, location }: { digest: string; location: string },
): Answer {
  const tag = `"${digest}"`
  const more = { etag: `W/${tag}`, location }
  if (status === 200 && isNotModified(readConditions(headers), tag))
    return { status: 304, headers: more }
  const body = JSON.stringify(selectAttributes(resource, query))
  return { status, headers: more, mediaType: SCIM_MEDIA_TYPE, body }
}

/** Returns the answer with a page of resources. */
export function listAnswer(
  query: ScimListQuery,
  total: number,
  resources: readonly Resource[],
): Answer {
  const selected = resources.map((resource) => selectAttributes(resource, query))
  return {
    status: 200,
    mediaType: SCIM_MEDIA_TYPE,
    body: JSON.stringify({
      schemas: [LIST_SCHEMA],
      totalResults: total,
      startIndex: query.startIndex,
      itemsPerPage: selected.length,
      Resources: selected,
      // One client reads people and groups from this member.
      resources: selected,
    }),
  }
}
