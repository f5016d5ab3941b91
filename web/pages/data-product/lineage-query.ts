import { api, type Schemas } from '../../api/client.ts'

/** The resources upstream and downstream of a product. */
export type Lineage = Schemas['Lineage']

/** The number of steps in each direction. */
export type Depth = '1' | '2' | '3'

/** Asks for the neighbours of a data product. */
export function lineageQuery(id: string, depth: Depth) {
  return api.queryOptions('get', '/api/dataproducts/{id}/lineage', {
    params: { path: { id }, query: { depth: Number(depth) } },
  })
}
