import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api } from '../../api/client.ts'
import { listChecks } from '../../documents/read-checks.ts'
import { TestOutcome } from '../../documents/test-outcome.tsx'
import { Button } from '../../parts/button.tsx'
import { Input } from '../../parts/field.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { Link } from '../../parts/link.tsx'
import { Empty } from '../../parts/notice.tsx'
import { countText } from '../../parts/number-text.ts'
import { valueText } from '../../parts/value-text.ts'
import { Tag } from '../../parts/status.tsx'
import { useUrlState } from '../../shell/url-state.ts'
import { paths } from '../../paths.ts'
import { findRuleOutcome, type ReportedCheck } from './rule-outcome.ts'
import { modelQuery, type ShownContract, CONTRACT_URL_STATE } from './contract-query.ts'
import { containsLetters, listPlacedRules, type PlacedRule } from './quality-rules.ts'

/** The rules that the data keeps, with what each is about. */
export function QualityView({ id, shown }: { id: string; shown: ShownContract }) {
  const query = useQuery(modelQuery(id))
  const checks = useLatestChecks(id)
  return (
    <QueryPanel title="Quality rules" flush query={query}>
      {({ models }) => <Rules rules={listPlacedRules(shown.facts, models)} checks={checks} />}
    </QueryPanel>
  )
}

const STEP = 100
// The newest results of the first servers; more would be requests that hardly any contract needs.
const RESULTS_MAX = 3

/** Loads the checks of the newest test result of each server. */
function useLatestChecks(id: string): readonly ReportedCheck[] {
  const latest = api.useQuery('get', '/ui/datacontracts/{id}/test-results', {
    params: { path: { id } },
  })
  return useQueries({
    queries: (latest.data ?? [])
      .slice(0, RESULTS_MAX)
      .map((result) =>
        api.queryOptions('get', '/api/test-results/{id}', { params: { path: { id: result.id } } }),
      ),
    combine: (results) =>
      results.flatMap(({ data }) =>
        data === undefined ? [] : listChecks(data).map((check) => ({ check, resultId: data.id })),
      ),
  })
}

interface RulesProps {
  rules: readonly PlacedRule[]
  checks: readonly ReportedCheck[]
}

function Rules({ rules, checks }: RulesProps) {
  const [{ q }, setUrl] = useUrlState(CONTRACT_URL_STATE)
  const [max, setMax] = useState(STEP)
  const found = useMemo(() => rules.filter((one) => containsLetters(one, q)), [rules, q])
  if (rules.length === 0) {
    return (
      <Empty title="No quality rules">
        Rules describe what consumers can rely on: a number of rows, values that are never empty, a
        query whose answer stays zero. Add them under <code>quality</code> of a model or a field.
      </Empty>
    )
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-2">
        <Input
          type="search"
          aria-label="Filter rules"
          placeholder="Filter by field, name or text"
          value={q}
          onChange={(event) => setUrl({ q: event.target.value }, { replace: true })}
          className="max-w-72"
        />
        <span className="ml-auto text-sm text-muted" aria-live="polite">
          {countText(found.length, 'rule')}
        </span>
      </div>
      <ul>
        {found.slice(0, max).map((one) => (
          <Rule
            key={`${one.path} ${one.rule.origin}`}
            {...one}
            reported={findRuleOutcome(one, checks)}
          />
        ))}
      </ul>
      {found.length > max && (
        <div className="p-3">
          <Button onClick={() => setMax(max + STEP)}>Show more</Button>
        </div>
      )}
      {found.length === 0 && <Empty title="No rule matches">Change or clear the filter.</Empty>}
    </>
  )
}

function Rule({
  path,
  rule: { name, type, description, rule },
  reported,
}: PlacedRule & { reported: ReportedCheck | undefined }) {
  return (
    <li className="grid gap-x-4 gap-y-1 border-b border-line px-4 py-2.5 last:border-0 sm:grid-cols-[minmax(10rem,2fr)_minmax(0,5fr)]">
      <div className="min-w-0">
        <code className="user-text">{path === '' ? 'All data' : path}</code>
      </div>
      <div className="grid min-w-0 gap-1">
        <div className="flex flex-wrap items-center gap-2">
          <Tag>{type}</Tag>
          {name !== undefined && <span className="user-text font-medium">{name}</span>}
          {reported !== undefined && (
            <>
              <TestOutcome outcome={reported.check.outcome} />
              <Link href={paths.testResult(reported.resultId)} className="text-sm">
                Latest test
              </Link>
            </>
          )}
        </div>
        {description !== undefined && <p className="user-text">{description}</p>}
        <RuleText rule={rule} />
      </div>
    </li>
  )
}

function RuleText({ rule }: { rule: unknown }) {
  const text =
    typeof rule === 'string' ? rule : (JSON.stringify(rule, undefined, 2) ?? valueText(rule))
  return (
    <details>
      <summary className="w-fit rounded py-0.5 text-sm text-muted hover:text-ink">
        Rule as written
      </summary>
      <pre
        className="mt-1 max-h-80 overflow-auto rounded bg-sunken p-3 whitespace-pre-wrap"
        tabIndex={0}
      >
        {text}
      </pre>
    </details>
  )
}
