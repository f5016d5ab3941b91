import { compareServers, ratioRow, type Figure } from './figure.ts'
import { compare } from './rounds.ts'
import { countVersions } from './versions.ts'

const GOAL = 0.6

/** PUT of a product with a document that differs from the stored one. */
export const putChanged: Figure = {
  name: 'put-changed',
  title: 'PUT a changed product (document, revision, events), against one prepared upsert',
  async *measure(stage) {
    for (const kind of stage.serverKinds) {
      const { product, bare, key } = await stage.getPair(kind)
      const versionsBefore = await countVersions(product, key)
      const comparison = await compare(
        stage,
        { server: product, kind: 'put-changed', key },
        { server: bare, kind: 'put-changed', key },
      )
      const written = (await countVersions(product, key)) - versionsBefore
      if (written !== comparison.subject.sentCount) {
        throw new Error(`${comparison.subject.sentCount} changes created ${written} versions`)
      }
      yield ratioRow(this.name, kind, comparison, GOAL)
    }
    yield* compareServers(stage, this.name, 'put-changed')
  },
}
