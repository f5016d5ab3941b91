import type { Schemas } from '../../api/client.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'

/** Warns both sides that the contract has changed since the approval, with a link to the comparison. */
export function ContractNotice({ agreement }: { agreement: Schemas['AgreementDetails'] }) {
  const { contractId, contractChangedAt, contractChangedLevel, contractRevision } = agreement
  if (contractId === null || contractChangedAt === null) return null
  const isBreaking = contractChangedLevel === 'breaking'
  const from = contractRevision === null ? undefined : String(contractRevision)
  return (
    <Notice
      tone={isBreaking ? 'critical' : 'caution'}
      title={
        isBreaking
          ? 'The contract has a breaking change since the approval'
          : 'The contract has changed since the approval'
      }
      actions={
        <ButtonLink href={paths.dataContractVersions(contractId, { from })}>
          Compare versions
        </ButtonLink>
      }
    >
      It changed <Time at={contractChangedAt} />. Check whether the data still fits the purpose.
    </Notice>
  )
}
