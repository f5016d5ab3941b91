import { z } from '@hono/zod-openapi'
import type { Caller } from '../access/caller.ts'
import { notFound, Refusal } from '../errors.ts'
import { entityTag } from '../http/conditional.ts'
import type { StoredDocument } from '../http/document.ts'
import type { Database } from '../tables.ts'
import { shownOf, type KnownAsset } from './asset.ts'
import { findAsset, listUsers } from './store.ts'
import type { AssetNode, AssetPage, AssetRoot } from './tree.ts'
import * as store from './tree-store.ts'

/** How what clients PUT is called beside the names of integrations. */
const CLIENTS_NAME = 'Without an integration'

/** Where trees of assets begin: every integration that has assets, and what clients PUT. */
export async function listRoots(db: Database, caller: Caller): Promise<AssetRoot[]> {
  const roots = await store.listRoots(db, caller.organizationId)
  return roots.map(({ externalId, name, ownerTeam, ...counts }) => ({
    ...counts,
    integrationExternalId: externalId,
    name: externalId === null ? CLIENTS_NAME : nameFor(caller, { externalId, name, ownerTeam }),
  }))
}

/** Which part of the tree is asked for. */
export interface NodeQuery {
  /** External id; undefined = what clients PUT. It counts at the top alone. */
  integration: string | undefined
  parent: string | undefined
  after: string | undefined
  limit: number
}

/**
 * The assets directly below another, or at the top of a tree, by name. Errors: not_found for an
 * unknown integration or parent, query_invalid when `after` was never an asset.
 */
export async function listNodes(
  db: Database,
  organizationId: string,
  { integration, parent, after, limit }: NodeQuery,
): Promise<{ nodes: AssetNode[]; next: string | null }> {
  const integrationId = await integrationIdOf(db, organizationId, integration)
  if (parent !== undefined && (await findAsset(db, organizationId, parent)) === undefined) {
    throw notFound()
  }
  const found = await store.listNodes(db, {
    organizationId,
    integrationId,
    parentId: parent ?? null,
    after: await findPosition(db, organizationId, after),
    rowsMax: limit,
  })
  const nodes = found.slice(0, limit)
  return { nodes, next: found.length > limit ? (nodes.at(-1)?.id ?? null) : null }
}

async function integrationIdOf(
  db: Database,
  organizationId: string,
  externalId: string | undefined,
): Promise<string | null> {
  if (externalId === undefined) return null
  const id = await store.findIntegrationId(db, organizationId, externalId)
  if (id === undefined) throw notFound()
  return id
}

// The place in the order outlasts the asset: one that is deleted between two pages loses no node.
async function findPosition(
  db: Database,
  organizationId: string,
  after: string | undefined,
): Promise<{ name: string; id: string } | undefined> {
  if (after === undefined) return undefined
  const name = await store.findName(db, organizationId, after)
  if (name !== undefined) return { name, id: after }
  const message = 'is the id of no asset'
  throw new Refusal('query_invalid', `The query parameter after ${message}.`, {
    violations: [{ field: 'after', message }],
  })
}

/** An asset with all that a page shows around it. Errors: not_found. */
export async function describeAsset(db: Database, caller: Caller, id: string): Promise<AssetPage> {
  const { organizationId } = caller
  const known = await findAsset(db, organizationId, id)
  if (known === undefined) throw notFound()
  const around = await store.findSurroundings(db, organizationId, id, known.owner)
  // It was deleted between the two statements.
  if (around === undefined) throw notFound()
  const parents = await store.listParents(db, organizationId, id)
  const products = await listUsers(db, organizationId, id)
  const shown = shownOf(known)
  const { name, type, childCount, ownerName } = around
  return {
    id,
    name,
    type,
    isIngested: known.ingestion !== null,
    isDeleted: known.ingestion?.isDeleted ?? false,
    version: known.version,
    etag: entityTag(shown.digest),
    asset: objectOf(shown),
    source: known.ingestion === null ? null : objectOf(known),
    annotation: annotationOf(known, around),
    integration: integrationOf(caller, known, around),
    parents,
    childCount,
    statistic: known.ingestion?.statistic ?? null,
    products,
    ownerName,
  }
}

const object = z.record(z.string(), z.unknown())

function objectOf(stored: StoredDocument): Record<string, unknown> {
  return object.parse(JSON.parse(stored.documentJson ?? stored.document))
}

function annotationOf(
  { ingestion }: KnownAsset,
  { annotatedAt, annotatedBy }: store.Surroundings,
): AssetPage['annotation'] {
  if (ingestion === null || annotatedAt === null || annotatedBy === null) return null
  const { description, owner, tags } = ingestion
  return { description, ownerId: owner, tags, updatedAt: annotatedAt, updatedBy: annotatedBy }
}

function integrationOf(
  caller: Caller,
  { ingestion }: KnownAsset,
  around: store.Surroundings,
): AssetPage['integration'] {
  if (ingestion === null) return null
  const { integrationExternalId: externalId } = ingestion
  const { integrationName, integrationSource, integrationOwner: ownerTeam } = around
  const name = nameFor(caller, { externalId, name: integrationName, ownerTeam })
  return { externalId, name, source: integrationSource ?? '' }
}

// Everybody sees assets, and by which integration they came. What else is said of an integration is
// for those who see it.
function nameFor(
  caller: Caller,
  integration: { externalId: string; name: string | null; ownerTeam: string | null },
): string {
  const { externalId, name, ownerTeam } = integration
  const isSeen = caller.organizationOwner || ownerTeam === null || caller.roles.has(ownerTeam)
  return isSeen ? (name ?? externalId) : externalId
}
