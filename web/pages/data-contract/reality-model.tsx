import { useId, useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { may, useSession } from '../../api/session.ts'
import { AcceptDialog } from '../../documents/reality/accept-dialog.tsx'
import { getLinkWords, groupFindings, type Finding } from '../../documents/reality/drift-words.ts'
import {
  AcceptanceText,
  FindingActions,
  FindingSide,
  FindingSince,
} from '../../documents/reality/finding-cells.tsx'
import { AssetIcon } from '../../parts/asset-kind.tsx'
import { Button } from '../../parts/button.tsx'
import { Fold, FoldButton } from '../../parts/fold.tsx'
import { NameLink } from '../../parts/link.tsx'
import { countText } from '../../parts/number-text.ts'
import { Status } from '../../parts/status.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { getAspectTitle } from '../../documents/reality/finding-names.ts'
import { paths } from '../../paths.ts'
import { ChooseTable } from './choose-table.tsx'
import { LinkExplanation } from './link-explanation.tsx'
import { ShowMore, useShownCount } from './reality-more.tsx'
import { SameServer } from './same-server.tsx'
import { TableSql } from './table-sql.tsx'

type ModelDrift = Schemas['ModelDrift']

interface ModelRealityProps {
  id: string
  /** The team that owns the contract; null = none. */
  owner: string | null
  server: string
  model: ModelDrift
}

/** A model of a contract on one server, with its table and the differences between the two. */
export function ModelReality(props: ModelRealityProps) {
  const { model } = props
  const groups = groupFindings(model.findings)
  const isLinked = model.link.state === 'linked'
  const isSame = isLinked && model.findings.length === 0 && model.comparedAt !== null
  return (
    <>
      <ModelHead {...props} breaking={groups.breaking} />
      <LinkExplanation {...props} />
      {isSame && <p className="text-muted">The table keeps everything that can be compared.</p>}
      {model.isComparing && (
        <p className="text-muted">The newest version is being compared. Reload in a minute.</p>
      )}
      {groups.breaking.length > 0 && (
        <Findings label={`Differences of ${model.model}`} findings={groups.breaking} />
      )}
      {groups.accepted.length > 0 && (
        <Folded title={countText(groups.accepted.length, 'accepted difference')} isOpenAtFirst>
          <Findings label={`Accepted differences of ${model.model}`} findings={groups.accepted} />
        </Folded>
      )}
      {groups.additive.length > 0 && (
        <Folded title={`Also different: ${groups.additive.length}`}>
          <p className="pb-2 text-sm text-muted">
            These keep the promise: consumers can read the data as the contract describes it.
          </p>
          <Findings label={`Also different in ${model.model}`} findings={groups.additive} />
        </Folded>
      )}
      {model.omittedCount > 0 && (
        <p className="text-muted">
          {countText(model.omittedCount, 'further difference')} not listed. Fix the first ones, or
          choose another table.
        </p>
      )}
      {model.unverifiable.length > 0 && <Unverifiable model={model} />}
    </>
  )
}

function ModelHead(props: ModelRealityProps & { breaking: readonly Finding[] }) {
  const { model, owner, breaking } = props
  const { asset, state } = model.link
  const { word, tone } = getLinkWords(state)
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="user-text font-medium">
          <code>{model.model}</code>
        </h3>
        {asset === null || state !== 'linked' ? (
          <Status tone={tone}>{word}</Status>
        ) : (
          <span className="flex min-w-0 items-center gap-1.5">
            <span aria-hidden className="text-muted">
              →
            </span>
            <span className="sr-only">kept by</span>
            <AssetIcon type={asset.type ?? ''} />
            <NameLink href={paths.asset(asset.id)} name={asset.name ?? asset.id} lines={2} />
          </span>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        {breaking.length > 1 && <AcceptAll findings={breaking} owner={owner} />}
        <TableSql {...props} />
        <SameServer link={model.link} />
        <ChooseTable {...props} />
      </div>
    </div>
  )
}

/** The most findings that one press accepts. */
const ACCEPTED_MAX = 50

function AcceptAll({ findings, owner }: { findings: readonly Finding[]; owner: string | null }) {
  const [isOpen, setOpen] = useState(false)
  const { reason } = may(useSession(), 'DATACONTRACT_EDIT', owner)
  const accepted = findings.slice(0, ACCEPTED_MAX)
  return (
    <>
      <Button reason={reason} onClick={() => setOpen(true)}>
        Accept {accepted.length === findings.length ? 'all' : `the first ${accepted.length}`}…
      </Button>
      {isOpen && <AcceptDialog findings={accepted} onClose={() => setOpen(false)} />}
    </>
  )
}

const FINDINGS_STEP = 50

function Findings({ label, findings }: { label: string; findings: readonly Finding[] }) {
  const more = useShownCount(findings.length, FINDINGS_STEP)
  return (
    <div className="overflow-hidden rounded-md border border-line">
      <Table
        label={label}
        columns={COLUMNS}
        rows={findings.slice(0, more.count)}
        getKey={({ id }) => id}
      />
      <ShowMore more={more} />
    </div>
  )
}

const COLUMNS: readonly Column<Finding>[] = [
  {
    title: 'Field',
    className: 'sm:min-w-48',
    cell: ({ field }) =>
      field === null ? (
        <span className="text-muted">The table</span>
      ) : (
        <code className="user-text [overflow-wrap:anywhere]">{field}</code>
      ),
  },
  {
    title: 'Difference',
    cell: (finding) => (
      <span className="grid gap-0.5">
        {getAspectTitle(finding.aspect)}
        {finding.acceptance !== null && <AcceptanceText acceptance={finding.acceptance} />}
      </span>
    ),
  },
  {
    title: 'Promised',
    className: 'sm:min-w-36',
    cell: (finding) => <FindingSide finding={finding} side="promised" />,
  },
  {
    title: 'In the table',
    className: 'sm:min-w-36',
    cell: (finding) => <FindingSide finding={finding} side="actual" />,
  },
  { title: 'Since', cell: (finding) => <FindingSince finding={finding} /> },
  { title: 'Actions', isAction: true, cell: (finding) => <FindingActions finding={finding} /> },
]

interface FoldedProps {
  title: string
  isOpenAtFirst?: boolean
  children: React.ReactNode
}

function Folded({ title, isOpenAtFirst = false, children }: FoldedProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  return (
    <div>
      <FoldButton isOpen={isOpen} controls={id} onToggle={() => setOpen(!isOpen)}>
        {title}
      </FoldButton>
      <Fold id={id} isOpen={isOpen} onFound={() => setOpen(true)} className="mt-1">
        {children}
      </Fold>
    </div>
  )
}

const UNVERIFIABLE_STEP = 20

function Unverifiable({ model: { unverifiable } }: { model: ModelDrift }) {
  const more = useShownCount(unverifiable.length, UNVERIFIABLE_STEP)
  return (
    <Folded title={`${countText(unverifiable.length, 'field')} cannot be compared`}>
      <ul className="grid gap-1 text-sm">
        {unverifiable.slice(0, more.count).map(({ field, reason }, at) => (
          <li key={`${field} ${at}`} className="user-text">
            <code>{field === '' ? 'The table' : field}</code>{' '}
            <span className="text-muted">{reason}</span>
          </li>
        ))}
      </ul>
      <ShowMore more={more} />
    </Folded>
  )
}
