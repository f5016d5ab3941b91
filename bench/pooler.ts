import { findPgbouncer, startPgbouncer } from '../test/pgbouncer.ts'
import { ratioRow, type Figure } from './figure.ts'
import { startProduct, type RunningServer } from './servers.ts'
import type { LoadKind } from './load.ts'
import { compare } from './rounds.ts'

const GOAL = 0.85
const BACKENDS = 20
const KINDS: readonly LoadKind[] = ['get', 'put-unchanged', 'put-changed']

/** Throughput behind PgBouncer in transaction mode, against a direct connection. */
export const pooler: Figure = {
  name: 'pooler',
  title: 'The product behind PgBouncer in transaction mode, against a direct connection',
  async *measure(stage) {
    if (findPgbouncer() === undefined) {
      console.error('  PgBouncer is not installed: `apt-get install pgbouncer`')
      return
    }
    if (!stage.serverKinds.includes('configured')) return
    const { product: direct, key, environment } = await stage.getPair('configured')
    const url = environment.DATABASE_URL ?? ''
    const pgbouncer = await startPgbouncer(url, { default_pool_size: BACKENDS })
    let pooled: RunningServer | undefined
    try {
      pooled = await startProduct({ ...environment, DATABASE_URL: pgbouncer.through(url) })
      for (const kind of KINDS) {
        await stage.putEach(direct, key)
        const comparison = await compare(
          stage,
          { server: pooled, kind, key },
          { server: direct, kind, key },
        )
        yield ratioRow(`${this.name}, ${kind}`, 'configured', comparison, GOAL)
      }
    } finally {
      await pooled?.stop()
      await pgbouncer.stop()
    }
  },
}
