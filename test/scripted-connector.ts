/**
 * A source platform in memory that implements the interface of connectors: the test defines its contents,
 * and where it fails, stalls, returns nothing or breaks off.
 */

import { hash } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import {
  SourceFailure,
  type Batch,
  type Connector,
  type KnownVersions,
  type FailureKind,
  type Scope,
  type SourceAsset,
  type SourceColumn,
  type Statistic,
} from '../server/connectors/connector.ts'
import type { AssetKind } from '../server/connectors/description.ts'
import { pathFilter, type Filters } from '../server/connectors/filter.ts'

/** The points at which a source can fail or stall. */
export type Moment = 'open' | 'scopes' | 'read' | 'read end'

/** A table as defined by a test. */
export interface ScriptedTable {
  columns?: SourceColumn[]
  description?: string
  tags?: string[]
  sourceId?: string
  rowCount?: number
  statistic?: Statistic
  kind?: AssetKind
}

/** A stall: a promise for when it is reached, and a function that ends it. */
export interface Stall {
  reached: Promise<void>
  release(): void
}

const BATCH_ASSETS_MAX = 100

/** A source in memory. */
export class ScriptedSource {
  /** The number of runs that opened a session. */
  openCount = 0
  /** Databases that reject the connection: their schemas are not even listed. */
  closedDatabases: string[] = []
  /** Paths that the listing does not contain, although they may exist. */
  hiddenPaths: string[][] = []
  /** Databases that the configuration does not include: their schemas are not listed. */
  otherDatabases: string[] = []
  /** Returns the container of a schema if it is not its database. */
  getParent: (path: readonly string[]) => readonly string[] | undefined = () => undefined
  /** The server within which ids of tables and schemas are unique; undefined = everywhere. */
  server: string | undefined
  /** The address of tables. */
  address: { host: string; port: number } | undefined
  /** Kinds that the configuration excludes. */
  kindsLeftOut: AssetKind[] = []
  /** Whether tables have versions, which change with their contents. */
  hasVersions = false
  /** The number of tables that were reported as unchanged. */
  unchangedCount = 0
  /** Whether every table is reported as unchanged. */
  reportsUnchanged = false
  /** Whether unchanged tables have statistics. */
  measuresUnchanged = true
  /** The number of statements that an abort ended at the source. */
  cancelCount = 0
  readonly #tables = new Map<string, { path: string[]; table: ScriptedTable }>()
  readonly #schemas = new Map<string, string[]>()
  /** Ids of renamed schemas, by their current name. */
  readonly #schemaIds = new Map<string, string>()
  readonly #partial = new Map<string, readonly (readonly string[])[]>()
  readonly #denied = new Set<string>()
  readonly #failures: {
    at: Moment
    schema: string | undefined
    failure: () => Error
    times: number
  }[] = []
  readonly #stalls: { at: Moment; reach: () => void; released: Promise<void> }[] = []
  #nextId = 1

  readonly connector: Connector = {
    source: 'scripted',
    description: {
      title: 'Scripted',
      summary: 'A script.',
      configuration: z.strictObject({ option: z.string().optional() }),
      secrets: [{ name: 'password', title: 'Password', required: false, multiline: false }],
      connectionFields: [],
      nameFields: [],
      levels: ['database', 'schema', 'table'],
      scopeLevel: 'schema',
      systemNames: {},
      assetKinds: ['database', 'schema', 'table'],
      kindsLeftOut: () => this.kindsLeftOut,
      serverType: undefined,
      readingVersion: 1,
    },
    check: async () => [{ state: 'ok', what: 'connect' }],
    open: async ({ signal, filters, sent, onStarted }) => {
      onStarted?.()
      await this.#pass('open', undefined, signal)
      this.openCount += 1
      sent('scripted statement', 1)
      return {
        scopes: () => this.#scopes(filters, signal),
        hiddenPaths: () => this.hiddenPaths,
        read: (scopes, known = new Map()) => this.#read(scopes, filters, signal, known),
        close: async () => undefined,
      }
    },
  }

  /** Adds a table, and its schema if necessary. */
  put(path: readonly [string, string, string], table: ScriptedTable = {}): void {
    const key = JSON.stringify(path)
    const known = this.#tables.get(key)?.table.sourceId
    this.schema(path[0], path[1])
    const sourceId = table.sourceId ?? known ?? String(this.#nextId++)
    this.#tables.set(key, { path: [...path], table: { ...table, sourceId } })
  }

  /** Adds a schema. */
  schema(database: string, schema: string): void {
    this.#schemas.set(JSON.stringify([database, schema]), [database, schema])
  }

  drop(path: readonly [string, string, string]): void {
    this.#tables.delete(JSON.stringify(path))
  }

  /** Drops a schema with all its contents. */
  dropSchema(database: string, schema: string): void {
    this.#schemas.delete(JSON.stringify([database, schema]))
    for (const [key, { path }] of this.#tables) {
      if (path[0] === database && path[1] === schema) this.#tables.delete(key)
    }
  }

  rename(from: readonly [string, string, string], to: readonly [string, string, string]): void {
    const found = this.#tables.get(JSON.stringify(from))
    if (found === undefined) throw new Error('table not found')
    this.drop(from)
    this.put(to, found.table)
  }

  /** Renames an empty schema, which keeps its id. */
  renameSchema(database: string, from: string, to: string): void {
    const key = JSON.stringify([database, from])
    this.#schemas.delete(key)
    this.schema(database, to)
    this.#schemaIds.set(JSON.stringify([database, to]), this.#schemaIds.get(key) ?? key)
  }

  /** Removes everything. */
  clear(): void {
    this.#tables.clear()
    this.#schemas.clear()
  }

  /** Shows only a part of a schema, but these tables completely. */
  showPartly(schema: string, whole: readonly (readonly string[])[]): void {
    this.#partial.set(schema, whole)
  }

  deny(database: string, schema: string, isDenied = true): void {
    const key = JSON.stringify([database, schema])
    if (isDenied) this.#denied.add(key)
    else this.#denied.delete(key)
  }

  /** Fails at a point, in one schema or in any, a number of times. */
  fail(
    at: Moment,
    kind: FailureKind | Error,
    options: { schema?: string; times?: number } = {},
  ): void {
    const failure = (): Error =>
      kind instanceof Error ? kind : new SourceFailure(kind, `The source fails: ${kind}.`)
    const times = options.times ?? Number.POSITIVE_INFINITY
    this.#failures.push({ at, schema: options.schema, failure, times })
  }

  /** Stops failing. */
  heal(): void {
    this.#failures.length = 0
  }

  /** Stalls the next time at a point until it is released or the run aborts. */
  stall(at: Moment): Stall {
    const reached = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    this.#stalls.push({ at, reach: reached.resolve, released: released.promise })
    return { reached: reached.promise, release: released.resolve }
  }

  async #pass(at: Moment, schema: string | undefined, signal: AbortSignal): Promise<void> {
    const index = this.#stalls.findIndex((stall) => stall.at === at)
    const [stall] = index === -1 ? [] : this.#stalls.splice(index, 1)
    if (stall !== undefined) {
      const aborted = Promise.withResolvers<void>()
      signal.addEventListener('abort', () => aborted.resolve(), { once: true })
      stall.reach()
      await Promise.race([stall.released, aborted.promise])
      if (signal.aborted) this.cancelCount += 1
    }
    const failing = this.#failures.find(
      (one) => one.at === at && one.times > 0 && (one.schema ?? schema) === schema,
    )
    if (failing === undefined) return
    failing.times -= 1
    throw failing.failure()
  }

  async *#scopes(filters: Filters, signal: AbortSignal): AsyncGenerator<Scope> {
    const isTakenIn = pathFilter({
      filters,
      levels: this.connector.description.levels,
      systemNames: {},
    })
    const databases = new Set([...this.#schemas.values()].map(([database = '']) => database))
    const closed = new Set(this.closedDatabases)
    for (const database of databases) {
      const isLeftOut = this.otherDatabases.includes(database)
      const decision = isLeftOut ? 'excluded' : closed.has(database) ? 'denied' : 'included'
      const message = `${database} rejects connections.`
      const reading = database
      yield {
        path: [database],
        kind: 'database',
        reading,
        decision,
        ...(closed.has(database) && { message }),
      }
    }
    for (const [key, path] of this.#schemas) {
      if (closed.has(path[0] ?? '') || this.otherDatabases.includes(path[0] ?? '')) continue
      const isDenied = this.#denied.has(key)
      const decision = !isTakenIn(path) ? 'excluded' : isDenied ? 'denied' : 'included'
      const reading = path[0] ?? ''
      yield { path, kind: 'schema', reading, decision, ...(isDenied && { message: 'not granted' }) }
    }
    await this.#pass('scopes', undefined, signal)
  }

  async *#read(
    scopes: readonly Scope[],
    filters: Filters,
    signal: AbortSignal,
    known: KnownVersions,
  ) {
    const isTakenIn = pathFilter({
      filters,
      levels: this.connector.description.levels,
      systemNames: {},
    })
    for (const { path, kind } of scopes) {
      const parent = this.getParent(path)
      const container: SourceAsset = {
        kind: kind === 'database' ? 'database' : 'schema',
        path,
        scope: path,
        ...(parent !== undefined && { parent }),
        sourceId: `${kind}:${this.#schemaIds.get(JSON.stringify(path)) ?? JSON.stringify(path)}`,
        ...(this.server !== undefined && { sourceIdScope: this.server }),
      }
      yield { assets: [container] }
      if (kind === 'schema') yield* this.#readTables(path, isTakenIn, signal, known)
      const whole = this.#partial.get(path[1] ?? '')
      const failure = new SourceFailure('permission', 'Only single tables are shown.')
      yield { assets: [], outcomes: [whole === undefined ? { path } : { path, failure, whole }] }
    }
  }

  #toVersioned(asset: SourceAsset): SourceAsset {
    return this.hasVersions ? { ...asset, version: hash('sha256', JSON.stringify(asset)) } : asset
  }

  async *#readTables(
    scope: readonly string[],
    isTakenIn: (path: readonly string[]) => boolean,
    signal: AbortSignal,
    known: KnownVersions,
  ): AsyncGenerator<Batch> {
    const tables = [...this.#tables.values()].filter(
      ({ path }) => path[0] === scope[0] && path[1] === scope[1] && isTakenIn(path),
    )
    await this.#pass('read', scope[1], signal)
    for (let at = 0; at < tables.length; at += BATCH_ASSETS_MAX) {
      const assets = tables.slice(at, at + BATCH_ASSETS_MAX).map(({ path, table }) =>
        this.#toVersioned({
          kind: table.kind ?? 'table',
          path,
          scope,
          columns: table.columns ?? [{ name: 'id', type: 'integer' }],
          ...(table.sourceId !== undefined && { sourceId: table.sourceId }),
          ...(this.server !== undefined && { sourceIdScope: this.server }),
          ...(table.description !== undefined && { description: table.description }),
          ...(table.tags !== undefined && { tags: table.tags }),
          ...(this.address !== undefined && { custom: this.address }),
          ...(table.rowCount !== undefined && { statistic: { rowCount: table.rowCount } }),
          ...(table.statistic !== undefined && { statistic: table.statistic }),
        }),
      )
      const isUnchanged = ({ path, version }: SourceAsset): boolean =>
        this.reportsUnchanged ||
        (version !== undefined && known.get(JSON.stringify(path)) === version)
      const unchanged = assets.filter(isUnchanged)
      this.unchangedCount += unchanged.length
      yield {
        assets: assets.filter((asset) => !isUnchanged(asset)),
        unchanged: unchanged.map(({ kind, path, statistic }) => ({
          kind,
          path,
          scope,
          ...(statistic !== undefined && this.measuresUnchanged && { statistic }),
        })),
      }
    }
    // An error at this point comes after everything was read, but before anything was reported complete.
    await this.#pass('read end', scope[1], signal)
  }
}
