import { z } from '@hono/zod-openapi'
import { SERVERS_MAX } from '../../formats/connection/port-connections.ts'
import { clip } from '../../formats/text/value.ts'
import { STATES, type Agreement, type AgreementState } from './agreement.ts'
import {
  accessProvisioning,
  PROVISIONING_STATUSES,
  type AccessProvisioning,
  type ProvisioningStatus,
} from './provisioning.ts'

/** The address of the data of an output port, and the access of the caller. */

const fact = z.object({
  name: z.string().openapi({ description: 'The name of the property: `host`' }),
  label: z.string(),
  value: z.string(),
  warning: z.string().optional().openapi({ description: 'Why nothing to paste contains it' }),
})

const snippet = z.object({
  tool: z.string().openapi({ description: '`psql`, `JDBC`, `dbt`' }),
  language: z.enum(['shell', 'sql', 'python', 'yaml', 'url']),
  text: z.string().openapi({ description: 'Values are quoted for the language; no credentials' }),
})

const serverConnection = z
  .object({
    server: z.string(),
    environment: z.string().optional(),
    platform: z.string().optional().openapi({ description: 'The type of the server' }),
    model: z.string().optional(),
    facts: z.array(fact),
    statement: z.string().optional().openapi({ description: 'A query of ten rows' }),
    snippets: z.array(snippet),
    unresolved: z.array(z.string()).openapi({
      description:
        'Variables as the document has them, `${HOST}`: the catalog has no values for them',
    }),
  })
  .openapi('ServerConnection')

const channel = z.object({
  channel: z.string(),
  url: z.string().optional().openapi({ description: 'http, https or mailto' }),
  tool: z.string().optional(),
  description: z.string().optional(),
  source: z.enum(['contract', 'team']),
})

/** The address of the data of an output port, and what reads it. */
export const portConnection = z
  .object({
    access: z.object({
      state: z.enum([...STATES, 'none']).openapi({
        description: '`none` = the caller has no agreement on the port',
      }),
      agreementId: z.string().nullable(),
      roles: z.array(z.string()).openapi({ description: 'What was granted on the platform' }),
      provisioning: z.string().openapi({ description: 'A sentence, and what to do next' }),
      provisioningStatus: z.enum(PROVISIONING_STATUSES).nullable(),
    }),
    team: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .openapi({ description: 'The team that owns the data product; null = deleted' }),
    contract: z
      .object({
        id: z.string(),
        version: z.string().nullable(),
        currentVersion: z.string().nullable(),
        isCurrent: z.boolean().openapi({
          description: 'Whether the contract still is the version that was agreed on',
        }),
      })
      .nullable()
      .openapi({ description: 'The contract that was read; null = there is none' }),
    support: z.array(channel),
    models: z.array(z.string()).openapi({ description: 'The values of `model`' }),
    servers: z.array(serverConnection).openapi({
      description: `Those of production first, at most ${SERVERS_MAX}`,
    }),
    serverCount: z.int(),
  })
  .openapi('PortConnection')

/** The address of the data of an output port, parsed. */
export type PortConnection = z.infer<typeof portConnection>

/** The part of a connection that the agreement decides. */
type ConnectionAccess = PortConnection['access']

const DIAGNOSTICS_CHARACTERS_MAX = 300

/** Describes the access that an agreement grants; undefined = the caller has none. `team` is the name of the owner. */
export function describeAccess(agreement: Agreement | undefined, team: string): ConnectionAccess {
  if (agreement === undefined) {
    const provisioning = 'You have no access. Request access to read the data.'
    const none = { agreementId: null, roles: [], provisioningStatus: null }
    return { state: 'none', ...none, provisioning }
  }
  const { id, state, roles } = agreement
  const report = parseReport(agreement)
  return {
    state,
    agreementId: id,
    roles: [...roles],
    provisioning:
      state === 'active'
        ? describeProvisioning(report, team)
        : describeState(state, agreement, team),
    provisioningStatus: report?.status ?? null,
  }
}

function parseReport({ provisioning }: Agreement): AccessProvisioning | undefined {
  return provisioning === null ? undefined : accessProvisioning.parse(JSON.parse(provisioning))
}

function describeState(
  state: Exclude<AgreementState, 'active'>,
  { startOn }: Agreement,
  team: string,
): string {
  switch (state) {
    case 'requested':
      return `${team} has not decided on the request yet. Wait for the decision.`
    case 'upcoming':
      return `Access begins on ${startOn ?? 'a later day'}. Until then, the data cannot be read.`
    case 'rejected':
      return `The request was rejected. Ask ${team} for the reason, or request access again.`
    case 'expired':
    case 'canceled':
      return 'Access has ended. Request access again to read the data.'
  }
}

// The last sentence always is what to do.
const REPORTS: Readonly<Record<ProvisioningStatus, (where: string, team: string) => string>> = {
  provisioning: (where) => `Access is being granted${where}. Try again in a few minutes.`,
  provisioned: (where) => `Access was granted${where}. Connect with the address below.`,
  'provisioning-failed': (where, team) =>
    `Access could not be granted${where}. Ask ${team} to grant it.`,
  deprovisioning: (where, team) =>
    `Access is being revoked${where}. Ask ${team} if you still need it.`,
  deprovisioned: (where, team) => `Access was revoked${where}. Ask ${team} if you still need it.`,
  'deprovisioning-failed': (where, team) =>
    `Access may still work, because it could not be revoked${where}. Ask ${team} if you still need it.`,
}

function describeProvisioning(report: AccessProvisioning | undefined, team: string): string {
  if (report === undefined)
    return `No connector has reported. Ask ${team} whether access was granted.`
  const { status, platform, reference, diagnostics } = report
  const sentence = REPORTS[status](platform === undefined ? '' : ` on ${clip(platform)}`, team)
  const granted = status === 'provisioned' && reference !== undefined
  const more = granted ? `Granted: ${reference}` : diagnostics
  return more === undefined || (status === 'provisioned' && !granted)
    ? sentence
    : `${sentence} ${granted ? '' : 'The connector reported: '}${clip(more, DIAGNOSTICS_CHARACTERS_MAX)}`
}
