import { useId, useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import {
  describeLinkPart,
  describeOrigin,
  describeRule,
  formatLinkValue,
} from '../../documents/reality/link-words.ts'
import { getLinkWords } from '../../documents/reality/drift-words.ts'
import { AssetIcon, assetWord } from '../../parts/asset-kind.tsx'
import { Fold, FoldButton } from '../../parts/fold.tsx'
import { NameLink } from '../../parts/link.tsx'
import { PlatformTag } from '../../parts/platform-mark.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { paths } from '../../paths.ts'

type Link = Schemas['DriftLink']
type Part = Link['explanation'][number]

/** Why a model has its table, or none: the rule in a sentence, and each part of the decision. */
export function LinkExplanation({ model }: { model: Schemas['ModelDrift'] }) {
  const { link } = model
  const { state, reason, explanation, candidates } = link
  const isLinked = state === 'linked'
  return (
    <div className="grid gap-2">
      {!isLinked && (
        <p className="user-text">
          {getLinkWords(state).text} {reason}
        </p>
      )}
      {candidates.length > 0 && !isLinked && <Candidates candidates={candidates} />}
      {explanation.length > 0 && (
        <Why title={isLinked ? 'Why this table?' : 'Why no table?'} link={link} />
      )}
    </div>
  )
}

function Candidates({ candidates }: { candidates: Link['candidates'] }) {
  return (
    <ul aria-label="Tables that it may be" className="grid gap-1">
      {candidates.map(({ id, name, type, source }) => (
        <li key={id} className="flex min-w-0 flex-wrap items-center gap-x-2">
          <AssetIcon type={type ?? ''} />
          <NameLink href={paths.asset(id)} name={name ?? id} />
          <span className="text-sm text-muted">{assetWord(type ?? 'table')}</span>
          {source !== null && <PlatformTag type={source} />}
          <code className="user-text text-sm text-muted">{id}</code>
        </li>
      ))}
    </ul>
  )
}

function Why({ title, link: { state, origin, explanation } }: { title: string; link: Link }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <div>
      <FoldButton isOpen={isOpen} controls={id} onToggle={() => setOpen(!isOpen)}>
        {title}
      </FoldButton>
      <Fold id={id} isOpen={isOpen} onFound={() => setOpen(true)} className="mt-1 grid gap-2">
        {origin !== null && state === 'linked' && (
          <p className="text-sm">{describeOrigin(origin)}</p>
        )}
        <div className="overflow-hidden rounded-md border border-line">
          <Table
            label={title}
            columns={COLUMNS}
            rows={explanation}
            getKey={({ part, rule }) => `${part} ${rule}`}
          />
        </div>
      </Fold>
    </div>
  )
}

const COLUMNS: readonly Column<Part>[] = [
  { title: 'Part', cell: ({ part }) => describeLinkPart(part) },
  { title: 'In the contract', cell: ({ promised }) => <Text text={promised} /> },
  { title: 'In the source', cell: ({ actual }) => <Text text={actual} /> },
  { title: 'Result', cell: ({ rule }) => <span className="user-text">{describeRule(rule)}</span> },
]

function Text({ text }: { text: string | null }) {
  if (text === null || text === '') return <span className="text-muted">Not given</span>
  return <code className="user-text [overflow-wrap:anywhere]">{formatLinkValue(text)}</code>
}
