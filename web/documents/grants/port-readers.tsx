import type { Schemas } from '../../api/client.ts'
import { Link } from '../../parts/link.tsx'
import { countText } from '../../parts/number-text.ts'
import { Status } from '../../parts/status.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { ConsumerName } from './consumer-name.tsx'
import { describeRights, getGranteeTitle } from './grant-words.ts'

/** The grants on the tables of an output port. */
export type PortGrants = Schemas['OutputPortGrants']

type IntegrationGrants = PortGrants['integrations'][number]
type Reader = NonNullable<IntegrationGrants['grantees']>[number]

const STATES: Readonly<Record<IntegrationGrants['state'], string>> = {
  off: 'Grants are not read.',
  not_read: 'The tables were not read yet.',
  incomplete: 'Incomplete: access that is not listed may exist.',
  complete: 'Complete.',
}

/** Returns whether the grants of a port are read in any integration. */
export function hasGrants({ integrations }: PortGrants): boolean {
  return integrations.some(({ state }) => state !== 'off')
}

/** The readers of an output port, by integration. */
export function PortReaders({ grants }: { grants: PortGrants }) {
  const { outputPortId, integrations } = grants
  return integrations
    .filter(({ state }) => state !== 'off')
    .map((one) => (
      <section key={one.integration} className="border-t border-line">
        <div className="grid gap-1 px-4 py-3">
          <h3 className="user-text text-base">Who can read {outputPortId}</h3>
          <p className="user-text text-sm text-muted">
            <Link href={paths.integration(one.integration)}>{one.name}</Link>
            {one.readAt !== null && (
              <>
                , read <Time at={one.readAt} />
              </>
            )}
            . {STATES[one.state]} {one.reason}
          </p>
          <p className="text-sm">{describeCounts(one)}</p>
          {one.omittedCount > 0 && (
            <p className="text-sm">
              {countText(one.omittedCount, 'more deviation')} not listed: a port has at most 1,000.
            </p>
          )}
          {one.isPublic && (
            <span>
              <Status tone="caution">Everyone who can sign in can read it</Status>
            </span>
          )}
        </div>
        {one.grantees !== null && one.grantees.length > 0 && (
          <Table
            label={`Readers of ${outputPortId} in ${one.name}`}
            columns={COLUMNS}
            rows={one.grantees.slice(0, READERS_SHOWN)}
            getKey={({ kind, name }) => `${kind} ${name}`}
          />
        )}
        {one.grantees !== null && one.grantees.length > READERS_SHOWN && (
          <p className="px-4 py-3 text-sm text-muted">
            {countText(one.mappedCount - READERS_SHOWN, 'more reader')} in the API.
          </p>
        )}
      </section>
    ))
}

// The API lists the others.
const READERS_SHOWN = 50

function describeCounts({ tableCount, mappedCount, unknownCount }: IntegrationGrants): string {
  return [
    countText(tableCount, 'table'),
    countText(mappedCount, 'name with a known consumer', 'names with a known consumer'),
    countText(unknownCount, 'name of unknown identity', 'names of unknown identity'),
  ].join(' · ')
}

const COLUMNS: readonly Column<Reader>[] = [
  {
    title: 'Consumer',
    cell: ({ consumer }) =>
      consumer === null ? (
        <span className="text-muted">Unknown identity</span>
      ) : (
        <ConsumerName consumer={consumer} />
      ),
  },
  {
    title: 'Name',
    cell: ({ kind, name }) => (
      <span className="grid">
        <code className="user-text [overflow-wrap:anywhere]">{name}</code>
        <span className="text-sm text-muted">{getGranteeTitle(kind)}</span>
      </span>
    ),
  },
  {
    title: 'Rights',
    cell: (reader) => (
      <span className="user-text">
        {reader.isAdministrator
          ? 'Administrator of the source: reads everything.'
          : describeRights(reader)}
      </span>
    ),
  },
]
