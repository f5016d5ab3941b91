import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../platform/kit/clock.ts'
import type { Database } from '../platform/tables.ts'
import type { Agreement, AgreementAt, AgreementConsumer } from './agreement.ts'
import { AGREEMENT_COLUMNS } from './store.ts'

/** A person and the teams whose data the person may use. */
export interface PossibleReader {
  userId: string | undefined
  teams: readonly string[]
}

/** An output port of a data product. */
export interface PortKey {
  organizationId: string
  productId: string
  port: string
}

const today = (clock: Clock): RawBuilder<unknown> => sql`(${clock.now} at time zone 'UTC')::date`

// The state of the moment, also before a process has noticed that a day has come.
const stateNow = (clock: Clock): RawBuilder<unknown> => sql`case
      when agreement.state not in ('upcoming', 'active') then agreement.state
      when agreement.end_on <= ${today(clock)} then 'expired'
      when agreement.start_on > ${today(clock)} then 'upcoming'
      else 'active'
    end`

// Those that let a reader in come first, then those that may.
const rankState = (clock: Clock): RawBuilder<unknown> => sql`array_position(
      array['active', 'upcoming', 'requested', 'rejected', 'expired', 'canceled'],
      ${stateNow(clock)}
    )`

/**
 * Finds the agreement on a port that matters most to a reader: of the person, of one of the teams, or of one of their
 * data products. An active one comes first.
 */
export async function findCoveringAgreement(
  db: Database,
  clock: Clock,
  port: PortKey,
  { userId, teams }: PossibleReader,
): Promise<AgreementAt | undefined> {
  return await findOne(
    db,
    clock,
    port,
    sql`(
        agreement.consumer_user = ${userId ?? null}::uuid
        or agreement.consumer_team = any(${teams}::text[])
      )`,
  )
}

/**
 * Finds an agreement of a consumer on a port that is in the way of a request: another request, or access at a time of
 * the requested period.
 */
export async function findConflictingAgreement(
  db: Database,
  clock: Clock,
  key: PortKey & AgreementConsumer & Pick<Agreement, 'startOn' | 'endOn'>,
): Promise<AgreementAt | undefined> {
  const isConsumer = {
    user: sql`agreement.consumer_user = ${key.consumerUser}::uuid`,
    team: sql`agreement.consumer_team = ${key.consumerTeam}`,
    dataproduct: sql`agreement.consumer_product = ${key.consumerProduct}`,
  }[key.consumerType]
  return await findOne(
    db,
    clock,
    key,
    sql`agreement.consumer_type = ${key.consumerType}
      and ${isConsumer}
      and (
        agreement.state = 'requested'
        or ${stateNow(clock)} in ('upcoming', 'active')
          and coalesce(agreement.end_on, 'infinity') > coalesce(${key.startOn}::date, ${today(clock)})
          and coalesce(agreement.start_on, '-infinity')
            < coalesce(${key.endOn}::date, 'infinity')
      )`,
  )
}

async function findOne(
  db: Database,
  clock: Clock,
  { organizationId, productId, port }: PortKey,
  condition: RawBuilder<unknown>,
): Promise<AgreementAt | undefined> {
  const { rows } = await sql<Agreement & { now: string }>`
    select ${AGREEMENT_COLUMNS}, ${clock.now} as now
    from access_agreement as agreement
    where agreement.organization_id = ${organizationId}
      and agreement.provider_product = ${productId}
      and agreement.output_port = ${port}
      and ${condition}
    order by ${rankState(clock)}, agreement.requested_at desc
    limit 1
  `.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { now, ...agreement } = row
  return { agreement, now }
}
