import { z } from '@hono/zod-openapi'
import { DRIFT_FINDINGS_MAX } from '../../../formats/reality/compare.ts'
import { DRIFT_ASPECTS, DRIFT_LEVELS } from '../../../formats/reality/difference.ts'
import { DRIFT_STATES } from '../../ledger/drift/drift-plan.ts'
import { plan } from '../../ledger/history/plan.ts'
import { acceptance } from '../acceptance.ts'

/**
 * A contract promises models on servers; each promise is linked to the asset that keeps it. Drift is the list of
 * differences between the two. A difference is breaking if a consumer who relies on the promise fails, else additive.
 */

/** The changes that resolve a finding: a run, a document of an asset, a new version of the contract, or another link. */
const RESOLUTIONS = ['run', 'asset', 'contract', 'link'] as const

/** The kind of change that opens or resolves a finding. */
export type FindingCause = (typeof RESOLUTIONS)[number]

const instant = z.string().openapi({ format: 'date-time' })
const count = z.int().min(0)

/** A model of a contract on one server, with its table and the differences that the contract is to adopt. */
export interface DifferingModel {
  server: string
  model: string
  /** The document of the linked asset as JSON; null = no asset is linked. */
  asset: string | null
  findings: { id: string; field: string; aspect: string }[]
}

/** A difference between what a contract promises and what its asset is. */
export const finding = z
  .object({
    id: z.uuid(),
    dataContractId: z.string(),
    dataContractName: z.string().nullable().openapi({ description: 'Null = it was deleted' }),
    ownerId: z.string().nullable().openapi({ description: 'The team that owns the contract' }),
    server: z.string(),
    isProduction: z
      .boolean()
      .openapi({ description: 'Whether the server counts for the contract' }),
    model: z.string(),
    field: z.string().nullable().openapi({
      description: 'The field of the contract, or an additional column; null = the model',
    }),
    aspect: z.enum(DRIFT_ASPECTS),
    level: z.enum(DRIFT_LEVELS),
    promised: z.string().nullable(),
    actual: z.string().nullable(),
    assetId: z.string().nullable(),
    assetName: z.string().nullable(),
    integration: z.string().nullable().openapi({
      description: 'The external id of the integration that maintains the asset',
    }),
    since: instant,
    firstRunId: z.uuid().nullable().openapi({
      description: 'The run that opened it; null = another change did',
    }),
    changedAt: instant,
    acceptance: acceptance.nullable(),
    resolvedAt: instant.nullable(),
    resolvedBecause: z.enum(RESOLUTIONS).nullable(),
  })
  .openapi('DriftFinding')

/** A difference between what a contract promises and what its asset is. */
export type DriftFinding = z.infer<typeof finding>

const linkedAsset = z.object({
  id: z.string(),
  name: z.string().nullable(),
  type: z.string().nullable(),
  source: z.string().nullable(),
})

/** The asset of a promise, and why it is that. */
const driftLink = z
  .object({
    state: z.string().openapi({ description: '`linked`, or why no asset is' }),
    reason: z.string().nullable().openapi({ description: 'Why the model has no place' }),
    asset: linkedAsset.nullable(),
    origin: z.enum(['hand', 'port', 'location']).nullable(),
    explanation: z.array(
      z.object({
        part: z.string(),
        promised: z.string().nullable(),
        actual: z.string().nullable(),
        rule: z.string(),
      }),
    ),
    candidates: z.array(linkedAsset),
  })
  .openapi('DriftLink')

const modelDrift = z
  .object({
    model: z.string(),
    link: driftLink,
    isComparing: z.boolean().openapi({
      description: 'Whether the newest version of contract and asset is still to be compared',
    }),
    comparedAt: instant.nullable(),
    runId: z.uuid().nullable().openapi({ description: 'The run that last read the asset' }),
    findings: z.array(finding),
    omittedCount: count.openapi({
      description: `The number of differences beyond the first ${DRIFT_FINDINGS_MAX}`,
    }),
    unverifiable: z.array(z.object({ field: z.string(), reason: z.string() })),
  })
  .openapi('ModelDrift')

const counts = z.object({
  breaking: count.openapi({ description: 'Breaking ones without an acceptance' }),
  additive: count,
  accepted: count,
  unverifiable: count,
})

/** The text that a contract would have if it promised what its tables are. */
export const driftProposal = z
  .object({
    document: z.string().openapi({
      description: 'The text of the contract; what does not differ is as it was, byte for byte',
    }),
    mediaType: z.enum(['application/json', 'application/yaml']),
    plan: plan.openapi({ description: 'The dry run of a PUT of the document' }),
  })
  .openapi('DriftProposal')

/** The differences between a contract and its assets. */
export const contractDrift = z
  .object({
    version: z.int().openapi({ description: 'The version of the contract' }),
    state: z.enum(DRIFT_STATES).openapi({
      description:
        'Of the servers that count. `unknown`: a model is not linked to an asset, or not compared yet',
    }),
    comparedAt: instant.nullable(),
    counts,
    servers: z.array(
      z.object({
        server: z.string(),
        environment: z.string().nullable(),
        isProduction: z.boolean(),
        models: z.array(modelDrift),
      }),
    ),
  })
  .openapi('ContractDrift')

/** The differences between a contract and its assets. */
export type ContractDrift = z.infer<typeof contractDrift>
