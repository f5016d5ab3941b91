import { newTable } from '../../formats/name/table.ts'
import { paths } from '../paths.ts'
import type { ResourceKind } from './permission-words.ts'

const PLACE = /^\/(?:api|ui)\/([^/?]+)(?:\/([^/?]+))?/

interface Place {
  kind: ResourceKind
  getPage: (id: string) => string
}

const PLACES = newTable<Place>({
  dataproducts: { kind: 'data product', getPage: paths.dataProduct },
  datacontracts: { kind: 'data contract', getPage: paths.dataContract },
  assets: { kind: 'asset', getPage: paths.asset },
  teams: { kind: undefined, getPage: paths.team },
})

/** Returns the kind of resource that the path of a request names; undefined = not a resource with a page. */
export function placeAt(instance: string): Place | undefined {
  return PLACES[PLACE.exec(instance)?.[1] ?? '']
}

/** Returns the kind that the path of a request names, as sentences call it. */
export function kindAt(instance: string): ResourceKind {
  return placeAt(instance)?.kind
}

/** Returns the id that the path of a request names. */
export function idAt(instance: string): string | undefined {
  const id = PLACE.exec(instance)?.[2]
  try {
    return id === undefined ? undefined : decodeURIComponent(id)
  } catch {
    return undefined
  }
}
