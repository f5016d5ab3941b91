import { decideAgreement, type DecisionName } from '../agreements/decision-service.ts'
import { advanceDueAgreements } from '../agreements/occasion-service.ts'
import { changeProvisioning } from '../agreements/provisioning-service.ts'
import { applyReport } from '../agreements/provisioning.ts'
import { putAgreement } from '../agreements/write-service.ts'
import type { Instant } from '../platform/kit/clock.ts'
import type { Caller } from '../requests/access/caller.ts'
import type { Services } from '../requests/http/endpoint.ts'
import { AGREEMENTS, type DemoAgreement } from './access.ts'
import type { PastEvent } from './estate.ts'
import { findPrincipal, toAddress, type Principals } from './people.ts'
import { newOwnerCaller, setBack } from './register.ts'

// The past of the demo's access agreements: requests, decisions, reports of connectors, and what days have changed.

const MINUTE_MS = 60 * 1000
const DAY_MS = 24 * 60 * MINUTE_MS
const APART_MS = 1.5 * MINUTE_MS
const EXPIRING_DAYS = 14
const NO_CONDITIONS = { ifMatch: undefined, ifNoneMatch: undefined }

/** The organization, its people and the time of the load. */
interface AgreementContext {
  services: Services
  organizationId: string
  principals: Principals
  /** The principal of the connector that grants access. */
  connector: string
  /** The clock's time when the load began. */
  now: Instant
}

/** Lists the past events of the demo's access agreements with their ages. */
export function listAgreementEvents(context: AgreementContext): PastEvent[] {
  return [
    ...AGREEMENTS.flatMap((agreement, at) =>
      [
        ...listRequest(context, agreement),
        ...listDecisions(context, agreement),
        ...listReports(context, agreement),
        // One after the other, so that their order is certain.
      ].map((event) => ({ ...event, ageMs: event.ageMs - at * APART_MS })),
    ),
    ...listDays(context),
  ]
}

function listRequest(context: AgreementContext, agreement: DemoAgreement): PastEvent[] {
  const { daysAgo, by } = agreement.requested
  const text = JSON.stringify(toDocument(agreement, context.now))
  const put = {
    id: agreement.id,
    body: { text, mediaType: 'application/json' as const },
    conditions: NO_CONDITIONS,
    requestId: 'demo',
  }
  return [
    {
      ageMs: daysAgo * DAY_MS,
      async replay(age) {
        await putAgreement(atAge(context, age), newPersonCaller(context, by), put)
      },
    },
  ]
}

function listDecisions(context: AgreementContext, agreement: DemoAgreement): PastEvent[] {
  const { id, approved, rejected, canceled } = agreement
  const decisions = [
    ['approve', approved],
    ['reject', rejected],
    ['cancel', canceled],
  ] as const satisfies readonly (readonly [DecisionName, unknown])[]
  return decisions.flatMap(([name, decision]) => {
    if (decision === undefined) return []
    const { daysAgo, by, reason = null } = decision
    return {
      ageMs: daysAgo * DAY_MS,
      async replay(age: number) {
        const caller = newPersonCaller(context, by)
        await decideAgreement(atAge(context, age), caller, name, { id, requestId: 'demo', reason })
      },
    }
  })
}

function listReports(context: AgreementContext, agreement: DemoAgreement): PastEvent[] {
  const { id, platform, reports = [] } = agreement
  const { organizationId, connector } = context
  return reports.map(({ name, daysAgo, diagnostics }) => ({
    ageMs: daysAgo * DAY_MS,
    async replay(age) {
      const caller = newOwnerCaller(organizationId, connector)
      const report = { platform, executor: 'warehouse-access', diagnostics }
      await changeProvisioning(
        atAge(context, age),
        caller,
        { id, requestId: 'demo' },
        (before, now) => applyReport(before, name, report, now),
      )
    },
  }))
}

// Agreements begin, are announced and end at the beginning of a day.
function listDays(context: AgreementContext): PastEvent[] {
  const days = AGREEMENTS.flatMap(({ from, to }) => [
    ...(from === undefined ? [] : [from]),
    ...(to === undefined ? [] : [to, to - EXPIRING_DAYS]),
  ])
  const nowMs = Date.parse(context.now)
  return [...new Set(days)].flatMap((day) => {
    const ageMs = nowMs - Date.parse(`${toDay(context.now, day)}T00:00:00Z`) - MINUTE_MS
    if (ageMs < 0) return []
    return {
      ageMs,
      async replay(age: number) {
        const { db, clock } = atAge(context, age)
        await advanceDueAgreements({ db, clock })
      },
    }
  })
}

function toDocument(
  { id, purpose, product, port, consumer, role, from, to }: DemoAgreement,
  now: Instant,
): object {
  return {
    id,
    info: {
      purpose,
      ...(from === undefined ? {} : { startDate: toDay(now, from) }),
      ...(to === undefined ? {} : { endDate: toDay(now, to) }),
    },
    provider: { dataProductId: product, outputPortId: port },
    consumer: toConsumer(consumer),
    ...(role === undefined ? {} : { roles: [role] }),
  }
}

function toConsumer({ type, id }: DemoAgreement['consumer']): object {
  if (type === 'user') return { userId: toAddress(id) }
  return type === 'team' ? { teamId: id } : { dataProductId: id }
}

function toDay(now: Instant, days: number): string {
  return new Date(Date.parse(now) + days * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length)
}

function atAge({ services }: AgreementContext, ageMs: number): Services {
  return { ...services, clock: setBack(services.clock, ageMs) }
}

function newPersonCaller({ organizationId, principals }: AgreementContext, name: string): Caller {
  return newOwnerCaller(organizationId, findPrincipal(principals, name))
}
