import { compareServers, ratioRow, type Figure } from './figure.ts'
import { compare } from './rounds.ts'
import { countVersions } from './versions.ts'

const GOAL = 0.8

/** PUT of a product with its stored document. */
export const putUnchanged: Figure = {
  name: 'put-unchanged',
  title: 'PUT an unchanged product, against GET of it',
  async *measure(stage) {
    for (const kind of stage.serverKinds) {
      const { product: server, key } = await stage.getPair(kind)
      await stage.putEach(server, key)
      const versionsBefore = await countVersions(server, key)
      const comparison = await compare(
        stage,
        { server, kind: 'put-unchanged', key },
        { server, kind: 'get', key },
      )
      const written = (await countVersions(server, key)) - versionsBefore
      if (written !== 0) throw new Error(`unchanged documents created ${written} versions`)
      yield ratioRow(this.name, kind, comparison, GOAL)
    }
    yield* compareServers(stage, this.name, 'put-unchanged')
  },
}
