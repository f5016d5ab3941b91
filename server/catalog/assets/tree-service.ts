import { z } from '@hono/zod-openapi'
import type { Caller } from '../../requests/access/caller.ts'
import { notFound, ApiError } from '../../platform/errors.ts'
import { entityTag } from '../../requests/http/conditional.ts'
import type { StoredDocument } from '../../requests/http/document.ts'
import type { Database } from '../../platform/tables.ts'
import { toStoredDocument, withAssignedTags, type StoredAsset } from './asset.ts'
import { findAsset, listUsers } from './store.ts'
import type { AssetNode, AssetPage, AssetRoot } from './tree.ts'
import * as store from './tree-store.ts'

/** The name of the root for assets that clients PUT. */
const CLIENTS_NAME = 'Without an integration'

/**
 * Lists the roots of the asset trees: every integration with assets, and the assets that clients
 * PUT.
 */
export async function listRoots(db: Database, caller: Caller): Promise<AssetRoot[]> {
  const roots = await store.listRoots(db, caller.organizationId)
  return roots.map(({ externalId, name, ownerTeam, ...counts }) => ({
    ...counts,
    integrationExternalId: externalId,
    name: externalId === null ? CLIENTS_NAME : nameFor(caller, { externalId, name, ownerTeam }),
  }))
}

/** A page of nodes in the tree. */
interface NodeQuery {
  /** External id; undefined = assets that clients PUT. Only used at the top. */
  integration: string | undefined
  parent: string | undefined
  after: string | undefined
  limit: number
}

/**
 * Lists the assets directly below another, or at the top of a tree, by name. Errors: not_found for
 * an unknown integration or parent, query_invalid if `after` was never an asset.
 */
export async function listNodes(
  db: Database,
  organizationId: string,
  { integration, parent, after, limit }: NodeQuery,
): Promise<{ nodes: AssetNode[]; next: string | null }> {
  const integrationId = await findIntegrationKey(db, organizationId, integration)
  if (parent !== undefined && (await findAsset(db, organizationId, parent)) === undefined) {
    throw notFound()
  }
  const rows = await store.listNodes(db, {
    organizationId,
    integrationId,
    parentId: parent ?? null,
    after: await findPosition(db, organizationId, after),
    rowsMax: limit,
  })
  const nodes = rows.slice(0, limit)
  return { nodes, next: rows.length > limit ? (nodes.at(-1)?.id ?? null) : null }
}

async function findIntegrationKey(
  db: Database,
  organizationId: string,
  externalId: string | undefined,
): Promise<string | null> {
  if (externalId === undefined) return null
  const id = await store.findIntegrationId(db, organizationId, externalId)
  if (id === undefined) throw notFound()
  return id
}

// Returns the position in the order, which outlasts the asset: a deletion between two pages loses
// no node.
async function findPosition(
  db: Database,
  organizationId: string,
  after: string | undefined,
): Promise<{ name: string; id: string } | undefined> {
  if (after === undefined) return undefined
  const name = await store.findName(db, organizationId, after)
  if (name !== undefined) return { name, id: after }
  const message = 'is not the id of an asset'
  throw new ApiError('query_invalid', `The query parameter after ${message}.`, {
    violations: [{ field: 'after', message }],
  })
}

/** Returns an asset with the data of its page. Errors: not_found. */
export async function describeAsset(db: Database, caller: Caller, id: string): Promise<AssetPage> {
  const { organizationId } = caller
  const existing = await findAsset(db, organizationId, id)
  if (existing === undefined) throw notFound()
  const around = await store.findSurroundings(db, organizationId, id, existing.owner)
  // It was deleted between the two statements.
  if (around === undefined) throw notFound()
  const parents = await store.listParents(db, organizationId, id)
  const products = await listUsers(db, organizationId, id)
  const merged = toStoredDocument(existing)
  const { name, type, childCount, ownerName } = around
  return {
    id,
    name,
    type,
    isIngested: existing.ingestion !== null,
    isDeleted: existing.ingestion?.isDeleted ?? false,
    version: existing.version,
    etag: entityTag(merged.digest),
    asset: parseObject(withAssignedTags(merged, existing.assignedTags)),
    source: existing.ingestion === null ? null : parseObject(existing),
    annotation: toAnnotation(existing, around),
    integration: toIntegration(caller, existing, around),
    parents,
    childCount,
    statistic: existing.ingestion?.statistic ?? null,
    products,
    ownerName,
  }
}

const object = z.record(z.string(), z.unknown())

function parseObject(stored: StoredDocument): Record<string, unknown> {
  return object.parse(JSON.parse(stored.documentJson ?? stored.document))
}

function toAnnotation(
  { ingestion }: StoredAsset,
  { annotatedAt, annotatedBy }: store.Surroundings,
): AssetPage['annotation'] {
  if (ingestion === null || annotatedAt === null || annotatedBy === null) return null
  const { description, owner, tags } = ingestion
  return { description, ownerId: owner, tags, updatedAt: annotatedAt, updatedBy: annotatedBy }
}

function toIntegration(
  caller: Caller,
  { ingestion }: StoredAsset,
  around: store.Surroundings,
): AssetPage['integration'] {
  if (ingestion === null) return null
  const { integrationExternalId: externalId } = ingestion
  const { integrationName, integrationSource, integrationOwner: ownerTeam } = around
  const name = nameFor(caller, { externalId, name: integrationName, ownerTeam })
  const isVisible = mayList(caller, ownerTeam)
  return { externalId, name, source: integrationSource ?? '', isVisible }
}

// Everyone may see assets and the ids of their integrations. Other data of an integration is only
// for those who may see it.
function nameFor(
  caller: Caller,
  integration: { externalId: string; name: string | null; ownerTeam: string | null },
): string {
  const { externalId, name, ownerTeam } = integration
  return mayList(caller, ownerTeam) ? (name ?? externalId) : externalId
}

function mayList(caller: Caller, ownerTeam: string | null): boolean {
  return caller.organizationOwner || ownerTeam === null || caller.roles.has(ownerTeam)
}
