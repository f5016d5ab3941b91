import type { z } from 'zod'
import { SourceFailure } from '../connector.ts'
import { readPages } from '../http/pages.ts'
import { mapConcurrently } from '../http/parallel.ts'
import { identifiersAnswer, namespacesAnswer } from './answers.ts'
import { PART_SEPARATOR, type Catalog } from './catalog.ts'
import { isAddressable } from './namespace-name.ts'

const PARENTS_PER_GROUP = 64

/** The number of names on a page after one that was too large. */
const SMALLER_PAGE_SIZE = 1000

/** Creates the failure for a status with which a catalog rejected a request. */
export function toStatusFailure(status: number, what: string): SourceFailure {
  if (status === 403) return new SourceFailure('permission', `The catalog does not show ${what}`)
  // Some catalogs answer 404 if the account lacks the privilege: it does not prove absence.
  if (status === 404) {
    return new SourceFailure('permission', `The catalog does not have, or does not show, ${what}`)
  }
  return new SourceFailure('protocol', `The catalog did not return ${what} (status ${status})`)
}

/**
 * Lists all namespaces as their parts, each once, parents before children, with one request for
 * each. `onHidden` is called for those whose children are hidden. Errors: SourceFailure.
 */
export async function* listNamespaces(
  catalog: Catalog,
  onHidden: (parts: readonly string[]) => void,
): AsyncGenerator<readonly string[]> {
  const seen = new Set<string>()
  const fresh = (namespaces: readonly (readonly string[])[]) =>
    namespaces.filter((parts) => {
      const key = parts.join(PART_SEPARATOR)
      return !seen.has(key) && seen.add(key)
    })
  let level: (readonly string[])[] = []
  for await (const page of namespacePages(catalog, [])) {
    const added = fresh(page)
    yield* added
    level.push(...added.filter(isAddressable))
  }
  while (level.length > 0) {
    const next: (readonly string[])[] = []
    for (let at = 0; at < level.length; at += PARENTS_PER_GROUP) {
      const parents = level.slice(at, at + PARENTS_PER_GROUP)
      const children = await mapConcurrently(parents, (parts) =>
        listChildren(catalog, parts, onHidden),
      )
      const added = fresh(children.flat())
      yield* added
      next.push(...added.filter(isAddressable))
    }
    level = next
  }
}

async function listChildren(
  catalog: Catalog,
  parent: readonly string[],
  onHidden: (parts: readonly string[]) => void,
): Promise<(readonly string[])[]> {
  const children: (readonly string[])[] = []
  try {
    for await (const page of namespacePages(catalog, parent)) {
      // A catalog without nested namespaces may ignore the parent and list all of them.
      children.push(...page.filter((parts) => isBelow(parts, parent)))
    }
    return children
  } catch (error) {
    if (!(error instanceof SourceFailure) || error.kind !== 'permission') throw error
    onHidden(parent)
    return children
  }
}

/** Checks whether a namespace is below another at any depth. */
export function isBelow(parts: readonly string[], parent: readonly string[]): boolean {
  return parts.length > parent.length && parent.every((part, place) => parts[place] === part)
}

/** Statuses with which catalogs without nested namespaces reject a listing below one. */
const UNSUPPORTED = new Set([400, 405, 406, 501])

async function* namespacePages(
  catalog: Catalog,
  parent: readonly string[],
): AsyncGenerator<readonly (readonly string[])[]> {
  const isRoot = parent.length === 0
  const what = isRoot ? 'its namespaces' : `the namespaces below ${parent.join('.')}`
  const pages = readListing(catalog, ['namespaces'], what, namespacesAnswer, {
    query: isRoot ? {} : { parent: parent.join(PART_SEPARATOR) },
    isEmpty: (status) => !isRoot && UNSUPPORTED.has(status),
  })
  for await (const page of pages) yield page?.namespaces ?? []
}

/** Lists the names of a namespace's tables or views, page by page. Errors: SourceFailure. */
export async function* listNames(
  catalog: Catalog,
  namespace: readonly string[],
  collection: 'tables' | 'views',
): AsyncGenerator<readonly string[]> {
  const what = `the ${collection} of ${namespace.join('.')}`
  const parts = ['namespaces', namespace.join(PART_SEPARATOR), collection]
  for await (const page of readListing(catalog, parts, what, identifiersAnswer)) {
    yield (page?.identifiers ?? [])
      // Catalogs may include names of namespaces below, which are listed separately.
      .filter((identifier) => identifier.namespace.length <= namespace.length)
      .map(({ name }) => name)
  }
}

/** Reads the pages of a listing; undefined if the status of the first answer represents an empty listing. */
function readListing<Page extends { 'next-page-token'?: string | null | undefined }>(
  catalog: Catalog,
  parts: readonly string[],
  what: string,
  shape: z.ZodType<Page>,
  {
    query = {},
    isEmpty = () => false,
  }: { query?: Readonly<Record<string, string>>; isEmpty?: (status: number) => boolean } = {},
): AsyncGenerator<Page | undefined> {
  return readPages({
    name: `The catalog’s listing of ${what}`,
    smallerSize: SMALLER_PAGE_SIZE,
    async request(token, size) {
      // An empty token announces support for pages.
      const page = { pageToken: token, ...(size === undefined ? {} : { pageSize: String(size) }) }
      const result = await catalog.get(parts, { ...query, ...page }, shape)
      if ('value' in result) return result.value
      if (token === '' && isEmpty(result.status)) return undefined
      throw toStatusFailure(result.status, what)
    },
    getToken: (page) => page?.['next-page-token'],
  })
}
