import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Input } from '../../parts/field.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { countText } from '../../parts/number-text.ts'
import { valueText } from '../../parts/value-text.ts'
import { Tag } from '../../parts/status.tsx'
import { useUrlState } from '../../shell/url-state.ts'
import { CheckHistory, type ContractCheck } from './check-history.tsx'
import { modelQuery, type ShownContract, CONTRACT_URL_STATE } from './contract-query.ts'
import { containsLetters, listPlacedRules, type PlacedRule } from './quality-rules.ts'

/** The rules that the data keeps, with what each is about and its outcomes, and the checks of no rule. */
export function QualityView({ id, shown }: { id: string; shown: ShownContract }) {
  const query = useQuery(modelQuery(id))
  const checks = useChecks(id)
  const rules = query.data === undefined ? [] : listPlacedRules(shown.facts, query.data.models)
  const pointers = new Set(rules.map(({ rule }) => rule.origin))
  const others = checks.filter(({ rulePointer }) => !pointers.has(rulePointer ?? ''))
  return (
    <div className="grid gap-5">
      <QueryPanel title="Quality rules" flush query={query}>
        {() => <Rules rules={rules} checks={checks} />}
      </QueryPanel>
      {query.data !== undefined && others.length > 0 && <OtherChecks checks={others} />}
    </div>
  )
}

const STEP = 100
const CHECKS_MAX = 500

/** Loads the checks of a contract, the failing ones first. */
function useChecks(id: string): readonly ContractCheck[] {
  const query = api.useQuery('get', '/api/datacontracts/{id}/checks', {
    params: { path: { id }, query: { size: CHECKS_MAX } },
  })
  return query.data ?? []
}

function OtherChecks({ checks }: { checks: readonly ContractCheck[] }) {
  const [max, setMax] = useState(STEP)
  return (
    <Panel title="Other checks" marks={checks.length} flush>
      <ul>
        {checks.slice(0, max).map((check) => (
          <li
            key={`${check.key} ${check.server} ${check.dataProductId} ${check.outputPortId}`}
            className="grid gap-1 border-b border-line px-4 py-2.5 last:border-0"
          >
            <span className="flex flex-wrap gap-x-2">
              <span className="user-text">{check.name ?? check.key}</span>
              <code className="user-text text-muted">
                {[check.model, check.field].filter((part) => part !== null).join('.')}
              </code>
            </span>
            <CheckHistory check={check} namesServer />
          </li>
        ))}
      </ul>
      {checks.length > max && (
        <div className="p-3">
          <Button onClick={() => setMax(max + STEP)}>Show more</Button>
        </div>
      )}
    </Panel>
  )
}

interface RulesProps {
  rules: readonly PlacedRule[]
  checks: readonly ContractCheck[]
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
            checks={checks.filter(({ rulePointer }) => rulePointer === one.rule.origin)}
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
  checks,
}: PlacedRule & { checks: readonly ContractCheck[] }) {
  return (
    <li className="grid gap-x-4 gap-y-1 border-b border-line px-4 py-2.5 last:border-0 sm:grid-cols-[minmax(10rem,2fr)_minmax(0,5fr)]">
      <div className="min-w-0">
        <code className="user-text">{path === '' ? 'All data' : path}</code>
      </div>
      <div className="grid min-w-0 gap-1">
        <div className="flex flex-wrap items-center gap-2">
          <Tag>{type}</Tag>
          {name !== undefined && <span className="user-text font-medium">{name}</span>}
          {checks.length === 0 && <span className="text-sm text-muted">Not tested</span>}
        </div>
        {checks.map((check) => (
          <CheckHistory
            key={`${check.key} ${check.server} ${check.dataProductId} ${check.outputPortId}`}
            check={check}
            namesServer={checks.length > 1}
          />
        ))}
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
