import type { Figure } from './figure.ts'
import { measureLinks } from './reality-links.ts'
import { measureRequests } from './reality-requests.ts'
import { measureRuns } from './reality-runs.ts'
import type { RealitySize } from '../test/large-store/reality.ts'

/** Contracts against reality: links, differences, freshness and trust. */
export function reality(size: RealitySize, tablesCount: number): Figure {
  return {
    name: 'reality',
    title: `Contract against reality: ${size.promisesCount.toLocaleString('en')} promises, ${size.assetsCount.toLocaleString('en')} assets`,
    async *measure(stage) {
      await stage.clear()
      for (const kind of stage.serverKinds) {
        yield* measureLinks(stage, kind, size)
        yield* measureRequests(stage, kind)
        yield* measureRuns(stage, kind, tablesCount)
      }
    },
  }
}
