import { ButtonLink } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { Panel } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'

const RULES: readonly (readonly [string, string])[] = [
  [
    'Documents',
    'A GET returns the document exactly as it was sent, as JSON or YAML. A PUT replaces the whole document; a PUT with the same meaning changes nothing.',
  ],
  [
    'Plans',
    'A PUT or DELETE with dryRun=true returns what would change and who is affected, without writing anything.',
  ],
  [
    'Versions',
    'Responses have an ETag. Send it as If-Match to avoid overwriting a change made since: the response is then 412.',
  ],
  [
    'Lists',
    'A list is a JSON array with at most 1,000 items per page. If there are more, the Link header has the next page as rel="next".',
  ],
  [
    'Times',
    'Times are ISO 8601 in UTC. Many GET requests accept asOf and return the state at that time.',
  ],
  [
    'Errors',
    'Errors are application/problem+json (RFC 9457): detail explains how to fix the request, and violations list each location, with line and column for documents.',
  ],
  [
    'Limits',
    'A document can have up to 1 MiB, a data contract 5 MiB. Above the rate limit the response is 429; Retry-After gives the seconds to wait.',
  ],
]

/** The conventions of the API: authentication, lists, versions, errors. */
export function Introduction({ version }: { version: string }) {
  const origin = window.location.origin
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Panel title="How the API works" marks={`version ${version}`}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <p>
            A program signs in with a key, in the header <code>x-api-key</code> or as{' '}
            <code>authorization: Bearer</code>. What you try on this page runs in your own session
            instead, with your own permissions.
          </p>
          <CodeBlock
            label="A first request"
            text={`curl -H "x-api-key: $PORTBOOK_API_KEY" ${origin}/api/dataproducts`}
          />
          <div className="flex flex-wrap gap-2">
            <ButtonLink href={paths.newApiKey()}>Create API key</ButtonLink>
            <a
              href="/openapi.json"
              download="portbook-openapi.json"
              className="inline-flex min-h-8 items-center rounded-md border border-line-strong/60 bg-surface px-3 font-medium hover:bg-hover"
            >
              Download the OpenAPI document
            </a>
          </div>
        </div>
      </Panel>
      <Panel title="Conventions">
        <dl className="grid gap-x-3 gap-y-1 sm:grid-cols-[7rem_minmax(0,1fr)] sm:gap-y-3">
          {RULES.map(([name, says]) => (
            <div key={name} className="contents">
              <dt className="font-medium">{name}</dt>
              <dd className="text-muted max-sm:mb-2.5">{says}</dd>
            </div>
          ))}
        </dl>
      </Panel>
    </article>
  )
}
