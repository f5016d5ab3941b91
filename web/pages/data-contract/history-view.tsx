import { GitCompare } from 'lucide-react'
import { HistoryList } from '../../documents/history-list.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { Panel } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { CONTRACT_KIND } from './contract-kind.ts'

/** Who changed a contract, when, and how big each change was. */
export function HistoryView({ id }: { id: string }) {
  return (
    <Panel
      title="History"
      actions={
        <ButtonLink
          href={paths.dataContractVersions(id)}
          icon={<GitCompare size={14} aria-hidden />}
        >
          Compare versions
        </ButtonLink>
      }
    >
      <HistoryList kind={CONTRACT_KIND} id={id} max={100} />
    </Panel>
  )
}
