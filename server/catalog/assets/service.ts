import { sql } from 'kysely'
import { NODES_MAX } from '../../../formats/text/json-scan.ts'
import type { DocumentRow, RegisteredDocument } from '../../documents/document.ts'
import {
  toChangeList,
  type DocumentPut,
  type ResourceDraft,
  type ResourceReading,
  type PutContext,
  type Resource,
  type ResourceChange,
  type ResourceState,
  type AccessRule,
} from '../../documents/resource.ts'
import { countUses } from '../../documents/resource-use.ts'
import { hasTagPolicy } from '../../documents/tag-service.ts'
import { listAffected } from '../../ledger/ports/service.ts'
import { toStoredDocument, type AssetRow, type StoredAsset, type Ingestion } from './asset.ts'
import { requireSomewhere, requirePermission } from '../../requests/http/missing-permission.ts'
import { hideAsset } from './removal-store.ts'
import * as store from './store.ts'
import { assessAsset } from './task.ts'
import { ApiError } from '../../platform/errors.ts'
import { permissionFor, requireOwners } from '../../documents/access.ts'

/** The rule for assets, which may have no owner: then they belong to the organization's owners. */
const ASSET_ACCESS: AccessRule = {
  requireWriter: (caller, state) => requireSomewhere(caller, permissionFor('ASSET', state)),
  requireEdit: (caller, _, { owner }) => requirePermission(caller, 'ASSET_EDIT', owner),
  requireChange({ caller, state }, newOwner) {
    requireOwners('ASSET', state, newOwner, (permission, team) =>
      requirePermission(caller, permission, team),
    )
  },
  requireDelete: (caller, _, { owner }) => requirePermission(caller, 'ASSET_DELETE', owner),
}

/** Creates the error for a change of a document that an integration maintains. */
function createIngestedAssetError({ integrationExternalId }: Ingestion): ApiError {
  return new ApiError(
    'invalid_state',
    `The integration ${integrationExternalId} maintains this asset, and every run overwrites its document. Sign in and set a description, an owner or tags instead (PUT /ui/assets/{id}/annotation): they take precedence over the source, and no run changes them.`,
  )
}

const USER = { kind: 'data-product', called: 'data product', relation: 'uses it' }

interface AssetTypes {
  state: ResourceState & { asset: StoredAsset | undefined }
  draft: ResourceDraft & { row: AssetRow }
  put: DocumentPut
}

/**
 * Assets as a resource. They may have no owner. Those that an integration writes cannot be changed (invalid_state);
 * a deleted one returns with the next run that reads it. Deleting one that does not exist, or is gone from its
 * source, succeeds: connectors delete without checking.
 */
export const ASSETS: Resource<AssetTypes> = {
  kind: 'asset',
  nodesMax: NODES_MAX,
  access: ASSET_ACCESS,
  condition: sql`integration_id is null`,
  async load({ db }, { organizationId, id }) {
    const asset = await store.findAsset(db, organizationId, id)
    return {
      asset,
      version: asset?.version ?? null,
      digest: asset === undefined ? null : toStoredDocument(asset).digest,
      format: 'asset',
      owner: asset?.owner ?? null,
      ownerTeamId: null,
      isGone: asset === undefined || asset.ingestion?.isDeleted === true,
    }
  },
  findStored: async (_, __, { asset }) => asset && toRegistered(asset),
  isSameText({ asset }, { body, strict, dryRun }) {
    if (asset === undefined || asset.ingestion !== null || strict || dryRun) return false
    return asset.document === body.text && asset.mediaType === body.mediaType
  },
  assertWritable(_, { asset }, change) {
    if (asset === undefined || asset.ingestion === null || change.isSame) return
    throw createIngestedAssetError(asset.ingestion)
  },
  async deleteOtherwise({ db, clock }, metadata, { asset }) {
    if (asset === undefined || asset.ingestion === null) return undefined
    return await hideAsset(db, clock, { ...metadata, id: asset.id, version: asset.version })
  },
  read,
  async getConsequences({ work, caller, put, state, draft }) {
    const isUpdate = state.asset !== undefined && !draft.isSame
    const users = isUpdate ? await store.listUsers(work.db, caller.organizationId, put.id) : []
    return { warnings: draft.warnings, affected: listAffected(users) }
  },
  toRow,
  async findUse({ db }, { organizationId }, id) {
    const users = await store.listUsers(db, organizationId, id)
    return countUses(
      users.map(({ id, name }) => ({ ...USER, id, name })),
      'Remove it there first.',
    )
  },
  getRealitySubject: (_, { id }, { asset }) => ({
    kind: 'assets',
    ids: [id],
    formerPaths: asset?.describedPath == null ? [] : [asset.describedPath],
  }),
  acceptAbsence: (caller) => requireSomewhere(caller, 'ASSET_DELETE'),
}

async function read({
  work,
  caller,
  put,
  state,
}: PutContext<AssetTypes>): Promise<ResourceReading<AssetTypes['draft']>> {
  const { id, body, strict, dryRun } = put
  const { text, mediaType } = body
  const stored = state.asset
  const ingested = stored === undefined || stored.ingestion === null ? undefined : stored
  const policy = { hasTagPolicy: hasTagPolicy(caller, 'asset') }
  const input = { id, text, mediaType, strict, ...policy, dryRun, ingested }
  const texts = [{ document: text, mediaType }]
  const assessment = await work.offload.run(caller.organizationId, assessAsset, input, texts)
  if (!assessment.ok) return assessment
  const { row, warnings, restrictedTags, isIngested } = assessment
  return {
    ok: true,
    row,
    format: 'asset',
    digest: row.digest,
    ownerId: row.owner,
    ownerPath: ['info', 'owner'],
    isSame: ingested === undefined ? stored?.digest === row.digest : isIngested,
    level: 'none',
    changes: toChangeList([]),
    warnings,
    restrictedTags,
  }
}

function toRow({ caller, draft: { row } }: ResourceChange<AssetTypes>): DocumentRow {
  const { name, type, source, owner, mediaType, documentJson } = row
  return {
    ...row,
    format: 'asset',
    level: 'none',
    columns: {
      media_type: mediaType,
      document_json: documentJson,
      name,
      type,
      source,
      owner,
      parent_id: row.parentId,
      described_path: row.describedPath,
    },
    versionColumn: 'reality_version',
    facts: { name, type, ownerId: owner },
    ownerTeamId: sql`(
        select id
        from team
        where organization_id = ${caller.organizationId}
          and external_id = ${owner}
      )`,
  }
}

function toRegistered(asset: StoredAsset): RegisteredDocument {
  const { documentJson, owner, ingestion } = asset
  const { document, mediaType, digest } = toStoredDocument(asset)
  return {
    document,
    // The merged document of an ingested asset is JSON.
    documentJson: ingestion === null ? documentJson : null,
    mediaType,
    format: 'asset',
    digest,
    ownerId: owner,
  }
}
