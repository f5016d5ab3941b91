import { useRouter } from '@tanstack/react-router'
import { Ellipsis, FileKey2, History, Workflow } from 'lucide-react'
import type { Schemas } from '../../api/client.ts'
import { OwnAccess, useMayRequest } from '../../documents/access/access-card-facts.tsx'
import { CertificationBadges } from '../../documents/certification-badges.tsx'
import { ResourceStanding } from '../../documents/deprecations.tsx'
import { DomainLink, TeamLink } from '../../documents/team-link.tsx'
import { TrustMarks } from '../../documents/trust-strip.tsx'
import { assetWord } from '../../parts/asset-kind.tsx'
import { ButtonLink, IconButton } from '../../parts/button.tsx'
import { Highlighted } from '../../parts/highlighted.tsx'
import { Link } from '../../parts/link.tsx'
import { Menu, MenuItem } from '../../parts/menu.tsx'
import { numberText } from '../../parts/number-text.ts'
import { ResourceIcon } from '../../parts/resource-icon.tsx'
import { resourceWord } from '../../parts/resource-types.ts'
import { Time } from '../../parts/time.tsx'
import { pathOfResource, paths } from '../../paths.ts'
import { listReasons } from './reason.ts'

type SearchResult = Schemas['SearchResult']

/** A search result in two lines, and the reasons why it matched. */
export function Result({ result }: { result: SearchResult }) {
  const { id, name, resourceType, status, highlights } = result
  const isProduct = resourceType === 'DATA_PRODUCT'
  const marked = (field: string) => highlights.find((one) => one.field === field)
  const [markedName, markedId, description] = ['name', 'id', 'description'].map(marked)
  const isIdShown = id !== name && (name.length === 0 || markedId !== undefined)
  return (
    <article className="group relative grid gap-1 px-4 py-2.5">
      <div className="flex min-w-0 items-start gap-2.5">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2.5 gap-y-1">
          <ResourceIcon resourceType={resourceType} />
          <h2 className="min-w-0 text-base">
            <Link
              href={pathOfResource(resourceType, id)}
              className="flex min-h-6 min-w-6 items-center font-semibold"
            >
              <span className="line-clamp-2">
                <Highlighted
                  text={markedName?.text ?? (name === '' ? id : name)}
                  ranges={markedName?.ranges ?? []}
                />
              </span>
            </Link>
          </h2>
          <ResourceStanding {...{ resourceType, id, status }} />
          {result.trust !== null && (
            <TrustMarks {...{ resourceType, id }} summary={result.trust} hasReaders={false} />
          )}
          {isProduct && <CertificationBadges tags={result.tags} />}
          {isProduct && <OwnAccess productId={id} />}
          {isIdShown && (
            <code className="line-clamp-1 min-w-0 text-faint">
              <Highlighted text={markedId?.text ?? id} ranges={markedId?.ranges ?? []} />
            </code>
          )}
        </div>
        {isProduct && <ProductActions product={result} />}
      </div>
      <Facts result={result} />
      {description !== undefined && (
        <p className="line-clamp-2 max-w-3xl text-muted">
          <Highlighted text={description.text} ranges={description.ranges} />
        </p>
      )}
      <Why result={result} />
    </article>
  )
}

function Facts({ result }: { result: SearchResult }) {
  const { resourceType, ownerId, ownerName, type, domain, source, updatedAt, readers } = result
  const isAsset = resourceType === 'DATA_ASSET'
  return (
    <p className="-my-0.5 flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      <span>
        {resourceWord(resourceType)}
        {type !== null && type !== '' && (
          <span className="user-text"> · {typeText(resourceType, type)}</span>
        )}
      </span>
      {ownerId !== null && <TeamLink id={ownerId} name={ownerName} />}
      {domain !== null && domain !== '' && <DomainLink domain={domain} />}
      {isAsset && source !== null && source !== '' && (
        <span className="user-text line-clamp-1">{source}</span>
      )}
      <span>
        Changed <Time at={updatedAt} />
      </span>
      {readers !== null && readers > 0 && (
        <span className="figures">
          {numberText(readers)} {readers === 1 ? 'reader' : 'readers'}
        </span>
      )}
    </p>
  )
}

// The action appears on hover and focus. Touch screens have the menu only.
function ProductActions({ product: { id, name } }: { product: SearchResult }) {
  const router = useRouter()
  const mayRequest = useMayRequest(id)
  const go = (href: string) => () => router.history.push(href)
  return (
    <div className="-my-0.5 flex shrink-0 items-center gap-1">
      {mayRequest && (
        <ButtonLink
          href={paths.dataProduct(id)}
          className="opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 max-sm:hidden [@media(hover:none)]:hidden"
        >
          Request access<span className="sr-only"> to {name}</span>
        </ButtonLink>
      )}
      <Menu trigger={<IconButton label={`Actions of ${name}`} icon={Ellipsis} />}>
        {mayRequest && (
          <MenuItem icon={FileKey2} onSelect={go(paths.dataProduct(id))}>
            Request access
          </MenuItem>
        )}
        <MenuItem icon={Workflow} onSelect={go(paths.dataProductLineage(id))}>
          Show lineage
        </MenuItem>
        <MenuItem icon={History} onSelect={go(paths.dataProductVersions(id))}>
          Show versions
        </MenuItem>
      </Menu>
    </div>
  )
}

// The type of a document is its format, an abbreviation.
function typeText(resourceType: string, type: string): string {
  if (resourceType === 'DATA_ASSET') return assetWord(type)
  return resourceType === 'TEAM' ? type : type.toUpperCase()
}

const REASONS_MAX = 3

function Why({ result: { why, highlights } }: { result: SearchResult }) {
  const reasons = listReasons(why, highlights)
  if (reasons.length === 0) return null
  const more = reasons.length - REASONS_MAX
  return (
    <p className="line-clamp-2 text-sm text-muted">
      Matched{' '}
      {reasons.slice(0, REASONS_MAX).map(({ words, text, ranges, isCode }, at) => (
        <span key={`${words} ${text}`}>
          {at > 0 && ', '}
          {words}
          {text !== null && (
            <>
              {' '}
              {isCode ? (
                <code>
                  <Highlighted text={text} ranges={ranges} />
                </code>
              ) : (
                <Highlighted text={text} ranges={ranges} />
              )}
            </>
          )}
        </span>
      ))}
      {more > 0 && ` and ${more} more`}
    </p>
  )
}
