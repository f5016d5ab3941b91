import { Boxes, FileText, SearchX } from 'lucide-react'
import { maySomewhere, useSession } from '../../api/session.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Link } from '../../parts/link.tsx'
import { paths } from '../../paths.ts'
import { addressOf, chosenOf, toggled, type Chosen, type SearchState } from './filters.ts'

interface NothingFoundProps {
  state: SearchState
  /** What a value of a filter is called. */
  labelOf: (chosen: Chosen) => string
}

/** What stands where nothing was found: what to try, or how the first one comes in. */
export function NothingFound({ state, labelOf }: NothingFoundProps) {
  const chosen = chosenOf(state)
  const isList = state.query === '' && chosen.every(({ name }) => name === 'resourceType')
  if (isList) return <NothingYet state={state} />
  return (
    <Empty icon={<SearchX size={28} aria-hidden />} title="Nothing matches">
      <p>
        Check the spelling, or search for one word of what you remember: a name, a column, a tag, a
        team.
      </p>
      {chosen.length > 0 && (
        <ul className="mt-3 grid justify-items-center gap-1">
          {chosen.map((one) => (
            <li key={`${one.name} ${one.value}`}>
              <Link href={addressOf(toggled(state, one.name, one.value))}>
                Without {one.title.toLowerCase()}{' '}
                <span className="user-text line-clamp-1 inline">{labelOf(one)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Empty>
  )
}

function NothingYet({ state }: { state: SearchState }) {
  const session = useSession()
  const { reason } = maySomewhere(session, 'RESOURCES_ADD')
  if (state.resourceType.join() === 'DATA_CONTRACT') {
    return (
      <Empty
        icon={<FileText size={28} aria-hidden />}
        title="No data contracts yet"
        action={
          <ButtonLink href={paths.newDataContract()} look="primary" reason={reason}>
            Create contract
          </ButtonLink>
        }
      >
        A contract says what data looks like and what its consumers may rely on. Write one here,
        draft one from an asset, or send it from your pipeline.
      </Empty>
    )
  }
  return (
    <Empty
      icon={<Boxes size={28} aria-hidden />}
      title="Nothing is registered yet"
      action={
        <ButtonLink href={paths.newDataProduct} look="primary" reason={reason}>
          Register data product
        </ButtonLink>
      }
    >
      Data products, contracts, assets and teams are found here once they are registered: on these
      pages, by an integration, or from a pipeline with one request.
    </Empty>
  )
}
