import { Boxes, FileText, SearchX } from 'lucide-react'
import type { Schemas } from '../../api/client.ts'
import { useCustomFilters } from '../../api/custom-filters.ts'
import { maySomewhere, useSession } from '../../api/session.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Link } from '../../parts/link.tsx'
import { RECORD_ICONS } from '../../parts/resource-types.ts'
import { mayCreate } from '../../shell/record-permit.ts'
import { getRecordPaths, paths } from '../../paths.ts'
import {
  findListedRecord,
  toSearchAddress,
  listActiveFilters,
  filtersToRemove,
  removeFilters,
  type Chosen,
  type SearchState,
} from './filters.ts'

interface NothingFoundProps {
  state: SearchState
  facets: Schemas['SearchFacets'] | null
  /** Returns the label of a value of a filter. */
  getLabel: (chosen: Chosen) => string
}

/** The empty state of the results: what to try, or how to add the first resource. */
export function NothingFound({ state, facets, getLabel }: NothingFoundProps) {
  const chosen = listActiveFilters(state)
  const { filters } = useCustomFilters()
  const isList = state.query === '' && chosen.every(({ name }) => name === 'resourceType')
  if (isList) return <NothingYet state={state} />
  return (
    <Empty icon={SearchX} title="No results">
      <p>Check the spelling, or search for a single name, column, tag or team.</p>
      <ul className="mt-3 grid justify-items-center gap-1 empty:hidden">
        {filtersToRemove(state, facets, filters).map((group) => {
          const [first] = group
          const title = first?.name === 'custom' ? first.title : first?.title.toLowerCase()
          return (
            <li key={`${first?.name} ${first?.value}`}>
              <Link href={toSearchAddress(removeFilters(state, group))}>
                Search without <span className="user-text">{title}</span>{' '}
                <span className="user-text line-clamp-1 inline">
                  {group.map(getLabel).join(', ')}
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </Empty>
  )
}

function NothingYet({ state }: { state: SearchState }) {
  const session = useSession()
  if (state.resourceType.join() === 'DATA_CONTRACT') return <NoContractsYet />
  const record = findListedRecord(state)
  if (record !== undefined) {
    return (
      <Empty
        icon={RECORD_ICONS[record.icon]}
        title={`No ${record.label.toLowerCase()} yet`}
        action={
          <ButtonLink
            href={getRecordPaths(record).new}
            look="primary"
            reason={mayCreate(session, record).reason}
          >
            Create {record.called}
          </ButtonLink>
        }
      >
        {record.purpose}
      </Empty>
    )
  }
  return (
    <Empty
      icon={Boxes}
      title="Nothing registered yet"
      action={
        <ButtonLink
          href={paths.newDataProduct}
          look="primary"
          reason={maySomewhere(session, 'DATAPRODUCT_ADD').reason}
        >
          Register data product
        </ButtonLink>
      }
    >
      Data products, contracts, assets and teams appear here. Register them on these pages, connect
      a source, or send them from a pipeline.
    </Empty>
  )
}

function NoContractsYet() {
  const session = useSession()
  return (
    <Empty
      icon={FileText}
      title="No data contracts yet"
      action={
        <ButtonLink
          href={paths.newDataContract()}
          look="primary"
          reason={maySomewhere(session, 'DATACONTRACT_ADD').reason}
        >
          Create contract
        </ButtonLink>
      }
    >
      A contract describes data and what its consumers can rely on. Write one here, draft one from
      an asset, or send it from your pipeline.
    </Empty>
  )
}
