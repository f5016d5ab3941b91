import { closePeers } from '../test/silent-peer.ts'
import { ATTACKS, openPeers, type Attack } from '../test/faults/attacks.ts'
import type { Figure, Row } from './figure.ts'
import { readTreeMemory } from './process-memory.ts'
import { toSpread, type Spread } from './rounds.ts'
import type { Pair, ServerKind, Stage } from './stage.ts'

const NAME = 'connections'
const P99_GOAL_MS = 250
const MEMORY_GOAL_MB = 512
const HONEST_CONNECTIONS = 4
// The attack continues while honest requests are measured.
const ATTACK_MS_MIN = 6000

/** Measurements of honest requests in the rounds of one attack, with quiet rounds in between. */
interface Measured {
  quietP99Ms: number[]
  p99Ms: number[]
  /** Memory of the process tree above that before the attack. */
  memoryMb: number[]
}

/** The latency of honest requests, and memory, while clients hold connections without using them. */
export const connections: Figure = {
  name: NAME,
  title: `p99 of GET requests over ${HONEST_CONNECTIONS} connections while others hold connections or send unfinished bodies, against the same without them; and memory above idle`,
  async *measure(stage) {
    for (const kind of stage.serverKinds) {
      const pair = await stage.getPair(kind)
      await measureP99(stage, pair, stage.effort.warmUpMs)
      for (const [name, attack] of Object.entries(ATTACKS)) {
        yield* toRows(`${attack.count} ${name}`, kind, await measureAttack(stage, pair, attack))
      }
    }
  },
}

async function measureAttack(stage: Stage, pair: Pair, attack: Attack): Promise<Measured> {
  const { port, pid } = pair.product
  const measured: Measured = { quietP99Ms: [], p99Ms: [], memoryMb: [] }
  for (let round = 0; round < stage.effort.rounds; round += 1) {
    measured.quietP99Ms.push(await measureP99(stage, pair, stage.effort.roundMs))
    const idleMb = readTreeMemory(pid).totalMb
    const opening = openPeers(port, attack.count, attack.text(pair.key), attack.addressCount)
    const milliseconds = Math.max(ATTACK_MS_MIN, stage.effort.roundMs)
    measured.p99Ms.push(await measureP99(stage, pair, milliseconds))
    const peers = await opening
    measured.memoryMb.push(readTreeMemory(pid).totalMb - idleMb)
    await closePeers(peers)
  }
  return measured
}

async function measureP99(stage: Stage, pair: Pair, milliseconds: number): Promise<number> {
  const order = { port: pair.product.port, key: pair.key, connections: HONEST_CONNECTIONS }
  const { p99Ms } = await stage.load.run({ kind: 'get', ...order, milliseconds })
  // Without a response, it is at least the whole round.
  return Number.isNaN(p99Ms) ? milliseconds : p99Ms
}

function* toRows(attack: string, server: ServerKind, measured: Measured): Generator<Row> {
  const p99 = toSpread(measured.p99Ms)
  const quiet = toSpread(measured.quietP99Ms)
  const memory = toSpread(measured.memoryMb)
  const row = (result: Spread): Pick<Row, 'server' | 'result' | 'measured' | 'limit'> => ({
    server,
    result,
    measured,
    limit: `p99 ${quiet.median.toFixed(1)} ms`,
  })
  yield {
    ...row(p99),
    figure: `${NAME}, ${attack}`,
    subject: `p99 ${p99.median.toFixed(1)} ms, ${(p99.median / quiet.median).toFixed(1)} times`,
    unit: 'ms',
    goal: P99_GOAL_MS,
  }
  yield {
    ...row(memory),
    figure: `${NAME}, memory above idle`,
    subject: `${memory.median.toFixed(0)} MB during the attack`,
    unit: 'MB',
    goal: MEMORY_GOAL_MB,
  }
}
