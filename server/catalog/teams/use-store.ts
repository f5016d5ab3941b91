import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import { getRows, OWNED_KINDS } from '../../platform/kinds.ts'

/** The maximum number of listed uses of one kind. */
const USES_OF_KIND_MAX = 5

/** Something that belongs to a team or names it. */
export interface TeamUse {
  kind: string
  id: string
  /** Of an access agreement, the name of the other party. */
  name: string
  /** The output port of an access agreement. */
  port: string | null
  /** The state of an access agreement: `requested`, `upcoming` or `active`. */
  state: string | null
  /** Whether the team provides the data of an access agreement. */
  isProvider: boolean
  /** The number of all uses of this kind. */
  total: number
}

// The columns that only access agreements have.
const NO_ACCESS = sql`null::text as port, null::text as state, false as is_provider`

// The rows of a table that refer to the team by its internal id.
function selectRows(kind: string, rows: string, column: string): RawBuilder<unknown> {
  return sql`
        select ${kind}::text as kind, used.external_id, used.name, ${NO_ACCESS}
        from ${sql.raw(rows)} as used
        where used.organization_id = subject.organization_id
          and used.${sql.ref(column)} = subject.id`
}

const ASSETS = sql`
        select 'asset', asset.external_id, asset.name, ${NO_ACCESS}
        from asset
        left join asset_annotation as annotation
          on annotation.organization_id = asset.organization_id
          and annotation.asset_id = asset.external_id
        where asset.organization_id = subject.organization_id
          and (asset.owner = subject.external_id or annotation.owner_team_id = subject.id)`

const AGREEMENTS = sql`
        select 'access', agreement.external_id,
          case
            when agreement.provider_team = subject.external_id
              then coalesce(consumer.name, consumer_team.name, person.name)
            else provider.name
          end,
          agreement.output_port, agreement.state::text, agreement.provider_team = subject.external_id
        from access_agreement as agreement
        left join data_product as provider
          on provider.organization_id = agreement.organization_id
          and provider.external_id = agreement.provider_product
        left join data_product as consumer
          on consumer.organization_id = agreement.organization_id
          and consumer.external_id = agreement.consumer_product
        left join team as consumer_team
          on consumer_team.organization_id = agreement.organization_id
          and consumer_team.external_id = agreement.consumer_team
        left join organization_member as member
          on member.organization_id = agreement.organization_id
          and member.user_id = agreement.consumer_user
        left join user_account as person on person.id = member.user_id
        where agreement.organization_id = subject.organization_id
          and agreement.state in ('requested', 'upcoming', 'active')
          and (
            agreement.provider_team = subject.external_id
            or agreement.consumer_team = subject.external_id
          )`

// Each kind of use, the rows of which refer to the team named `subject`.
const USES: readonly RawBuilder<unknown>[] = [
  ...OWNED_KINDS.map(({ kind }) => selectRows(kind, getRows(kind), 'owner_team_id')),
  selectRows('integration', 'integration', 'owner_team_id'),
  ASSETS,
  AGREEMENTS,
  selectRows('team', 'team', 'parent_id'),
]

/**
 * Lists what prevents the deletion of a team, and counts each kind: the first one of each kind by id, then the second
 * ones, at most five of each.
 */
export async function listTeamUses(
  db: Database,
  organizationId: string,
  externalId: string,
): Promise<TeamUse[]> {
  const parts = USES.map(
    (rows) => sql`
      (
        select used.*, count(*) over ()::int as total,
          row_number() over (order by used.id) as rank
        from (${rows}
        ) as used (kind, id, name, port, state, is_provider)
        order by used.id
        limit ${USES_OF_KIND_MAX}
      )`,
  )
  const { rows } = await sql<TeamUse>`
    select used.kind, used.id, coalesce(used.name, used.id) as name, used.port, used.state,
      used.is_provider as "isProvider", used.total
    from team as subject
    cross join lateral (${sql.join(parts, sql` union all `)}
    ) as used
    where subject.organization_id = ${organizationId}
      and subject.external_id = ${externalId}
    order by used.rank
  `.execute(db)
  return rows
}
