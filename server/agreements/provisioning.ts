import { z } from '@hono/zod-openapi'
import type { AccessEventName } from '../ledger/events/event.ts'
import { parseInstant, type Instant } from '../platform/kit/clock.ts'

/**
 * Provisioning: a connector grants an active agreement on a platform, and revokes it when the agreement ends. It reports
 * each step; the catalog keeps the latest state and a timeline of the reports.
 */

/** The states of provisioning. Clients accept no others. */
export const PROVISIONING_STATUSES = [
  'provisioning',
  'provisioned',
  'provisioning-failed',
  'deprovisioning',
  'deprovisioned',
  'deprovisioning-failed',
] as const

/** The state of provisioning. */
export type ProvisioningStatus = (typeof PROVISIONING_STATUSES)[number]

/** The maximum number of reports that are kept of an agreement. */
export const REPORTS_MAX = 100

const TEXT_CHARACTERS_MAX = 10_000
const PROPERTIES_MAX = 100
const LINKS_MAX = 50

const text = z.string().max(TEXT_CHARACTERS_MAX, `has more than ${TEXT_CHARACTERS_MAX} characters`)
const optionalText = text
  .nullish()
  .transform((value) => value ?? undefined)
  .optional()
const instant = z
  .string()
  .refine((value) => parseInstant(value) !== undefined, 'must be an instant')
  .nullish()
  .transform((value) => value ?? undefined)
  .optional()
  .openapi({ format: 'date-time' })

const common = {
  platform: optionalText.openapi({ description: 'Where access is granted: `snowflake`' }),
  executor: optionalText.openapi({ description: 'The program that grants it' }),
  customProperties: z
    .array(z.looseObject({ property: text, value: z.unknown() }))
    .max(PROPERTIES_MAX)
    .nullish()
    .transform((value) => value ?? undefined)
    .optional(),
  links: z
    .record(z.string(), text)
    .refine((links) => Object.keys(links).length <= LINKS_MAX, `has more than ${LINKS_MAX} links`)
    .nullish()
    .transform((value) => value ?? undefined)
    .optional(),
  reference: optionalText.openapi({
    description: 'What was granted, in the words of the platform',
  }),
  diagnostics: optionalText.openapi({ description: 'Why a step failed' }),
}

/** A report of a connector. Members that it leaves out keep their value. */
export const provisioningReport = z.strictObject(common).openapi('AccessProvisioningReport')

/** A report of a connector, parsed. */
type ProvisioningReport = z.infer<typeof provisioningReport>

/** The provisioning of an agreement. */
export const accessProvisioning = z
  .strictObject({
    status: z.enum(PROVISIONING_STATUSES),
    ...common,
    note: optionalText,
    provisioningStartedAt: instant,
    provisionedAt: instant,
    deprovisioningStartedAt: instant,
    deprovisionedAt: instant,
    failedAt: instant,
  })
  .openapi('AccessProvisioning')

/** The provisioning of an agreement, parsed. */
export type AccessProvisioning = z.infer<typeof accessProvisioning>

type Moment =
  | 'provisioningStartedAt'
  | 'provisionedAt'
  | 'deprovisioningStartedAt'
  | 'deprovisionedAt'
  | 'failedAt'

/** The names of reports in addresses, and the states and moments that they set. */
const REPORTS = {
  'provisioning-started': { status: 'provisioning', moment: 'provisioningStartedAt' },
  'provisioning-succeeded': { status: 'provisioned', moment: 'provisionedAt' },
  'provisioning-failed': { status: 'provisioning-failed', moment: 'failedAt' },
  'deprovisioning-started': { status: 'deprovisioning', moment: 'deprovisioningStartedAt' },
  'deprovisioning-succeeded': { status: 'deprovisioned', moment: 'deprovisionedAt' },
  'deprovisioning-failed': { status: 'deprovisioning-failed', moment: 'failedAt' },
} as const satisfies Record<string, { status: ProvisioningStatus; moment: Moment }>

/** The name of a report in its address. */
export type ReportName = keyof typeof REPORTS

/** The names of the reports. */
export const REPORT_NAMES: readonly ReportName[] = [
  'provisioning-started',
  'provisioning-succeeded',
  'provisioning-failed',
  'deprovisioning-started',
  'deprovisioning-succeeded',
  'deprovisioning-failed',
]

/** The event of each state. */
export const PROVISIONING_EVENTS: Readonly<Record<ProvisioningStatus, AccessEventName>> = {
  provisioning: 'AccessProvisioningStartedEvent',
  provisioned: 'AccessProvisionedEvent',
  'provisioning-failed': 'AccessProvisioningFailedEvent',
  deprovisioning: 'AccessDeprovisioningStartedEvent',
  deprovisioned: 'AccessDeprovisionedEvent',
  'deprovisioning-failed': 'AccessDeprovisioningFailedEvent',
}

/** Returns the provisioning after a report. */
export function applyReport(
  before: AccessProvisioning | undefined,
  name: ReportName,
  report: ProvisioningReport,
  now: Instant,
): AccessProvisioning {
  const { status, moment } = REPORTS[name]
  const given = Object.entries(report).filter(([, value]) => value !== undefined)
  return { ...before, ...Object.fromEntries(given), status, [moment]: now }
}
