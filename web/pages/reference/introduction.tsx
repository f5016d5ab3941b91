import { ButtonLink } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { Panel } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'

const RULES: readonly (readonly [string, string])[] = [
  [
    'Documents',
    'What you PUT is what you GET, to the byte, as JSON or YAML. A PUT replaces the whole document; one of equal meaning changes nothing.',
  ],
  [
    'Plans',
    'PUT with dryRun=true answers what would change and who is affected, and writes nothing.',
  ],
  [
    'Versions',
    'Answers carry an ETag. Send it back as If-Match, and nobody else’s change in between is lost: the answer is then 412.',
  ],
  [
    'Lists',
    'A list is a JSON array, at most 1,000 elements a page. While there is more, the header Link names the next page with rel="next".',
  ],
  ['Times', 'Times are ISO 8601 in UTC. Many reads take asOf and answer as things stood then.'],
  [
    'Refusals',
    'A refusal is application/problem+json (RFC 9457): detail says what to do, violations say where, with line and column for documents.',
  ],
  [
    'Limits',
    'A document has at most 1 MiB, a data contract 5 MiB. Above the rate limit the answer is 429; Retry-After says when to go on.',
  ],
]

/** How the API works as a whole: signing in, lists, versions, refusals. */
export function Introduction({ version }: { version: string }) {
  const origin = window.location.origin
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Panel title="How it works" marks={`version ${version}`}>
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
      <Panel title="What holds everywhere">
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
