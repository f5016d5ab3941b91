import type { Schemas } from '../../api/client.ts'
import { AccessCardFacts } from '../../documents/access/access-card-facts.tsx'
import { CertificationBadges } from '../../documents/certification-badges.tsx'
import { ResourceStanding } from '../../documents/deprecations.tsx'
import { DomainLink, TeamLink } from '../../documents/team-link.tsx'
import { assetWord } from '../../parts/asset-kind.tsx'
import { Highlighted } from '../../parts/highlighted.tsx'
import { Link } from '../../parts/link.tsx'
import { ResourceIcon } from '../../parts/resource-icon.tsx'
import { resourceWord } from '../../parts/resource-types.ts'
import { Tag } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { pathOfResource } from '../../paths.ts'
import { listReasons } from './reason.ts'

type SearchResult = Schemas['SearchResult']

const TAGS_MAX = 4

/** A search result: its type, owner and the reasons why it matched. */
export function Result({ result }: { result: SearchResult }) {
  const { id, name, resourceType, description, status, highlights } = result
  const shown = (field: string, text: string) => {
    const found = highlights.find((one) => one.field === field)
    return <Highlighted text={found?.text ?? text} ranges={found?.ranges ?? []} />
  }
  const isIdShown =
    id !== name && (name.length === 0 || highlights.some(({ field }) => field === 'id'))
  return (
    <article className="grid gap-1 px-4 py-2.5">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
        <ResourceIcon resourceType={resourceType} />
        <h2 className="min-w-0 text-base">
          <Link
            href={pathOfResource(resourceType, id)}
            className="flex min-h-6 min-w-6 items-center font-semibold"
          >
            <span className="line-clamp-2">{shown('name', name === '' ? id : name)}</span>
          </Link>
        </h2>
        <ResourceStanding {...{ resourceType, id, status }} />
        {resourceType === 'DATA_PRODUCT' && <CertificationBadges tags={result.tags} />}
        {isIdShown && <code className="line-clamp-1 min-w-0 text-faint">{shown('id', id)}</code>}
      </div>
      {description !== null && description !== '' && (
        <p className="line-clamp-2 max-w-3xl text-muted">{shown('description', description)}</p>
      )}
      <Facts result={result} />
      <Why result={result} />
    </article>
  )
}

function Facts({ result }: { result: SearchResult }) {
  const { id, resourceType, ownerId, ownerName, type, domain, source, tags, updatedAt } = result
  return (
    <div className="-my-0.5 flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      <span>
        {resourceWord(resourceType)}
        {type !== null && type !== '' && (
          <span className="user-text"> · {typeText(resourceType, type)}</span>
        )}
      </span>
      {ownerId !== null && <TeamLink id={ownerId} name={ownerName} />}
      {domain !== null && domain !== '' && <DomainLink domain={domain} />}
      {source !== null && source !== '' && <span className="user-text line-clamp-1">{source}</span>}
      {tags.length > 0 && (
        <span className="flex min-w-0 flex-wrap gap-1">
          {tags.slice(0, TAGS_MAX).map((tag) => (
            <Tag key={tag}>
              <span className="line-clamp-1">{tag}</span>
            </Tag>
          ))}
          {tags.length > TAGS_MAX && <span>+{tags.length - TAGS_MAX}</span>}
        </span>
      )}
      <span>
        Changed <Time at={updatedAt} />
      </span>
      {resourceType === 'DATA_PRODUCT' && <AccessCardFacts productId={id} />}
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
