import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useAdvice } from '../../api/people-who-help.ts'
import { may, maySomewhere, useSession } from '../../api/session.ts'
import { DecisionDialog, type AccessDecision } from '../../documents/access/decision-dialog.tsx'
import { AgreementList, nameAgreement } from '../../documents/access/agreement-list.tsx'
import { PagedAgreements, useAgreements } from '../../documents/access/paged-agreements.tsx'
import {
  countedText,
  VIEWS,
  type AgreementView,
  type ListedAgreement,
} from '../../documents/access/access-words.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { countText } from '../../parts/number-text.ts'
import { Page } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { paths } from '../../paths.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { EMPTY_TEXTS } from './empty-texts.ts'

const URL_STATE = { view: 'requested', team: '', product: '' }

/** The requests of access to the data products of the person's teams, and what became of them. */
export function RequestsPage() {
  const [state, set] = useUrlState(URL_STATE)
  const view = VIEWS.find(([one]) => one === state.view)?.[0] ?? 'requested'
  const filter = {
    ...(state.team !== '' && { team: state.team }),
    ...(state.product !== '' && { product: state.product }),
  }
  const query = useAgreements({ list: 'inbox', view, ...filter })
  const counts = query.data?.counts
  return (
    <Page title="Requests">
      <Tabs
        label="States of requests"
        tabs={VIEWS.map(([one, title]) => ({
          title,
          href: paths.requests({ ...filter, view: one === 'requested' ? undefined : one }),
          isCurrent: one === view,
          count: counts === null || counts === undefined ? undefined : countedText(counts[one]),
        }))}
      />
      <Filters state={state} set={set} />
      <Inbox
        key={`${view} ${state.team} ${state.product}`}
        view={view}
        query={query}
        isFiltered={Object.keys(filter).length > 0}
      />
    </Page>
  )
}

interface FiltersProps {
  state: typeof URL_STATE
  set: (patch: Partial<typeof URL_STATE>) => void
}

function Filters({ state, set }: FiltersProps) {
  const session = useSession()
  const teams = session.teams.filter(({ permissions }) => permissions.includes('ACCESS_APPROVE'))
  const team = state.team === '' ? teams.map(({ id }) => id) : [state.team]
  const isOwner = session.organization?.role === 'Owner'
  const products = api.useQuery(
    'get',
    '/api/search',
    {
      params: {
        query: {
          resourceType: ['DATA_PRODUCT'],
          ...(isOwner && state.team === '' ? {} : { teamId: team }),
          limit: 100,
          facets: false,
        },
      },
    },
    { staleTime: 60_000 },
  )
  const isFiltered = state.team !== '' || state.product !== ''
  const choices = (products.data?.results ?? []).map(({ id, name }) => ({
    value: id,
    label: name,
    detail: id,
  }))
  return (
    <div className="mb-4 flex flex-wrap items-end gap-3">
      {teams.length > 1 && (
        <ChoiceField
          label="Team"
          className="w-full sm:w-56"
          value={state.team}
          choices={[
            { value: '', label: 'All teams' },
            ...teams.map(({ id, name }) => ({ value: id, label: name, detail: id })),
          ]}
          onChange={(value) => set({ team: value, product: '' })}
        />
      )}
      <ChoiceField
        label="Data product"
        className="w-full sm:w-72"
        value={state.product}
        choices={[{ value: '', label: 'All data products' }, ...withChosen(choices, state.product)]}
        onChange={(product) => set({ product })}
      />
      {isFiltered && (
        <Button look="quiet" onClick={() => set({ team: '', product: '' })}>
          Clear filters
        </Button>
      )}
    </div>
  )
}

function withChosen(
  choices: { value: string; label: string; detail: string }[],
  chosen: string,
): { value: string; label: string; detail?: string }[] {
  if (chosen === '' || choices.some(({ value }) => value === chosen)) return choices
  return [{ value: chosen, label: chosen }, ...choices]
}

interface InboxProps {
  view: AgreementView
  query: ReturnType<typeof useAgreements>
  isFiltered: boolean
}

interface OpenDecision {
  decision: AccessDecision
  agreements: readonly ListedAgreement[]
}

function Inbox({ view, query, isFiltered }: InboxProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [dialog, setDialog] = useState<OpenDecision>()
  const listed = query.data?.agreements ?? []
  const selected = listed.filter(({ id }) => chosen.has(id))
  const isDecidable = view === 'requested'
  const empty = useEmptyText(view, isFiltered)
  const close = (): void => {
    setDialog(undefined)
    setChosen(new Set())
  }
  return (
    <section aria-label="Requests" className="rounded-lg border border-line bg-surface">
      <h2 className="sr-only">Agreements</h2>
      {isDecidable && listed.length > 0 && (
        <BulkBar
          listed={listed}
          selected={selected}
          onSelect={(ids) => setChosen(new Set(ids))}
          onDecide={(decision) => setDialog({ decision, agreements: selected })}
        />
      )}
      <PagedAgreements query={query} empty={empty}>
        {(agreements) =>
          isDecidable ? (
            <AgreementList
              label="Requests of access"
              agreements={agreements}
              renderLead={(agreement) => (
                <Select
                  agreement={agreement}
                  isSelected={chosen.has(agreement.id)}
                  onToggle={() => setChosen(toggle(chosen, agreement.id))}
                />
              )}
              renderActions={(agreement) => <Decide agreement={agreement} onDecide={setDialog} />}
            />
          ) : (
            <AgreementList label="Agreements" agreements={agreements} />
          )
        }
      </PagedAgreements>
      {dialog !== undefined && <DecisionDialog {...dialog} onClose={close} />}
    </section>
  )
}

function toggle(chosen: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(chosen)
  if (!next.delete(id)) next.add(id)
  return next
}

function useEmptyText(view: AgreementView, isFiltered: boolean) {
  const { reason, lack } = maySomewhere(useSession(), 'ACCESS_APPROVE')
  const advice = useAdvice(lack)
  if (reason !== undefined) {
    return {
      title: 'You decide on no requests',
      text: `${reason} ${advice} Your own requests are in My data.`,
      action: <ButtonLink href={paths.myData()}>Open My data</ButtonLink>,
    }
  }
  if (!isFiltered) return EMPTY_TEXTS[view]
  return {
    title: 'No matching agreements',
    text: 'Choose another team, data product or state.',
    action: <ButtonLink href={paths.requests({ view })}>Clear filters</ButtonLink>,
  }
}

interface SelectProps {
  agreement: ListedAgreement
  isSelected: boolean
  onToggle: () => void
}

function Select({ agreement, isSelected, onToggle }: SelectProps) {
  const consumer = agreement.consumerName ?? 'the consumer'
  return (
    <input
      type="checkbox"
      className="mt-1 size-4 shrink-0 accent-accent-solid"
      aria-label={`Select ${nameAgreement(agreement)} for ${consumer}`}
      checked={isSelected}
      onChange={onToggle}
    />
  )
}

interface DecideProps {
  agreement: ListedAgreement
  onDecide: (decision: OpenDecision) => void
}

function Decide({ agreement, onDecide }: DecideProps) {
  const { reason } = may(useSession(), 'ACCESS_APPROVE', agreement.providerTeam)
  const agreements = [agreement]
  const own = agreement.isOwnRequest
    ? 'This is your own request. Ask another approver of the team to decide.'
    : undefined
  return (
    <>
      <Button
        look="primary"
        reason={reason ?? own}
        aria-label={`Approve ${nameAgreement(agreement)}`}
        onClick={() => onDecide({ decision: 'approve', agreements })}
      >
        Approve
      </Button>
      <Button
        reason={reason}
        aria-label={`Reject ${nameAgreement(agreement)}`}
        onClick={() => onDecide({ decision: 'reject', agreements })}
      >
        Reject
      </Button>
      {own !== undefined && <p className="w-full max-w-48 text-sm text-muted">{own}</p>}
    </>
  )
}

/** The most agreements that one request decides on. */
const DECIDED_MAX = 50

interface BulkBarProps {
  listed: readonly ListedAgreement[]
  selected: readonly ListedAgreement[]
  onSelect: (ids: readonly string[]) => void
  onDecide: (decision: AccessDecision) => void
}

function BulkBar({ listed, selected, onSelect, onDecide }: BulkBarProps) {
  const first = listed.slice(0, DECIDED_MAX)
  const isAll = selected.length >= first.length
  const tooMany =
    selected.length > DECIDED_MAX ? `Select at most ${DECIDED_MAX} requests.` : undefined
  const none = selected.length === 0 ? 'Select requests first.' : tooMany
  const hasOwn = selected.some(({ isOwnRequest }) => isOwnRequest)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2">
      <label className="flex min-h-6 items-center gap-3">
        <input
          type="checkbox"
          className="size-4 accent-accent-solid"
          checked={isAll}
          onChange={() => onSelect(isAll ? [] : first.map(({ id }) => id))}
        />
        Select all
      </label>
      <span aria-live="polite" className="text-sm text-muted">
        {selected.length > 0 && `${countText(selected.length, 'request')} selected`}
      </span>
      <span className="ml-auto flex flex-wrap gap-2">
        <Button
          reason={none ?? (hasOwn ? 'Your own requests are among them.' : undefined)}
          onClick={() => onDecide('approve')}
        >
          Approve selected
        </Button>
        <Button reason={none} onClick={() => onDecide('reject')}>
          Reject selected
        </Button>
      </span>
    </div>
  )
}
