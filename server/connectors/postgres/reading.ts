import { toUnreadable } from '../asset-parts.ts'
import { nameFilter } from '../filter.ts'
import { SourceFailure, type Batch, type Scope, type SourceAsset } from '../connector.ts'
import { Batcher } from '../batcher.ts'
import {
  beginStatement,
  containersStatement,
  POSTGRES_LISTING,
  RELATION_FIELDS,
  RELATIONS_OF_VIEWS_MAX,
  relationsStatement,
} from './catalog.ts'
import type { ContainerRow, RelationSelection } from './catalog.ts'
import type { PostgresSetup } from './configuration.ts'
import type { PostgresConnection } from './connection.ts'
import { TOO_LONG, type CopyRow } from './copy-text.ts'
import { getErrorCode } from '../sql/driver-failure.ts'
import { isConnectionLost, isRecoveryConflict, isRowError } from './failure.ts'
import type { PostgresConnections } from './home.ts'
import { DatabaseScopes } from './database-scopes.ts'
import { REPLACEMENT } from './listing.ts'
import { readRelation, toAsset, type DatabaseIdentity } from './relation.ts'
import { describeTypes } from './named-types.ts'
import { Hypertables, readHypertables } from './timescale.ts'

const ATTEMPTS_MAX = 3
/**
 * The number of a database's relations that the server may fail to describe, which are searched one by one. Those
 * after them stay unchanged.
 */
const UNDESCRIBED_MAX = 50
const NARROWED_RELATIONS_MAX = 4096
const NARROWING_FACTOR = 8

const TOO_OFTEN =
  `The standby interrupted the reading ${ATTEMPTS_MAX} times because its primary had to clean up: ` +
  'read from the primary, or set hot_standby_feedback = on.'

const SAVEPOINT = 'savepoint relations'
const ROLL_BACK = 'rollback to savepoint relations'
// The first attempt has already waited for the lock.
const SHORT_LOCK_TIMEOUT = `set local lock_timeout = '200ms'`

/**
 * Reads the scopes of one database in one transaction with one snapshot: containers, then tables,
 * then views. If a standby interrupts it, the reading continues in another transaction where it
 * was: objects that exist throughout are always seen. Errors: SourceFailure.
 */
export async function* readDatabase(
  connecting: PostgresSetup,
  scopes: readonly Scope[],
  connections: PostgresConnections,
): AsyncGenerator<Batch> {
  const database = scopes[0]?.reading
  if (database === undefined) return
  const reading = new Reading(connecting, database, scopes)
  for (let attempt = 1; !reading.isDone; attempt += 1) {
    const connection = await connections.lend(database)
    try {
      yield* reading.goOn(connection)
    } catch (error) {
      if (connecting.setup.signal.aborted || !reading.canResumeAfter(error)) {
        throw connection.failure(error)
      }
      if (attempt === ATTEMPTS_MAX)
        throw new SourceFailure('unreachable', TOO_OFTEN, { cause: error })
      connecting.setup.log('warn', `The standby interrupted the reading of ${database}; retrying.`)
    } finally {
      // If the consumer stopped early, the statement is still running.
      await (reading.isDone ? connections.giveBack(connection) : connection.close())
    }
  }
}

/** The progress of reading tables or views. */
interface Pass {
  views: boolean
  /** The last oid that was read. */
  after: number
  isDone: boolean
  /** The page size while searching for a relation that the server cannot describe. */
  limit: number | undefined
  /** The number of relations among which it is. */
  within: number
  /** Whether the other relations are only listed, because the server cannot describe too many. */
  isOnlyListed: boolean
}

/** The progress of reading a database. */
class Reading {
  isDone = false
  readonly #connecting: PostgresSetup
  readonly #database: string
  readonly #scopes: DatabaseScopes
  readonly #isWanted: (table: string) => boolean
  readonly #batcher = new Batcher()
  readonly #passes: readonly Pass[]
  #identity: DatabaseIdentity | undefined
  #hypertables = new Hypertables([])
  #troubles = 0
  #hasDescribed = false
  #isOfStandby = false

  constructor(connecting: PostgresSetup, database: string, scopes: readonly Scope[]) {
    this.#connecting = connecting
    this.#database = database
    this.#scopes = new DatabaseScopes(connecting, scopes, POSTGRES_LISTING)
    this.#isWanted = nameFilter(connecting.setup.filters, 'table')
    const pass = { after: 0, limit: undefined, within: 0, isOnlyListed: false }
    this.#passes = [
      { ...pass, views: false, isDone: false },
      { ...pass, views: true, isDone: !connecting.configuration.includeViews },
    ]
  }

  async *goOn(connection: PostgresConnection): AsyncGenerator<Batch> {
    const identity = await this.#begin(connection)
    for (const pass of this.#passes) {
      while (!pass.isDone) yield* this.#readPage(connection, pass, identity)
    }
    await connection.query('commit', 'commit')
    yield* this.#batcher.takeFull()
    this.isDone = true
    yield { ...this.#batcher.takeLast(), outcomes: this.#scopes.getOutcomes() }
  }

  /** Checks whether the reading can continue where it was, in another transaction. */
  canResumeAfter(error: unknown): boolean {
    // A standby also closes connections if it cannot cancel because the client does not read.
    return isRecoveryConflict(error) || (this.#isOfStandby && isConnectionLost(error))
  }

  /** Begins the transaction; the first one also reads the containers. */
  async #begin(connection: PostgresConnection): Promise<DatabaseIdentity> {
    const begin = [beginStatement(this.#connecting), 'set local jit = off', SAVEPOINT].join(';')
    const statements = [begin, containersStatement(this.#scopes.schemas)].join(';')
    const rows = await connection.query<ContainerRow>('describe schemas', statements)
    const types = await describeTypes(connection, this.#connecting.setup, ROLL_BACK)
    const id = rows.find(([name]) => name === null)?.[1]
    if (this.#identity === undefined) {
      const named = { name: this.#database, types }
      this.#identity = this.#scopes.addContainers(rows, named, this.#batcher)
      this.#isOfStandby = rows.some(([, , , , , isStandby]) => isStandby)
      if (rows.some(([, , , , , , hasTimescale]) => hasTimescale))
        this.#hypertables = await readHypertables(this.#connecting, connection, ROLL_BACK)
    } else if (id !== this.#identity.id || types.serverId !== this.#identity.types.serverId) {
      // The progress is an oid, which is meaningless in another server's database.
      throw new SourceFailure('unreachable', 'The connection now leads to another server.')
    }
    return this.#identity
  }

  /** Continues with one statement; if it fails for a relation, it is repeated with fewer. */
  async *#readPage(
    connection: PostgresConnection,
    pass: Pass,
    identity: DatabaseIdentity,
  ): AsyncGenerator<Batch> {
    const limit = pass.limit ?? (pass.views ? RELATIONS_OF_VIEWS_MAX : undefined)
    let rowCount = 0
    try {
      for await (const rows of this.#copy(connection, pass, limit, !pass.isOnlyListed)) {
        for (const row of rows) {
          rowCount += 1
          this.#addRow(pass, row, identity)
        }
        yield* this.#batcher.takeFull()
      }
    } catch (error) {
      if (pass.isOnlyListed || !isRowError(error)) throw error
      await connection.query('roll back', `${ROLL_BACK};${SHORT_LOCK_TIMEOUT}`)
      if (limit === 1) return await this.#readTroubled(connection, pass, identity, error)
      pass.within = limit ?? Number.POSITIVE_INFINITY
      pass.limit = narrowed(limit)
      return
    }
    pass.isDone = limit === undefined || rowCount < limit
    pass.within -= rowCount
    // This time it was described: its lock was released.
    if (pass.within <= 0) pass.limit = undefined
    if (pass.isDone) return
    // Releases the locks of the view definitions.
    const next = pass.limit === undefined ? ROLL_BACK : `${ROLL_BACK};${SHORT_LOCK_TIMEOUT}`
    await connection.query('roll back', next)
  }

  #addRow(pass: Pass, row: CopyRow, identity: DatabaseIdentity): void {
    const { oid, name } = readRelation(row)
    // The order is essential: a relation that is not above the last one would be missed or duplicated.
    if (oid <= pass.after) throw new SourceFailure('protocol', 'Rows arrived out of order.')
    pass.after = oid
    this.#hasDescribed ||= !pass.isOnlyListed
    if (!this.#isWanted(name)) return
    const asset = this.#hypertables.mark(toAsset(row, identity, false))
    if (asset === undefined) return
    const message = findFault(row, asset) ?? (pass.isOnlyListed ? NOT_TRIED : undefined)
    if (message !== undefined) return this.#batcher.add(toUnreadable(asset, message))
    const characters = row.reduce((sum, text) => sum + (text?.length ?? 0), 0)
    this.#batcher.add(asset, characters)
  }

  /** Reads the relation that the server cannot describe, without its generated texts. */
  async #readTroubled(
    connection: PostgresConnection,
    pass: Pass,
    identity: DatabaseIdentity,
    error: unknown,
  ): Promise<void> {
    this.#troubles += 1
    if (this.#troubles > UNDESCRIBED_MAX) {
      // The server can describe nothing: the database is not readable.
      if (!this.#hasDescribed) throw error
      pass.isOnlyListed = true
      pass.limit = undefined
      const message = `The server cannot describe more than ${UNDESCRIBED_MAX} objects of ${this.#database}: those after them stay unchanged.`
      this.#connecting.setup.log('warn', message)
      return
    }
    for await (const rows of this.#copy(connection, pass, 1, false)) {
      for (const row of rows) {
        const { oid, name } = readRelation(row)
        pass.after = oid
        if (this.#isWanted(name)) this.#addTroubled(row, toAsset(row, identity, true), error)
      }
    }
    pass.limit = undefined
    await connection.query('roll back', ROLL_BACK)
  }

  #addTroubled(row: CopyRow, relation: SourceAsset, error: unknown): void {
    const asset = this.#hypertables.mark(relation)
    if (asset === undefined) return
    const fault = findFault(row, asset)
    if (fault !== undefined) return this.#batcher.add(toUnreadable(asset, fault))
    if (getErrorCode(error) === '55P03') {
      // Without its expressions it would look changed, although it is only being altered.
      return this.#batcher.add(toUnreadable(asset, 'It is locked by another session.'))
    }
    const name = asset.path.join('.')
    this.#connecting.setup.log('warn', `The server cannot describe the expressions of ${name}.`)
    this.#batcher.add(asset, 0)
  }

  #copy(
    connection: PostgresConnection,
    { views, after }: Pass,
    limit: number | undefined,
    texts: boolean,
  ): ReturnType<PostgresConnection['copy']> {
    const { filters } = this.#connecting.setup
    const { schemas } = this.#scopes
    const selection: RelationSelection = { views, schemas, filters, after, limit, texts }
    return connection.copy(views ? 'read views' : 'read tables', relationsStatement(selection))
  }
}

const NOT_TRIED = `The server cannot describe more than ${UNDESCRIBED_MAX} objects of the database before it.`

/** Returns the reason why a relation cannot be read; undefined if there is none. */
function findFault(row: CopyRow, asset: SourceAsset): string | undefined {
  if (row.length < RELATION_FIELDS) return TOO_LONG
  return isUtf8(asset) ? undefined : 'Its name, or that of a column, is not UTF-8.'
}

// Only SQL_ASCII databases have such names: other encodings convert or reject them.
function isUtf8({ path, columns = [] }: SourceAsset): boolean {
  const names = [...path, ...columns.map(({ name }) => name)]
  return !names.some((name) => name.includes(REPLACEMENT))
}

function narrowed(limit: number | undefined): number {
  if (limit === undefined) return NARROWED_RELATIONS_MAX
  return Math.max(1, Math.floor(limit / NARROWING_FACTOR))
}
