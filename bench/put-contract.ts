import { type Figure, timesRow } from './figure.ts'
import { compare } from './rounds.ts'

/** PUT of a contract of a megabyte that differs from the stored one. */
export const putContract: Figure = {
  name: 'put-contract',
  title: 'PUT a changed contract of 1 MB, against one prepared upsert of the same bytes',
  async *measure(stage) {
    for (const server of stage.serverKinds) {
      const { product, bare, key } = await stage.getPair(server)
      for (const connections of [1, 4]) {
        const comparison = await compare(
          stage,
          { server: product, kind: 'put-contract', key },
          { server: bare, kind: 'put-contract', key },
          connections,
        )
        const goal = connections === 1 ? 3 : undefined
        yield timesRow(`${this.name}, ${connections} at once`, server, comparison, goal)
      }
    }
  },
}
