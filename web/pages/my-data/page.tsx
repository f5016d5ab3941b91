import { Star } from 'lucide-react'
import { useState } from 'react'
import { type Answer, api } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import {
  countedText,
  VIEWS,
  type AgreementView,
  type ListedAgreement,
} from '../../documents/access/access-words.ts'
import { AgreementList, nameAgreement } from '../../documents/access/agreement-list.tsx'
import { DecisionDialog } from '../../documents/access/decision-dialog.tsx'
import { DeprecatedUse, listUsedDocuments } from '../../documents/access/deprecated-use.tsx'
import { findRenewal, isOpen, mayActForConsumer } from '../../documents/access/own-side.ts'
import { PagedAgreements, useAgreements } from '../../documents/access/paged-agreements.tsx'
import { Deprecations } from '../../documents/deprecations.tsx'
import { Trusts, TrustMarks } from '../../documents/trust-strip.tsx'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Link, NameLink } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { ResourceIcon } from '../../parts/resource-icon.tsx'
import { Status } from '../../parts/status.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { useUrlState } from '../../shell/url-state.ts'

const URL_STATE = { view: 'active' }

// What can be used now comes first.
const OWN_VIEWS = VIEWS.toSorted(([a], [b]) => Number(b === 'active') - Number(a === 'active'))

const EMPTY: Readonly<Record<AgreementView, { title: string; text: string }>> = {
  active: {
    title: 'No access yet',
    text: 'Find a data product and request access to one of its output ports. What you, your teams and their data products can use appears here.',
  },
  requested: {
    title: 'No open requests',
    text: 'Requests that wait for a decision of the owning team appear here.',
  },
  expiring: { title: 'Nothing ends soon', text: 'Access that ends within 14 days appears here.' },
  rejected: { title: 'Nothing was rejected', text: 'Rejected requests appear here, with reasons.' },
  ended: { title: 'Nothing has ended', text: 'Access that has ended appears here.' },
}

/** The data that a person, their teams and their data products can use, and what the person follows. */
export function MyDataPage() {
  const [state] = useUrlState(URL_STATE)
  const isFollowing = state.view === 'following'
  const view = VIEWS.find(([one]) => one === state.view)?.[0] ?? 'active'
  const query = useAgreements({ list: 'mine', view })
  const counts = query.data?.counts
  return (
    <Page title="My data" actions={<ButtonLink href={paths.home}>Find data products</ButtonLink>}>
      <Tabs
        label="Parts of my data"
        tabs={[
          ...OWN_VIEWS.map(([one, title]) => ({
            title,
            href: paths.myData({ view: one === 'active' ? undefined : one }),
            isCurrent: !isFollowing && one === view,
            count: counts === null || counts === undefined ? undefined : countedText(counts[one]),
          })),
          {
            title: 'Following',
            href: paths.myData({ view: 'following' }),
            isCurrent: isFollowing,
          },
        ]}
      />
      {isFollowing ? <Follows /> : <Agreements key={view} view={view} query={query} />}
    </Page>
  )
}

interface AgreementsProps {
  view: AgreementView
  query: ReturnType<typeof useAgreements>
}

function Agreements({ view, query }: AgreementsProps) {
  const [ending, setEnding] = useState<ListedAgreement>()
  const empty = {
    ...EMPTY[view],
    action: <Link href={paths.home}>Find data products</Link>,
  }
  return (
    <section aria-label="Access" className="rounded-lg border border-line bg-surface">
      <h2 className="sr-only">Access</h2>
      <PagedAgreements query={query} empty={empty}>
        {(agreements) => (
          <Deprecations of={listUsedDocuments(agreements.filter(isOpen))}>
            <Trusts of={agreements.map(toPort)}>
              <AgreementList
                label="Access"
                agreements={agreements}
                renderMarks={(agreement) => <TrustMarks {...toPort(agreement)} />}
                renderActions={(agreement) => (
                  <OwnActions agreement={agreement} onEnd={setEnding} />
                )}
                renderNotice={(agreement) =>
                  isOpen(agreement) ? <DeprecatedUse {...agreement} /> : null
                }
              />
            </Trusts>
          </Deprecations>
        )}
      </PagedAgreements>
      {ending !== undefined && (
        <DecisionDialog
          decision="cancel"
          agreements={[ending]}
          onClose={() => setEnding(undefined)}
        />
      )}
    </section>
  )
}

function toPort({ productId, port }: ListedAgreement) {
  return { resourceType: 'OUTPUT_PORT', id: port, dataProductId: productId }
}

interface OwnActionsProps {
  agreement: ListedAgreement
  onEnd: (agreement: ListedAgreement) => void
}

function OwnActions({ agreement, onEnd }: OwnActionsProps) {
  const { reason } = mayActForConsumer(useSession(), agreement)
  const { id, productId, port, state } = agreement
  const name = nameAgreement(agreement)
  const renewal = findRenewal(agreement)
  return (
    <>
      {state === 'active' && (
        <ButtonLink href={paths.access(id)}>
          Use it<span className="sr-only"> {name}</span>
        </ButtonLink>
      )}
      {renewal !== undefined && (
        <ButtonLink
          href={paths.requestAccess({ product: productId, port, renews: id })}
          reason={reason}
        >
          {renewal}
          <span className="sr-only"> {name}</span>
        </ButtonLink>
      )}
      {isOpen(agreement) && (
        <Button look="quiet" reason={reason} onClick={() => onEnd(agreement)}>
          {state === 'requested' ? 'Withdraw' : 'End access'}
          <span className="sr-only"> {name}</span>
        </Button>
      )}
    </>
  )
}

type Follow = Answer<'/ui/follows', 'get'>[number]

/** The list of what a person follows or has muted. */
function Follows() {
  const follows = api.useQuery('get', '/ui/follows', {})
  return (
    <section aria-label="Following" className="rounded-lg border border-line bg-surface">
      <Loaded
        query={follows}
        skeleton={{ lines: 5, label: 'Loading what you follow' }}
        empty={
          <Empty
            icon={Star}
            title="You follow nothing yet"
            action={<Link href={paths.home}>Find data products</Link>}
          >
            Follow a data product to be notified of its changes.
          </Empty>
        }
      >
        {(list) => (
          <Trusts of={list.map(toFollowed)}>
            <ul className="divide-y divide-line">
              {list.map((follow) => (
                <FollowItem key={`${follow.kind} ${follow.id}`} follow={follow} />
              ))}
            </ul>
          </Trusts>
        )}
      </Loaded>
    </section>
  )
}

const RESOURCE_TYPES: Readonly<Record<Follow['kind'], string>> = {
  'data-product': 'DATA_PRODUCT',
  'data-contract': 'DATA_CONTRACT',
  team: 'TEAM',
  search: 'SEARCH',
}

function toFollowed({ kind, id }: Follow) {
  return { resourceType: RESOURCE_TYPES[kind], id }
}

function toHref({ kind, id }: Follow): string {
  if (kind === 'data-product') return paths.dataProduct(id)
  if (kind === 'data-contract') return paths.dataContract(id)
  return kind === 'team' ? paths.team(id) : `${paths.search()}?${id}`
}

function FollowItem({ follow }: { follow: Follow }) {
  const { kind, id, name, muted, followedAt } = follow
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
      <ResourceIcon resourceType={RESOURCE_TYPES[kind]} />
      <NameLink
        href={toHref(follow)}
        className="min-w-0 flex-1"
        name={name ?? (kind === 'search' ? (new URLSearchParams(id).get('query') ?? id) : id)}
        lines={1}
      />
      <TrustMarks {...toFollowed(follow)} />
      {muted && <Status tone="off">Muted</Status>}
      <span className="text-sm text-muted">
        Since <Time at={followedAt} />
      </span>
    </li>
  )
}
