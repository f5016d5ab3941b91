import type { Batcher } from '../batcher.ts'
import { SourceFailure, type Scope, type ScopeOutcome } from '../connector.ts'
import type { PostgresSetup } from './configuration.ts'
import type { ListingStatements } from './flat-dialect.ts'
import { schemaDenial } from './listing.ts'
import type { DatabaseTypes } from './named-types.ts'
import { toContainerAsset, type DatabaseIdentity } from './relation.ts'

/** The common fields of the rows that describe a database, which has no name there, and its schemas. */
type ContainerFields = readonly [
  name: string | null,
  oid: string,
  ownerName: string | null,
  description: string | null,
  mayUse: boolean,
  ...unknown[],
]

/** The scopes of one database while it is read. */
export class DatabaseScopes {
  readonly #connecting: PostgresSetup
  readonly #scopes: readonly Scope[]
  readonly #listing: ListingStatements
  readonly #names: readonly string[]
  /** By schema. */
  readonly #failures = new Map<string, SourceFailure>()

  constructor(connecting: PostgresSetup, scopes: readonly Scope[], listing: ListingStatements) {
    this.#connecting = connecting
    this.#scopes = scopes
    this.#listing = listing
    this.#names = scopes.flatMap(({ path }) => path.slice(1))
  }

  /** The schemas that can be read, as far as is known. */
  get schemas(): readonly string[] {
    return this.#names.filter((name) => !this.#failures.has(name))
  }

  /** Adds the assets of the database and its schemas. Errors: SourceFailure protocol. */
  addContainers(
    rows: readonly ContainerFields[],
    { name, types }: { name: string; types: DatabaseTypes },
    batcher: Batcher,
  ): DatabaseIdentity {
    const { host, port } = this.#connecting.configuration
    const id = rows.find(([schema]) => schema === null)?.[1]
    if (id === undefined) throw new SourceFailure('protocol', 'The database is not in its catalog.')
    const identity = { name, id, host, port, types }
    const rowsByName = new Map(rows.map((row) => [row[0], row]))
    for (const schema of this.#names) this.#checkSchema(schema, rowsByName.get(schema))
    const isOwn = this.#scopes.some(({ path }) => path.length === 1)
    for (const [schema, oid, ownerName, description] of rows) {
      if (schema === null ? !isOwn : this.#failures.has(schema)) continue
      const container = schema === null ? { sourceId: id } : { schema, sourceId: `${id}.n${oid}` }
      const facts = { ...container, ownerName: ownerName ?? '', description }
      batcher.add(toContainerAsset(facts, identity), description?.length ?? 0)
    }
    return identity
  }

  #checkSchema(name: string, row: ContainerFields | undefined): void {
    if (row === undefined) {
      // It may have been renamed, to a name that was not listed: its absence proves nothing about
      // its contents.
      const sentence = `The schema ${name} was dropped or renamed during the reading.`
      this.fail(name, new SourceFailure('protocol', sentence))
      return
    }
    const denial = schemaDenial(this.#connecting, name, row[4], this.#listing)
    if (denial !== undefined) this.fail(name, new SourceFailure('permission', denial))
  }

  /** Records that a schema could not be read. */
  fail(schema: string, failure: SourceFailure): void {
    this.#failures.set(schema, failure)
  }

  /** Returns the outcome of each scope. */
  getOutcomes(): ScopeOutcome[] {
    return this.#scopes.map(({ path }) => {
      const failure = this.#failures.get(path[1] ?? '')
      return failure === undefined ? { path } : { path, failure }
    })
  }
}
