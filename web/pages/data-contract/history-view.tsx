import { CompareVersionsLink } from '../../documents/compare-versions-link.tsx'
import { HistoryList } from '../../documents/history-list.tsx'
import { Panel } from '../../parts/page.tsx'
import { CONTRACT_KIND } from './contract-kind.ts'

/** The changes of a contract with author, time and level. */
export function HistoryView({ id }: { id: string }) {
  return (
    <Panel title="History" actions={<CompareVersionsLink kind={CONTRACT_KIND} id={id} />}>
      <HistoryList kind={CONTRACT_KIND} id={id} max={100} />
    </Panel>
  )
}
