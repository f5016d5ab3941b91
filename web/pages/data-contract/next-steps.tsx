import { ButtonLink } from '../../parts/button.tsx'
import { StepsStrip } from '../../parts/steps-strip.tsx'
import { paths } from '../../paths.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { CONTRACT_URL_STATE } from './contract-query.ts'

/** The steps that follow a saved contract; nothing unless the address asks for them. */
export function ContractNextSteps({ id }: { id: string }) {
  const [{ next }, setUrl] = useUrlState(CONTRACT_URL_STATE)
  if (next === '') return null
  return (
    <StepsStrip
      title="Next: use the contract"
      text="Export its schema for your tools, and report from your pipeline whether the data keeps it."
      onHide={() => setUrl({ next: '' }, { replace: true })}
    >
      <ButtonLink href={paths.dataContract(id, { view: 'exports' })}>Export</ButtonLink>
      <ButtonLink href={paths.guide('tests-and-lineage')}>Report tests</ButtonLink>
    </StepsStrip>
  )
}
