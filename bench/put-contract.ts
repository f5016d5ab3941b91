import { type Figure, timesRow } from './figure.ts'
import { compare } from './rounds.ts'

// Each holds a document of a megabyte in flight.
const CONNECTIONS_COUNT = 1

/** PUT of a contract of a megabyte that differs from the stored one. */
export const putContract: Figure = {
  name: 'put-contract',
  title: 'PUT a changed contract of 1 MB, against one prepared upsert of the same bytes',
  async *measure(stage) {
    for (const store of stage.storeKinds) {
      const { product, bare, key } = await stage.pairOn(store)
      const comparison = await compare(
        stage,
        { server: product, kind: 'put-contract', key },
        { server: bare, kind: 'put-contract', key },
        CONNECTIONS_COUNT,
      )
      yield timesRow(this.name, store, comparison, store === 'postgres' ? 3 : undefined)
    }
  },
}
