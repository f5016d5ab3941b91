/** Attacks on sign-ins with an identity provider, in a world whose log a test reads. */

import assert from 'node:assert/strict'
import { sql } from 'kysely'
import pino from 'pino'
import type { Store } from '../server/store.ts'
import type { Problem } from './answers.ts'
import type { Browser } from './people.ts'
import {
  LOOPBACK_URL,
  newClaims,
  newStage,
  verifyDomain,
  type Stage,
  type StartedSignIn,
} from './provider-sign-ins.ts'
import { newProduct, newWorld, type World } from './world.ts'

/** An attack: its code, its reason in the log, and the answer that must be a refusal. */
export type Attack = [
  name: string,
  code: string,
  reason: string,
  attack: (arena: Arena) => Promise<Response>,
]

/** A line of the log. */
interface LogLine {
  msg?: string
  requestId?: string
  reason?: string
}

/** A world with two providers of one organization. */
export interface Arena {
  world: World
  stage: Stage
  other: Stage
  /** The owner of the organization. */
  owner: Pick<Browser, 'ask'>
  /** Starts a sign-in of a person with these claims, or of a new person. */
  begin(claims?: Record<string, unknown>): Promise<StartedSignIn>
  /** Runs a statement on the database. */
  run(statement: ReturnType<typeof sql>): Promise<void>
  /** Sets the claim of groups of the provider. */
  setGroupsClaim(groupsClaim: string | null): Promise<void>
  /** Checks that an attack is refused with its code and a plain sentence, and that the log has its reason. */
  expectRefused(attack: Attack): Promise<void>
  close(): Promise<void>
}

const FOR_PROGRAMS = /[A-Z]+_[A-Z_]+|\/(?:api|ui)\/|SQLSTATE/

/** Creates the arena on a database. */
export async function newArena(store: Store): Promise<Arena> {
  const lines: LogLine[] = []
  const log = pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line) as LogLine) })
  const world = await newWorld(newProduct(store, { baseUrl: LOOPBACK_URL, log }))
  await verifyDomain(world, 'velmora.example')
  const settings = { joinRule: 'everyone', domains: ['velmora.example'] }
  const stage = await newStage(world, settings)
  const other = await newStage(world, { ...settings, name: 'Second ID' })
  const run = async (statement: ReturnType<typeof sql>): Promise<void> => {
    await statement.execute(store.db)
  }
  const arena: Arena = {
    world,
    stage,
    other,
    owner: { ask: (method, path, body) => world.asPerson('Uo', method, path, { body }) },
    run,
    async begin(claims = newClaims()) {
      stage.claims = claims
      return await stage.start()
    },
    async setGroupsClaim(groupsClaim) {
      await run(sql`
        update identity_provider
        set groups_claim = ${groupsClaim}, version = version + 1
        where id = ${stage.provider.id}
      `)
    },
    async expectRefused([, code, reason, attack]) {
      lines.length = 0
      const answer = await attack(arena)
      const problem = JSON.parse(await answer.text()) as Problem
      assert.equal(problem.code, code, JSON.stringify(problem))
      assert.doesNotMatch(problem.detail, FOR_PROGRAMS)
      assert.match(problem.detail, /^[A-Z].*\.$/)
      const refusals = lines.filter(({ msg }) => msg?.includes('was refused') === true)
      assert.deepEqual(
        refusals.map((line) => line.reason),
        [reason],
      )
      assert.equal(refusals[0]?.requestId, answer.headers.get('x-request-id'))
      assert.equal(answer.headers.get('set-cookie'), null)
    },
    async close() {
      await Promise.all([stage.issuer.close(), other.issuer.close()])
    },
  }
  return arena
}
