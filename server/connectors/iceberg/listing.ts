import { SourceFailure } from '../connector.ts'
import { PageSize } from '../http/page-size.ts'
import { PageTokens } from '../http/page-tokens.ts'
import { mapConcurrently } from '../http/parallel.ts'
import { identifiersAnswer, namespacesAnswer } from './answers.ts'
import { PART_SEPARATOR, type Catalog } from './catalog.ts'
import { isAddressable } from './namespace-name.ts'

const PARENTS_PER_GROUP = 64

/** The number of names on a page after one that was too large. */
const SMALLER_PAGE_SIZE = 1000

function newPageSize(): PageSize {
  return new PageSize(undefined, SMALLER_PAGE_SIZE)
}

function toSizeQuery(size: number | undefined): Readonly<Record<string, string>> {
  return size === undefined ? {} : { pageSize: String(size) }
}

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
  const query = isRoot ? {} : { parent: parent.join(PART_SEPARATOR) }
  const tokens = new PageTokens(`The catalog’s listing of ${what}`)
  const pageSize = newPageSize()
  do {
    const result = await pageSize.request((size) => {
      // An empty token announces support for pages.
      const request = { ...query, pageToken: tokens.next, ...toSizeQuery(size) }
      return catalog.get(['namespaces'], request, namespacesAnswer)
    })
    if ('status' in result) {
      if (!isRoot && tokens.pages === 0 && UNSUPPORTED.has(result.status)) return
      throw toStatusFailure(result.status, what)
    }
    yield result.value.namespaces
    tokens.follow(result.value['next-page-token'])
  } while (tokens.next !== '')
}

/** Lists the names of a namespace's tables or views, page by page. Errors: SourceFailure. */
export async function* listNames(
  catalog: Catalog,
  namespace: readonly string[],
  collection: 'tables' | 'views',
): AsyncGenerator<readonly string[]> {
  const what = `the ${collection} of ${namespace.join('.')}`
  const parts = ['namespaces', namespace.join(PART_SEPARATOR), collection]
  const tokens = new PageTokens(`The catalog’s listing of ${what}`)
  const pageSize = newPageSize()
  do {
    const result = await pageSize.request((size) => {
      const query = { pageToken: tokens.next, ...toSizeQuery(size) }
      return catalog.get(parts, query, identifiersAnswer)
    })
    if ('status' in result) throw toStatusFailure(result.status, what)
    yield result.value.identifiers
      // Catalogs may include names of namespaces below, which are listed separately.
      .filter((identifier) => identifier.namespace.length <= namespace.length)
      .map(({ name }) => name)
    tokens.follow(result.value['next-page-token'])
  } while (tokens.next !== '')
}
