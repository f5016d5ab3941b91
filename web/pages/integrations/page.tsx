import { Cable, Plus } from 'lucide-react'
import { maySomewhere, useSession } from '../../api/session.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { EmptyList } from '../../shell/empty-list.tsx'
import { useUrlState } from '../../shell/url-state.ts'
import { Filters, USUAL_FILTER, type Filter } from './filters.tsx'
import { IntegrationList } from './list.tsx'
import { isInState, useIntegrations } from './use-integrations.ts'

// The page size of the API.
const PAGE_INTEGRATIONS = 1000

/** The list of integrations with their last and next runs. */
export function IntegrationsPage() {
  const session = useSession()
  const [filter, setFilter] = useUrlState(USUAL_FILTER)
  const integrations = useIntegrations(filter)
  const { reason } = maySomewhere(session, 'INGESTION_EDIT')
  const connect = (
    <ButtonLink href={paths.newIntegration} look="primary" reason={reason} icon={Plus}>
      Connect a source
    </ButtonLink>
  )
  return (
    <Page
      title="Integrations"
      facts="Source platforms whose tables are read into the catalog as assets."
      actions={connect}
    >
      {(isFiltered(filter) || integrations.data?.length !== 0) && (
        <Filters filter={filter} onChange={(patch) => setFilter(patch, { replace: true })} />
      )}
      <Loaded query={integrations} skeleton={{ lines: 6, label: 'Loading integrations' }}>
        {(found) => {
          const shown = found.filter((one) => isInState(one, filter.state))
          if (shown.length > 0) {
            return (
              <IntegrationList
                integrations={shown}
                isFull={found.length === PAGE_INTEGRATIONS}
                filter={filter}
                onPage={setFilter}
              />
            )
          }
          return (
            <EmptyList
              icon={Cable}
              things="integrations"
              filter={{ isSet: isFiltered(filter), clear: paths.integrations }}
              title="No integrations yet"
              action={reason === undefined && connect}
            >
              Connect PostgreSQL, MySQL, MariaDB, SQL Server, Snowflake, Databricks, BigQuery, AWS
              Glue, Microsoft Fabric or an Iceberg catalog. Portbook reads its tables and columns,
              never their rows, and keeps them up to date on a schedule.
            </EmptyList>
          )
        }}
      </Loaded>
    </Page>
  )
}

function isFiltered(filter: Filter): boolean {
  return Object.entries(filter).some(([name, value]) => name !== 'sort' && value !== '')
}
