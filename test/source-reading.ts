/** Reads a source with a connector like a run, and records everything. */

import assert from 'node:assert/strict'
import { newDialer } from '../server/platform/kit/dialer.ts'
import type { GrantBatch, SourceGrant } from '../server/connectors/grant.ts'
import { grantBatch } from '../server/connectors/source-process/grant-shapes.ts'
import { NO_FILTERS } from '../server/connectors/filter.ts'
import { SourceFailure } from '../server/connectors/connector.ts'
import type {
  AssetPlace,
  Connector,
  KnownVersions,
  Scope,
  ScopeOutcome,
  Setup,
  SourceAsset,
  UnchangedAsset,
  UnreadableAsset,
} from '../server/connectors/connector.ts'

/** A setup that records the reported statements. */
export type KeepingSetup = Setup & { statements: string[] }

/** The results of one reading. */
export interface SourceReading {
  scopes: Scope[]
  assets: SourceAsset[]
  unreadable: UnreadableAsset[]
  unchanged: UnchangedAsset[]
  outcomes: ScopeOutcome[]
  statements: string[]
  /** The number of assets in each batch. */
  batchSizes: number[]
  /** Returns the asset at a path; fails if it does not exist. */
  table(...path: string[]): SourceAsset
}

/** Creates a setup that allows every address and has no filters, unless overridden. */
export function newSetup(
  given: Pick<Setup, 'configuration' | 'secrets'> & Partial<Setup>,
): KeepingSetup {
  const statements: string[] = []
  return {
    filters: NO_FILTERS,
    dialer: newDialer({ privateAddresses: 'allow', allowed: [], ownStore: undefined }),
    signal: new AbortController().signal,
    log: () => {},
    sent: (statement) => statements.push(statement),
    statements,
    ...given,
  }
}

/** Reads all included scopes; scopes of one reading are read together. */
export async function readSource(
  connector: Connector,
  setup: KeepingSetup,
  known?: KnownVersions,
): Promise<SourceReading> {
  const session = await connector.open(setup)
  const reading: SourceReading = {
    scopes: [],
    assets: [],
    unreadable: [],
    unchanged: [],
    outcomes: [],
    statements: setup.statements,
    batchSizes: [],
    table: (...path) =>
      reading.assets.find((asset) => JSON.stringify(asset.path) === JSON.stringify(path)) ??
      assert.fail(`no asset at ${JSON.stringify(path)}`),
  }
  try {
    for await (const scope of session.scopes()) reading.scopes.push(scope)
    const included = reading.scopes.filter(({ decision }) => decision === 'included')
    for (const scopes of Map.groupBy(included, ({ reading }) => reading).values()) {
      for await (const batch of session.read(scopes, known)) {
        reading.batchSizes.push(batch.assets.length)
        reading.assets.push(...batch.assets)
        reading.unreadable.push(...(batch.unreadable ?? []))
        reading.unchanged.push(...(batch.unchanged ?? []))
        reading.outcomes.push(...(batch.outcomes ?? []))
      }
    }
  } finally {
    await session.close()
  }
  return reading
}

/** Reads all included scopes with another session than the one that listed them. */
export async function readWithAnotherSession(
  connector: Connector,
  setup: Setup,
): Promise<SourceAsset[]> {
  const first = await connector.open(setup)
  const scopes = await Array.fromAsync(first.scopes())
  await first.close()
  const session = await connector.open(setup)
  try {
    const assets: SourceAsset[] = []
    const included = scopes.filter(({ decision }) => decision === 'included')
    for (const group of Map.groupBy(included, ({ reading }) => reading).values()) {
      for await (const batch of session.read(group)) assets.push(...batch.assets)
    }
    return assets
  } finally {
    await session.close()
  }
}

/** Returns the failure of a promise; fails if it fulfils or rejects with another error. */
export async function catchFailure(promise: Promise<unknown>): Promise<SourceFailure> {
  const failure = await promise.then(
    () => assert.fail('it did not fail'),
    (error: unknown) => error,
  )
  assert.ok(failure instanceof SourceFailure, String(failure))
  return failure
}

/** Returns the versions of the assets of a reading, as the catalog would know them. */
export function getVersions({ assets }: Pick<SourceReading, 'assets'>): Map<string, string> {
  return new Map(
    assets.flatMap(({ path, version }) =>
      version === undefined ? [] : [[JSON.stringify(path), version]],
    ),
  )
}

/** The grants of a source, as one reading returns them. */
export interface GrantsOfSource extends Required<Omit<GrantBatch, 'membership'>> {
  membership: GrantBatch['membership']
  /** Grants as texts: `a/b user alice: read SELECT`. */
  lines: string[]
}

/** Reads the grants of all included scopes in a session of its own, and checks that every batch can be reported. */
export async function readSourceGrants(
  connector: Pick<Connector, 'open'>,
  setup: Setup,
  tables: readonly AssetPlace[] = [],
): Promise<GrantsOfSource> {
  const session = await connector.open(setup)
  const all: GrantsOfSource = {
    grants: [],
    members: [],
    administrators: [],
    outcomes: [],
    membership: undefined,
    lines: [],
  }
  try {
    const scopes = await Array.fromAsync(session.scopes())
    const included = scopes.filter(({ decision }) => decision === 'included')
    for await (const batch of session.grants?.(included, tables) ?? []) {
      const { grants, members, administrators, outcomes, membership } = grantBatch.parse(batch)
      all.grants = [...all.grants, ...(grants ?? [])]
      all.members = [...all.members, ...(members ?? [])]
      all.administrators = [...all.administrators, ...(administrators ?? [])]
      all.outcomes = [...all.outcomes, ...(outcomes ?? [])]
      all.membership ??= membership
    }
  } finally {
    await session.close()
  }
  all.lines = all.grants.map(describeGrant).toSorted()
  return all
}

function describeGrant({
  path,
  grantee,
  effect,
  privilege,
  columns,
  ...more
}: SourceGrant): string {
  const parts = [
    `${path.join('/')} ${grantee.kind} ${grantee.name}:`,
    effect,
    privilege,
    columns === undefined ? '' : `(${columns.join(', ')})`,
    more.withGrant ? 'with grant' : '',
    more.inheritedFrom === undefined ? '' : `from ${more.inheritedFrom}`,
  ]
  return parts.filter((part) => part !== '').join(' ')
}
